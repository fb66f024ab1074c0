import { suggestion } from '../../engine/nearest-name.ts'
import { applyRetention, retentionRules, setRetention } from '../../lake/maintain/retention.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { datasets } from '../../lake/store/datasets.ts'
import { lakeFolder } from '../../lake/store/layout.ts'
import { usage } from '../command/arguments.ts'
import type { Arguments, Command } from '../command/command.ts'
import { LIST_FLAG, listFormatOf } from '../command/list-format.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { listJson, listText } from '../terminal/records.ts'
import { counted } from '../terminal/terminal.ts'

export const retain: Command = {
  name: 'retain',
  usage: '[DATASET DAYSd | DATASET off] [--apply]',
  details:
    'Sets how long the lake holds the rows of an imported dataset: 400d keeps the days from 400 calendar days before its last date. The rule is stored in the lake. tapehouse maintain and --apply delete what the rules do not keep, as one new snapshot. Earlier snapshots keep the rows until vacuum deletes them; snapshots that are kept by a name keep them. Without arguments, lists the rules.',
  examples: [
    'tapehouse retain option_trades 400d --lake data/lake',
    'tapehouse retain option_trades off',
    'tapehouse retain --apply',
  ],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: { apply: { help: 'Delete now what the rules do not keep.' }, ...LIST_FLAG },
  run: async parsed => {
    const { positionals, settings, flags } = parsed
    const lake = lakeFolder(settings.lake)
    await currentNumber(lake)
    if (positionals.length > 0) {
      const { dataset, days } = ruleOf(parsed)
      await setRetention(lake, dataset, days)
      process.stdout.write(
        days === null
          ? `${dataset.name}: all days are kept.\n`
          : `${dataset.name}: ${counted(days, 'day')} before its last date are kept.\n`,
      )
    }
    if (flags.apply?.length)
      process.stdout.write(
        await withWriter(settings, lake, async (writer, folder, observe) =>
          retentionLine(await applyRetention(writer, folder, observe)),
        ),
      )
    else if (positionals.length === 0) {
      const format = listFormatOf(retain, flags)
      const rules = (await retentionRules(lake)).map(rule => ({ ...rule }))
      process.stdout.write(format === 'json' ? listJson(rules) : listText(rules, format))
    }
    return 0
  },
}

/** The line that reports what the retention rules have deleted. */
export function retentionLine(dropped: Awaited<ReturnType<typeof applyRetention>>): string {
  if (dropped === null) return 'No retention rules.\n'
  const { rows, snapshot } = dropped
  return rows === 0
    ? `Nothing to drop: snapshot ${snapshot} is unchanged.\n`
    : `Dropped ${counted(rows, 'row')}: snapshot ${snapshot}.\n`
}

function ruleOf({ positionals: [name = '', period, ...more] }: Arguments) {
  const dataset = datasets().get(name)
  if (dataset === undefined)
    throw usage(
      retain,
      `unknown dataset ${JSON.stringify(name)}: ${suggestion(name, [...datasets().keys()])}`,
    )
  if (period === undefined || more.length > 0)
    throw usage(retain, 'specify a dataset and a period such as 400d')
  const days = /^([1-9]\d{0,5})d$/.exec(period)?.[1]
  if (days === undefined && period !== 'off')
    throw usage(
      retain,
      `the period must be a number of days such as 400d, or off, not ${JSON.stringify(period)}`,
    )
  return { dataset, days: days === undefined ? null : Number(days) }
}
