import { adopt } from '../../lake/adopt/adopt.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

export const adoptCommand: Command = {
  name: 'adopt',
  usage: '<folder> [--dataset NAME]',
  details:
    'The files stay in place. Files with other column types, and files whose partition column is only in a folder name, are rewritten to new files. The name of the first folder below <folder> is the dataset, unless --dataset specifies it.',
  examples: ['tapehouse adopt /data/bars --dataset daily_bars', 'tapehouse serve --lake /data/bars'],
  defaults: writerDefaults,
  settings: ['memoryMib', 'threads'],
  flags: { dataset: { value: 'NAME', help: 'Dataset of all files.' } },
  run: async ({ positionals, settings, flags }) => {
    const [folder, ...more] = positionals
    if (folder === undefined || more.length > 0)
      throw usage(adoptCommand, 'adopt requires exactly one folder')
    const [dataset] = flags.dataset ?? []
    const adopted = await withWriter(settings, folder, (writer, lake, observe) =>
      adopt(writer, lake, dataset === undefined ? {} : { dataset }, observe),
    )
    const { snapshot, rows, rewritten, ignored } = adopted
    for (const file of ignored)
      process.stderr.write(
        `note: ${file} is ignored: it has no rows or no known dataset, or an interrupted adopt left it\n`,
      )
    const changed = rewritten.length > 0 ? `, ${counted(rewritten.length, 'file')} of them rewritten` : ''
    const files = adopted.adopted.length + rewritten.length
    process.stdout.write(
      `Adopted ${counted(files, 'file')} with ${counted(rows, 'row')}${changed}: snapshot ${snapshot}.\n`,
    )
    return 0
  },
}
