import { type Verification, verify } from '../../lake/maintain/verify.ts'
import { assertOnlyFlags } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { count, counted } from '../terminal/terminal.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[flags]',
  details:
    'Compares the size, checksum, columns, rows, dates and key ranges of each file with the snapshot. Prints the number of rows and a checksum of each dataset; the checksum does not depend on the order of rows or on files. Lists derived days whose sources have changed. The exit code is 1 if it finds a problem.',
  examples: ['tapehouse verify --lake data/lake'],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    assertOnlyFlags(verifyCommand, positionals)
    const verification = await withWriter(settings, settings.lake, verify)
    const { files, problems, snapshot, stale } = verification
    for (const { file, problem } of problems) process.stderr.write(`${file}: ${problem}\n`)
    if (problems.length > 0) {
      process.stderr.write(
        `tapehouse: snapshot ${snapshot} has ${counted(problems.length, 'problem')}: restore these files from a backup, or import their data again (derived datasets: delete the files and run "tapehouse derive")\n`,
      )
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
