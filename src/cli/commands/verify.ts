import { type Verification, verify } from '../../lake/maintain/verify.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter } from '../command/maintenance.ts'
import { count, counted } from '../terminal/terminal.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[flags]',
  details:
    'Compares bytes, checksum, columns, rows, dates and key ranges with what the snapshot says, prints the rows and a checksum of each dataset (equal for equal rows, whatever their order and files), and names derived days whose sources changed since. Exit code 1 if anything is wrong.',
  examples: ['tapehouse verify --lake data/lake'],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    if (positionals.length > 0)
      throw usage(verifyCommand, `verify takes no argument such as ${JSON.stringify(positionals[0])}`)
    const verification = await withWriter(settings, settings.lake, verify)
    const { files, problems, snapshot, stale } = verification
    for (const { file, problem } of problems) process.stderr.write(`${file}: ${problem}\n`)
    if (problems.length > 0) {
      process.stderr.write(
        `tapehouse: snapshot ${snapshot} has ${counted(problems.length, 'problem')}: restore these files from a backup, or import their data again (of derived datasets: remove them and run "tapehouse derive")\n`,
      )
      return 1
    }
    process.stdout.write(linesOf(verification))
    for (const [dataset, days] of stale)
      process.stderr.write(
        `stale: ${dataset}, ${counted(days.length, 'day')} from ${days[0]} to ${days.at(-1)}\n`,
      )
    if (stale.size > 0) {
      process.stderr.write('tapehouse: what they are derived from has changed: run "tapehouse derive"\n')
      return 1
    }
    process.stdout.write(`Snapshot ${snapshot}: ${counted(files, 'file')} as they should be.\n`)
    return 0
  },
}

/** A line a dataset: its rows and checksum. */
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
