import { compact } from '../../lake/maintain/compact.ts'
import { assertOnlyFlags } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

export const compactCommand: Command = {
  name: 'compact',
  usage: '[flags]',
  details: 'The rows do not change. The merged files remain until vacuum deletes them.',
  examples: ['tapehouse compact --lake data/lake'],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    assertOnlyFlags(compactCommand, positionals)
    const { merged, snapshot } = await withWriter(settings, settings.lake, compact)
    for (const { dataset, partition, from } of merged) {
      process.stdout.write(`${dataset} ${partition} from ${counted(from.length, 'partition')}\n`)
    }
    process.stdout.write(
      merged.length === 0
        ? `Nothing to merge: snapshot ${snapshot} is unchanged.\n`
        : `Snapshot ${snapshot}.\n`,
    )
    return 0
  },
}
