import { suggestion } from '../../engine/nearest-name.ts'
import { type Derived, derive, together } from '../../lake/derive/derive.ts'
import { withDraft } from '../../lake/land/draft.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { derivations } from '../../lake/store/derivation.ts'
import { lakeFolder } from '../../lake/store/layout.ts'
import { isValidDate } from '../../market/day.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

const names = [...derivations().keys()]

export const deriveCommand: Command = {
  name: 'derive',
  usage: '[dataset…] [flags]',
  details: `Datasets: ${names.join(', ')}. Default: all. The derived sources of a dataset are included. Only days whose sources or template have changed are computed. The result is published as one snapshot. Imports derive automatically.`,
  examples: ['tapehouse derive --lake data/lake', 'tapehouse derive contract_days --date 2024-12-31'],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    date: { value: 'YYYY-MM-DD', help: 'Derive only this date.' },
    afresh: { help: 'Compute every day, even if nothing has changed.' },
  },
  run: async ({ positionals, settings, flags }) => {
    const unknown = positionals.find(name => !names.includes(name))
    if (unknown !== undefined)
      throw usage(
        deriveCommand,
        `unknown derived dataset ${JSON.stringify(unknown)}: ${suggestion(unknown, names)}`,
      )
    const [date] = flags.date ?? []
    if (date !== undefined && !isValidDate(date))
      throw usage(deriveCommand, `--date must be a date such as 2024-12-31, not ${JSON.stringify(date)}`)
    const afresh = flags.afresh?.length === 1
    const datasets = positionals.length > 0 ? positionals : undefined
    const { derived, snapshot } = await withWriter(settings, settings.lake, async (writer, lake, observe) => {
      await currentNumber(lakeFolder(lake))
      let derived: Derived[] = []
      return withDraft(writer, lake, observe, async draft => {
        // Days that a first attempt has computed afresh are not computed again, unless their inputs have changed.
        const options = { datasets, date, afresh: afresh && draft.isAnew }
        derived = together(derived, await derive(draft, options))
        return { derived, snapshot: await draft.publish({ made_by: ['derive', ...positionals].join(' ') }) }
      })
    })
    for (const { dataset, computed, dropped } of derived) {
      const removed =
        dropped.length > 0 ? `, ${counted(dropped.length, 'day')} removed with their sources` : ''
      process.stdout.write(`${dataset}: ${counted(computed.length, 'day')} computed${removed}\n`)
    }
    process.stdout.write(
      derived.length > 0
        ? `Snapshot ${snapshot}.\n`
        : `Nothing to derive: snapshot ${snapshot} is unchanged.\n`,
    )
    return 0
  },
}
