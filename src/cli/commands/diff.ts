import { diffSnapshots } from '../../lake/snapshots/diff.ts'
import { wholeSnapshot } from '../../lake/snapshots/named.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { lakeFolder } from '../../lake/store/layout.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { LIST_FLAG, listFormatOf } from '../command/list-format.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { listJson, listText } from '../terminal/records.ts'

export const diffCommand: Command = {
  name: 'diff',
  usage: 'N|NAME [N|NAME] [flags]',
  details:
    'Compares the rows of two snapshots, the second one by default the current one. Prints a line for each dataset and day that differs: rows that only the second snapshot has (added), that only the first one has (removed), and rows with the same key and other values (changed). Reads only the files of days whose checksums differ.',
  examples: ['tapehouse diff 11 12 --lake data/lake', 'tapehouse diff 2024-q1-report --format csv'],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: LIST_FLAG,
  run: async ({ positionals: [one, other, ...more], settings, flags }) => {
    if (one === undefined || more.length > 0) throw usage(diffCommand, 'specify one or two snapshots')
    const format = listFormatOf(diffCommand, flags)
    const lake = lakeFolder(settings.lake)
    const current = await currentNumber(lake)
    const before = await wholeSnapshot(lake, one)
    const after = other === undefined ? current : await wholeSnapshot(lake, other)
    const found = await withWriter(settings, lake, (writer, folder, observe) =>
      diffSnapshots(writer, folder, [before, after], observe),
    )
    const days = found.map(day => ({ ...day }))
    if (format === 'json') process.stdout.write(listJson(days))
    else if (days.length > 0) process.stdout.write(listText(days, format))
    else process.stderr.write(`Snapshots ${before} and ${after} have the same rows.\n`)
    return 0
  },
}
