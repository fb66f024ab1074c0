import { type Upgrade, upgradeLake } from '../../lake/maintain/upgrade.ts'
import { assertOnlyFlags } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

export const upgradeLakeCommand: Command = {
  name: 'upgrade-lake',
  usage: '[flags]',
  details:
    'Publishes a lake of an earlier version as one snapshot in the format of this version, and computes derived datasets again whose columns have changed. Deletes nothing: earlier snapshots can still be read. Does nothing if the lake is up to date.',
  examples: ['tapehouse upgrade-lake --lake data/lake'],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    assertOnlyFlags(upgradeLakeCommand, positionals)
    process.stdout.write(textOf(await withWriter(settings, settings.lake, upgradeLake)))
    return 0
  },
}

function textOf({ snapshot, datasets, kept }: Upgrade): string {
  if (datasets.length + kept.length === 0)
    return `The lake is up to date: snapshot ${snapshot} is unchanged.\n`
  const lines = datasets.map(({ dataset, carried, computed }) => {
    const parts = [
      ...(carried > 0 ? [`${counted(carried, 'file')} carried over`] : []),
      ...(computed > 0 ? [`${counted(computed, 'day')} computed again`] : []),
    ]
    return `${dataset}: ${parts.join(', ')}`
  })
  const amended = kept.map(name => `kept snapshot ${name}: derived datasets computed again`)
  return [...lines, ...amended, `Snapshot ${snapshot}.`, ''].join('\n')
}
