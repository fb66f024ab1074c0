import { vacuum } from '../../lake/maintain/vacuum.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { amount, counted } from '../terminal/terminal.ts'

export const vacuumCommand: Command = {
  name: 'vacuum',
  usage: '[--keep N] [--grace MINUTES]',
  details:
    'Deletes only what tapehouse wrote. Requests under way finish on their snapshot as long as the grace period covers them.',
  examples: ['tapehouse vacuum --lake data/lake', 'tapehouse vacuum --lake data/lake --keep 1 --grace 0'],
  settings: ['lake'],
  flags: {
    keep: { value: 'N', default: '3', help: 'Snapshots that stay, the current one included.' },
    grace: { value: 'MINUTES', default: '60', help: 'What is younger than this stays.' },
  },
  run: async ({ positionals, settings, flags }) => {
    if (positionals.length > 0)
      throw usage(vacuumCommand, `vacuum takes no argument such as ${JSON.stringify(positionals[0])}`)
    const number = (name: 'keep' | 'grace', least: number) => {
      const text = flags[name]?.[0] ?? ''
      const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
      if (value >= least) return value
      throw usage(
        vacuumCommand,
        `--${name} must be a whole number from ${least}, not ${JSON.stringify(text)}`,
      )
    }
    const { deleted, bytes } = await vacuum(settings.lake, {
      snapshots: number('keep', 1),
      graceMs: number('grace', 0) * 60_000,
    })
    for (const file of deleted) process.stdout.write(`${file}\n`)
    process.stdout.write(`Deleted ${counted(deleted.length, 'file')}, ${amount(bytes, 'bytes')}.\n`)
    return 0
  },
}
