import { resolve } from 'node:path'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Verification, verify } from '../../lake/maintain/verify.ts'
import { type NeededImports, neededImports, type Repair, repair } from '../../lake/repair/repair.ts'
import { assertOnlyFlags, usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { printable } from '../terminal/printable.ts'
import { count, counted } from '../terminal/terminal.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[--repair [--from FOLDER]] [flags]',
  details:
    'Compares the size, checksum, columns, rows, dates and key ranges of each file with the snapshot. Prints the number of rows and a checksum of each dataset; the checksum does not depend on the order of rows or on files. Lists derived days whose sources have changed. With --repair, damaged derived files are computed again, damaged files that a copy of the lake has are restored from it, and the lake is verified again; of the others, it names the inputs to import again. A running server serves repaired files without a restart. The exit code is 1 if a problem is left.',
  examples: [
    'tapehouse verify --lake data/lake',
    'tapehouse verify --repair --from /backup/lake --lake data/lake',
  ],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    repair: { help: 'Repair what can be repaired. Files that are right are not changed.' },
    from: {
      value: 'FOLDER',
      help: 'With --repair: another copy of the lake, such as a backup, to restore damaged files from. A file of it is used only if it has the sha256 that this lake states.',
    },
  },
  run: async ({ positionals, settings, flags }) => {
    assertOnlyFlags(verifyCommand, positionals)
    const [from = null] = flags.from ?? []
    const repairs = flags.repair !== undefined && flags.repair.length > 0
    if (from !== null && !repairs)
      throw usage(verifyCommand, '--from has no effect without --repair: add --repair')
    const work = repairs ? repaired(from) : verifyOnly
    const { verification, repair: done, needed } = await withWriter(settings, settings.lake, work)
    if (done !== null) process.stdout.write(linesOfRepair(done, from ?? ''))
    const { files, problems, snapshot, stale } = verification
    for (const { file, problem } of problems) process.stderr.write(`${file}: ${problem}\n`)
    if (problems.length > 0) {
      const problem = `snapshot ${snapshot} has ${counted(problems.length, 'problem')}`
      process.stderr.write(`tapehouse: ${problem}${repairs ? '' : ADVICE}\n`)
      process.stderr.write(needed.map(each => linesOfNeeded(each, settings.lake)).join(''))
      return 1
    }
    process.stdout.write(linesOf(verification))
    for (const [dataset, days] of stale)
      process.stderr.write(
        `stale: ${dataset}, ${counted(days.length, 'day')} from ${days[0]} to ${days.at(-1)}\n`,
      )
    if (stale.size > 0) {
      process.stderr.write('tapehouse: the sources of stale days have changed: run "tapehouse derive"\n')
      return 1
    }
    process.stdout.write(`Snapshot ${snapshot}: ${counted(files, 'file')} verified.\n`)
    return 0
  },
}

const ADVICE =
  ': run "tapehouse verify --repair", with "--from FOLDER" if you have another copy of the lake, such as a backup'

interface Outcome {
  readonly verification: Verification
  /** Null if there was nothing to repair. */
  readonly repair: Repair | null
  readonly needed: readonly NeededImports[]
}

async function verifyOnly(writer: Writer, lake: string, observe: Observe): Promise<Outcome> {
  return { verification: await verify(writer, lake, observe), repair: null, needed: [] }
}

const repaired =
  (from: string | null) =>
  async (writer: Writer, lake: string, observe: Observe): Promise<Outcome> => {
    const found = await verify(writer, lake, observe)
    if (found.problems.length === 0) return { verification: found, repair: null, needed: [] }
    const done = await repair(writer, lake, found, from === null ? null : resolve(from), observe)
    const isSame = done.restored.length === 0 && done.derived.length === 0
    const verification = isSame ? found : await verify(writer, lake, observe)
    return { verification, repair: done, needed: await neededImports(lake, verification) }
  }

function linesOfRepair({ restored, derived, snapshot }: Repair, from: string): string {
  const days = derived.map(
    ({ dataset, computed }) => `${dataset}: ${counted(computed.length, 'day')} computed again\n`,
  )
  return [
    ...restored.map(name => `restored from ${printable(from)}: ${name}\n`),
    ...days,
    ...(days.length > 0 ? [`Snapshot ${snapshot}.\n`] : []),
  ].join('')
}

/** What to do about damaged files that were imported. */
function linesOfNeeded({ dataset, files, inputs }: NeededImports, lake: string): string {
  const damaged = `${counted(files.length, 'file')} of ${dataset}`
  if (inputs === null)
    return `${damaged} can only be restored from another copy of the lake, because a manifest is lost: name it with --from\n`
  const lines = inputs.map(({ input, file }) =>
    file === null
      ? `  a file of which the lake has no name, with the input hash ${input}\n`
      : `  tapehouse import ${printable(formatArgument(file.format))} ${printable(file.name)}: sha256 ${file.sha256}, imported at ${file.time}\n`,
  )
  return `${damaged} can be restored from another copy of the lake, or made again: import these files, in this order, into a new lake NEW, then run "tapehouse verify --repair --from NEW --lake ${printable(lake)}"\n${lines.join('')}`
}

/** `csv-daily_bars` is the format of `tapehouse import csv daily_bars`. */
const formatArgument = (format: string) => format.replace(/^(csv|ndjson|parquet)-/, '$1 ')

/** One line per dataset with its rows and checksum. */
function linesOf({ datasets }: Verification): string {
  const [names, rows] = [datasets.map(({ dataset }) => dataset), datasets.map(each => count(each.rows))]
  const width = (texts: readonly string[]) => Math.max(0, ...texts.map(text => text.length))
  return datasets
    .map(
      ({ dataset, checksum }, index) =>
        `${dataset.padEnd(width(names))}  ${(rows[index] ?? '').padStart(width(rows))} rows  ${checksum}\n`,
    )
    .join('')
}
