import { UNDOABLE_IMPORTS } from '../../lake/land/record-event.ts'
import { type VacuumOptions, vacuum } from '../../lake/maintain/vacuum.ts'
import { assertOnlyFlags, usage } from '../command/arguments.ts'
import type { Arguments, Command, Flag } from '../command/command.ts'
import { amount, counted } from '../terminal/terminal.ts'

export const VACUUM_FLAGS = {
  keep: { value: 'N', default: '3', help: 'Number of snapshots to keep, including the current one.' },
  undo: { value: 'N', default: '20', help: 'Number of imports that can still be undone, at most 20.' },
  grace: { value: 'MINUTES', default: '60', help: 'Keep files that are younger than this.' },
} as const satisfies Readonly<Record<string, Flag>>

/** The options that these flags specify. */
export function vacuumOptions(command: Command, flags: Arguments['flags']): VacuumOptions {
  const number = (name: keyof typeof VACUUM_FLAGS, min: number, max = 999_999) => {
    const text = flags[name]?.[0] ?? ''
    const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw usage(
      command,
      `--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`,
    )
  }
  return {
    snapshots: number('keep', 1),
    graceMs: number('grace', 0) * 60_000,
    imports: number('undo', 0, UNDOABLE_IMPORTS),
  }
}

export const vacuumCommand: Command = {
  name: 'vacuum',
  usage: '[--keep N] [--undo N] [--grace MINUTES]',
  details:
    'Deletes only files that tapehouse has written. Snapshots that are kept by a name stay: see tapehouse snapshot --help. What the last imports replaced stays too, so that they can be undone: see tapehouse imports --help. The grace period protects running requests, which still read an older snapshot.',
  examples: ['tapehouse vacuum --lake data/lake', 'tapehouse vacuum --lake data/lake --keep 1 --grace 0'],
  settings: ['lake'],
  flags: VACUUM_FLAGS,
  run: async ({ positionals, settings, flags }) => {
    assertOnlyFlags(vacuumCommand, positionals)
    const { deleted, bytes, keptBytes, undoBytes } = await vacuum(
      settings.lake,
      vacuumOptions(vacuumCommand, flags),
    )
    for (const file of deleted) process.stdout.write(`${file}\n`)
    process.stdout.write(`Deleted ${counted(deleted.length, 'file')}, ${amount(bytes, 'bytes')}.\n`)
    if (undoBytes > 0)
      process.stdout.write(`What the last imports replaced needs ${amount(undoBytes, 'bytes')}.\n`)
    if (keptBytes > 0) process.stdout.write(`Kept snapshots alone need ${amount(keptBytes, 'bytes')}.\n`)
    return 0
  },
}
