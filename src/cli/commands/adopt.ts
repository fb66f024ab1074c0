import { adopt } from '../../lake/adopt/adopt.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

export const adoptCommand: Command = {
  name: 'adopt',
  usage: '<folder> [--dataset NAME]',
  details:
    'The files stay where they are; only those whose types differ, or whose partition column stands in a folder name alone, are written anew beside them. The first folder below <folder> names the dataset, unless --dataset does.',
  examples: ['tapehouse adopt /data/bars --dataset daily_bars', 'tapehouse serve --lake /data/bars'],
  settings: ['memoryMib', 'threads'],
  flags: { dataset: { value: 'NAME', help: 'The dataset that all files are of.' } },
  run: async ({ positionals, settings, flags }) => {
    const [folder, ...more] = positionals
    if (folder === undefined || more.length > 0) throw usage(adoptCommand, 'adopt needs one folder')
    const [dataset] = flags.dataset ?? []
    const adopted = await withWriter(settings, folder, (writer, lake, observe) =>
      adopt(writer, lake, dataset === undefined ? {} : { dataset }, observe),
    )
    const { snapshot, rows, rewritten, ignored } = adopted
    for (const file of ignored)
      process.stderr.write(
        `note: ${file} is not served: it has no rows, no known dataset, or was left by an adopt that was cut off\n`,
      )
    const anew = rewritten.length > 0 ? `, ${counted(rewritten.length, 'file')} of them written anew` : ''
    const files = adopted.adopted.length + rewritten.length
    process.stdout.write(
      `Adopted ${counted(files, 'file')} with ${counted(rows, 'row')}${anew}: snapshot ${snapshot}.\n`,
    )
    return 0
  },
}
