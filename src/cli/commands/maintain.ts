import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { audit } from '../../lake/audit/audit.ts'
import { type Derived, derive, together } from '../../lake/derive/derive.ts'
import { withDraft } from '../../lake/land/draft.ts'
import { compact } from '../../lake/maintain/compact.ts'
import { applyRetention } from '../../lake/maintain/retention.ts'
import { vacuum } from '../../lake/maintain/vacuum.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { lakeFolder } from '../../lake/store/layout.ts'
import { assertOnlyFlags } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { stepRuns } from '../command/step-runs.ts'
import { amount, counted } from '../terminal/terminal.ts'
import { retentionLine } from './retain.ts'
import { VACUUM_FLAGS, vacuumOptions } from './vacuum.ts'

type Step = (writer: Writer, lake: string, observe: Observe) => Promise<string>

export const maintain: Command = {
  name: 'maintain',
  usage: '[--keep N] [--undo N] [--grace MINUTES] [--metrics-file FILE]',
  details:
    'Applies the retention rules, derives what is stale, compacts, vacuums and audits, in this order, and prints a line for each. Made to run regularly, beside a server too: see tapehouse retain, derive, compact, vacuum and audit. A step that fails ends it, and the steps before it stay.',
  examples: ['tapehouse maintain --lake data/lake'],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    ...VACUUM_FLAGS,
    'metrics-file': {
      value: 'FILE',
      help: 'Write the outcome and the time of each step to this file, for the textfile collector of node_exporter, also if a step fails.',
    },
  },
  run: async ({ positionals, settings, flags }) => {
    assertOnlyFlags(maintain, positionals)
    const options = vacuumOptions(maintain, flags)
    const lake = lakeFolder(settings.lake)
    const run = stepRuns(flags['metrics-file']?.[0])
    const steps: Readonly<Record<string, Step>> = {
      ...STEPS_BEFORE,
      vacuum: async (_writer, folder) => {
        const { deleted, bytes, keptBytes } = await vacuum(folder, options)
        const kept = keptBytes > 0 ? `; kept snapshots alone need ${amount(keptBytes, 'bytes')}` : ''
        return `Deleted ${counted(deleted.length, 'file')}, ${amount(bytes, 'bytes')}${kept}.\n`
      },
      audit: async (writer, folder, observe) => {
        const { found } = await audit(writer, folder, observe)
        const findings = found.reduce((sum, each) => sum + each.findings, 0)
        return findings === 0 ? 'No findings.\n' : `${counted(findings, 'finding')}: run "tapehouse audit".\n`
      },
    }
    try {
      await run.step('open', () => currentNumber(lake))
      for (const [name, step] of Object.entries(steps)) {
        const line = await run.step(name, () => withWriter(settings, lake, step))
        process.stdout.write(`${`${name}:`.padEnd(9)}${line}`)
      }
    } finally {
      run.write()
    }
    return 0
  },
}

const STEPS_BEFORE: Readonly<Record<string, Step>> = {
  retain: async (...each) => retentionLine(await applyRetention(...each)),
  derive: async (writer, lake, observe) => {
    let derived: Derived[] = []
    const snapshot = await withDraft(writer, lake, observe, async draft => {
      derived = together(derived, await derive(draft))
      return draft.publish({ made_by: 'derive' })
    })
    const days = derived.reduce((sum, { computed, dropped }) => sum + computed.length + dropped.length, 0)
    return days === 0 ? 'Nothing to derive.\n' : `${counted(days, 'day')} derived: snapshot ${snapshot}.\n`
  },
  compact: async (writer, lake, observe) => {
    const { merged, snapshot } = await compact(writer, lake, observe)
    return merged.length === 0
      ? 'Nothing to merge.\n'
      : `${counted(merged.length, 'partition')} made of smaller ones: snapshot ${snapshot}.\n`
  },
}
