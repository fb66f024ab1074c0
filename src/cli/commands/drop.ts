import { suggestion } from '../../engine/nearest-name.ts'
import type { Writer } from '../../engine/writer.ts'
import {
  assertDroppable,
  assertImported,
  countSelected,
  drop,
  dropFromKept,
} from '../../lake/maintain/drop.ts'
import type { DropSelection } from '../../lake/maintain/selection.ts'
import { manifestsOf } from '../../lake/publish/base.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { datasets } from '../../lake/store/datasets.ts'
import { lakeFolder, pathOf } from '../../lake/store/layout.ts'
import { requireRecord } from '../../lake/store/record.ts'
import { isValidDate } from '../../market/day.ts'
import { ticker } from '../../operations/parameters/market.ts'
import { sentence } from '../../operations/parameters/problem.ts'
import { usage } from '../command/arguments.ts'
import type { Arguments, Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { confirmed } from '../terminal/confirm.ts'
import { count, counted } from '../terminal/terminal.ts'

export const dropCommand: Command = {
  name: 'drop',
  usage: 'DATASET [--tickers A,B] [--before YYYY-MM-DD] [--kept] [--yes]',
  details:
    'Deletes rows of an imported dataset, or adopted days of a derived one, and derives again what depends on them, as one new snapshot. Asks first; without a terminal it requires --yes. Earlier snapshots keep the rows until vacuum deletes them, and snapshots that are kept by a name keep them until they are released, unless --kept deletes them there too. Importing the same files again does not bring the rows back, unless with --force: tapehouse snapshot restore does.',
  examples: [
    'tapehouse drop option_trades --before 2024-01-01 --lake data/lake',
    'tapehouse drop daily_bars --tickers ACME,BRASS --yes',
  ],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    tickers: {
      value: 'A,B',
      help: 'Only rows of these tickers, as they are stored. Default: of all tickers.',
    },
    before: { value: 'YYYY-MM-DD', help: 'Only rows before this date. Default: of all dates.' },
    kept: { help: 'Also from the snapshots that are kept by a name, so that vacuum deletes the files.' },
    yes: { help: 'Do not ask.' },
  },
  run: async parsed => {
    const selection = selectionOf(parsed)
    const { dataset } = selection
    assertDroppable(selection)
    const lake = lakeFolder(parsed.settings.lake)
    await currentNumber(lake)
    return withWriter(parsed.settings, lake, async (writer, folder, observe) => {
      const kept = parsed.flags.kept?.length === 1
      const { selected, rows, others } = await selectedRows(writer, folder, selection)
      if (selected === 0) assertImported(dataset)
      if (selected === 0 && !kept) {
        process.stdout.write(`Nothing to drop: ${dataset.name} has no such rows.\n`)
        return 0
      }
      const left = rows - selected
      const rest = others.length > 0 ? others.join(', ') : 'no rows at all'
      const intent = `${counted(selected, 'row')} of ${dataset.name} (${left > 0 ? `${count(left)} are left` : `all that it has; the lake is left with ${rest}`})${kept ? ', and these rows of the kept snapshots' : ''}`
      const answer = parsed.flags.yes?.length ? true : await confirmed(`Drop ${intent}?`)
      if (answer === null) throw usage(dropCommand, `this drops ${intent}: confirm it with --yes`)
      if (!answer) {
        process.stderr.write('Nothing was dropped.\n')
        return 1
      }
      const made = ['drop', dataset.name, ...argumentsOf(selection)].join(' ')
      const { snapshot, rows: dropped } = await drop(writer, folder, [selection], made, observe)
      process.stdout.write(`Dropped ${counted(dropped, 'row')} of ${dataset.name}: snapshot ${snapshot}.\n`)
      if (kept) {
        const numbers = await dropFromKept(writer, folder, [selection], made, observe)
        process.stdout.write(`Dropped them from ${counted(numbers.length, 'kept snapshot')} too.\n`)
      }
      return 0
    })
  },
}

const TICKER = ticker('Ticker.')

function selectionOf({ positionals: [name, ...more], flags }: Arguments): DropSelection {
  const names = [...datasets().keys()]
  if (name === undefined || more.length > 0) throw usage(dropCommand, 'specify one dataset')
  const dataset = datasets().get(name)
  if (dataset === undefined)
    throw usage(dropCommand, `unknown dataset ${JSON.stringify(name)}: ${suggestion(name, names)}`)
  const [before = null] = flags.before ?? []
  if (before !== null && !isValidDate(before))
    throw usage(dropCommand, `--before must be a date such as 2024-12-31, not ${JSON.stringify(before)}`)
  const tickers = flags.tickers?.[0]?.split(',').map(text => {
    const parsed = TICKER.parse([text.trim()])
    if ('problems' in parsed)
      throw usage(dropCommand, `--tickers ${parsed.problems.map(sentence).join(' and ')}`)
    if (parsed.value === null) throw usage(dropCommand, '--tickers must not be empty')
    // The stored form, not that of requests: earlier versions stored the tickers of vendors, such as BRK-B.
    return text.trim().toUpperCase()
  })
  return { dataset, tickers: tickers ?? null, before }
}

const argumentsOf = ({ tickers, before }: DropSelection) => [
  ...(tickers === null ? [] : ['--tickers', tickers.join(',')]),
  ...(before === null ? [] : ['--before', before]),
]

/** The number of selected rows and of all rows of the dataset, and the other datasets of the lake. */
async function selectedRows(writer: Writer, lake: string, selection: DropSelection) {
  const record = await requireRecord(lake, await currentNumber(lake))
  const manifests = await manifestsOf(lake, record, selection.dataset)
  const counts = await countSelected(writer, ({ name }) => pathOf(lake, name), manifests, selection)
  const others = Object.entries(record.datasets)
    .filter(([name, { partitions }]) => name !== selection.dataset.name && Object.keys(partitions).length > 0)
    .map(([name]) => name)
  return { ...counts, others }
}
