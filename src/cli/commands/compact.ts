import { compact } from '../../lake/maintain/compact.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

export const compactCommand: Command = {
  name: 'compact',
  usage: '[flags]',
  details: 'The rows stay as they are. The former files stay until vacuum deletes them.',
  examples: ['tapehouse compact --lake data/lake'],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    if (positionals.length > 0)
      throw usage(compactCommand, `compact takes no argument such as ${JSON.stringify(positionals[0])}`)
    const { merged, snapshot } = await withWriter(settings, settings.lake, compact)
    for (const { dataset, partition, from } of merged) {
      process.stdout.write(`${dataset} ${partition} from ${counted(from.length, 'partition')}\n`)
    }
    process.stdout.write(
      merged.length === 0
        ? `Nothing to fold: snapshot ${snapshot} stays as it is.\n`
        : `Snapshot ${snapshot}.\n`,
    )
    return 0
  },
}
