import { nearestName } from '../../engine/nearest-name.ts'
import { derive } from '../../lake/derive/derive.ts'
import { withDraft } from '../../lake/land/draft.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { derivations } from '../../lake/store/derivation.ts'
import { lakeFolder } from '../../lake/store/layout.ts'
import { isValidDate } from '../../market/day.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

const names = [...derivations().keys()]

export const deriveCommand: Command = {
  name: 'derive',
  usage: '[dataset…] [flags]',
  details: `Datasets: ${names.join(', ')}; all of them if none is named. A dataset is derived together with those that it is made from. Only days whose sources or whose template changed since are computed, and all of it is published as one snapshot. Imports do this by themselves.`,
  examples: ['tapehouse derive --lake data/lake', 'tapehouse derive contract_days --date 2024-12-31'],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    date: { value: 'YYYY-MM-DD', help: 'Only this day.' },
    afresh: { help: 'Compute every day anew, whether or not anything changed.' },
  },
  run: async ({ positionals, settings, flags }) => {
    const unknown = positionals.find(name => !names.includes(name))
    if (unknown !== undefined)
      throw usage(
        deriveCommand,
        `there is no derived dataset ${JSON.stringify(unknown)}: did you mean ${nearestName(unknown, names)}?`,
      )
    const [date] = flags.date ?? []
    if (date !== undefined && !isValidDate(date))
      throw usage(deriveCommand, `--date must be a day such as 2024-12-31, not ${JSON.stringify(date)}`)
    const afresh = flags.afresh?.length === 1
    const datasets = positionals.length > 0 ? positionals : undefined
    const { derived, snapshot } = await withWriter(settings, settings.lake, async (writer, lake, observe) => {
      await currentNumber(lakeFolder(lake))
      return withDraft(writer, lake, observe, async draft => ({
        derived: await derive(draft, { datasets, date, afresh }),
        snapshot: await draft.publish(),
      }))
    })
    for (const { dataset, computed, dropped } of derived) {
      const gone = dropped.length > 0 ? `, ${counted(dropped.length, 'day')} gone with their sources` : ''
      process.stdout.write(`${dataset}: ${counted(computed.length, 'day')} computed${gone}\n`)
    }
    process.stdout.write(
      derived.length > 0
        ? `Snapshot ${snapshot}.\n`
        : `Nothing to derive: snapshot ${snapshot} stays as it is.\n`,
    )
    return 0
  },
}
