import { literal, text } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { resources, version } from '../../engine/resources.ts'
import type { Writer } from '../../engine/writer.ts'
import { derive } from '../derive/derive.ts'
import { type Draft, withDraft } from '../land/draft.ts'
import { land, landMade, ROWS_AT_ONCE } from '../land/land.ts'
import { sha256Of } from '../store/content.ts'
import { readCurrent } from '../store/current.ts'
import { dataset, datasets } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import { Backlog, shareOut } from '../store/lanes.ts'
import { lakeFolder } from '../store/layout.ts'
import { type Made, writeMade } from '../store/made-files.ts'
import { partitionOf } from '../store/partition.ts'
import { requireRecord } from '../store/record.ts'
import {
  dropMarket,
  generateSpan,
  generateStocks,
  type Market,
  type MarketOptions,
  prepareMarket,
  type Take,
} from './market.ts'
import { generateOptions } from './options.ts'
import { REFERENCE_STEPS } from './reference.ts'
import { SPAN_STEPS, STOCK_STEPS } from './steps.ts'

/** Minute bars per ticker and session. */
const MINUTES_A_DAY = 390

/** The result of `generate`. */
export interface Generated {
  /** The published snapshot. */
  readonly snapshot: number
  /** Rows by dataset, without derived datasets. */
  readonly rows: ReadonlyMap<string, number>
  /** First and last session with option trades. */
  readonly from: string
  readonly to: string
}

/** Whether the lake's current snapshot is what `generate` would now produce with these options. */
export async function isGenerated(lake: string, options: MarketOptions): Promise<boolean> {
  const folder = lakeFolder(lake)
  const number = await readCurrent(folder)
  return number !== null && (await requireRecord(folder, number)).generated === generatorOf(options)
}

/** The hash of everything that the generated rows depend on: the options, the SQL of this version, and the schemas. */
function generatorOf(options: MarketOptions): string {
  const sql = resources.list('sql/generate').map(name => resources.read(`sql/generate/${name}`))
  const schemas = [...datasets().values()].map(({ name, schemaHash }) => `${name} ${schemaHash}`)
  const derived = [...derivations().values()].map(({ hash }) => hash)
  return sha256Of(
    [version(), JSON.stringify(Object.entries(options).toSorted()), ...sql, ...schemas, ...derived].join(
      '\n',
    ),
  )
}

/**
 * Generates a synthetic market and everything derived from it, and publishes it as one snapshot that replaces all
 * earlier generated data. Works on `lanes` connections concurrently, each of which keeps a core busy; with one, the
 * steps run one after the other. Rejects with usage if an option is out of bounds or the lake holds imported data, and
 * with the failures of `land`.
 */
export async function generate(
  writer: Writer,
  lake: string,
  options: MarketOptions,
  observe: Observe,
  lanes = 2,
): Promise<Generated> {
  const work = async (draft: Draft): Promise<Generated> => {
    if (draft.base.record !== null && draft.base.record.generated === undefined)
      throw new Failure('usage', `${lake} holds imported data: generate into another folder`)
    const open: Writer[] = []
    const besides = async (count: number) => {
      const from = open.length
      while (open.length < from + count) open.push(await writer.beside())
      return open.slice(from)
    }
    try {
      const helpers = await besides(lanes - 1)
      const background = await besides(lanes - 1)
      const made = await make(draft, { helpers, background }, options)
      const making = { made_by: 'generate', generated: generatorOf(options), closed: made.to }
      const snapshot = await draft.publish(making)
      return { snapshot, ...made }
    } finally {
      for (const each of open) each.close()
    }
  }
  return withDraft(writer, lake, observe, work, { startEmpty: true })
}

/** Connections in addition to the writer's own; empty if the steps run one after the other. */
interface Connections {
  /** For steps in any order, such as the portions of a day. */
  readonly helpers: readonly Writer[]
  /** For datasets other than options, and for derivations from one day while the next is generated. */
  readonly background: readonly Writer[]
}

/** Generates all rows of a market in a draft. */
async function make(
  draft: Draft,
  { helpers, background }: Connections,
  options: MarketOptions,
): Promise<Omit<Generated, 'snapshot'>> {
  const { writer, observe } = draft
  const market = await prepareMarket(writer, options)
  const rows = new Map<string, number>()
  const count: Count = (name, landed) => rows.set(name, (rows.get(name) ?? 0) + landed)
  const report = (done: number) =>
    observe({ kind: 'progress', task: 'generate', done, total: market.days.length, unit: 'days' })
  report(0)
  // Only the days are reported as progress.
  const silent = (connection: Writer): Draft => ({ ...draft.through(connection), observe: () => {} })
  const maker = silent(writer)
  await generateDays(maker, helpers, background.map(silent), market, count, report)
  await dropMarket(writer)
  await shareOut([maker, ...helpers.map(silent)], SEPARATE, async (lane, dataset) => {
    await derive(lane, { datasets: [dataset] })
  })
  await derive(draft)
  return { rows, from: market.days[0] ?? market.to, to: market.to }
}

/** Adds to the number of rows of a dataset. */
type Count = (dataset: string, rows: number) => void

/** Derived datasets that no other dataset of the list reads, the slowest first. */
const SEPARATE = [
  'option_volatility_days',
  'price_levels',
  'institution_totals',
  'fec_companies',
  'option_ticker_days',
]

/** Independent tasks for all datasets other than options, the slowest first. */
function spanWork(market: Market): ((lane: Draft, count: Count) => Promise<void>)[] {
  const spans = [...SPAN_STEPS, ...REFERENCE_STEPS].map(
    step => (lane: Draft, count: Count) =>
      generateSpan(lane.writer, market, (...rows) => landTable(lane, count, ...rows), [step]),
  )
  const daysAtOnce = Math.max(1, Math.floor(ROWS_AT_ONCE / (market.options.tickers * MINUTES_A_DAY)))
  const stocks = STOCK_STEPS.flatMap(step =>
    chunksOf(market.days, daysAtOnce).map(
      days => (lane: Draft, count: Count) =>
        generateStocks(lane.writer, market, days[0] ?? '', (...rows) => landTable(lane, count, ...rows), {
          to: days.at(-1) ?? '',
          steps: [step],
        }),
    ),
  )
  return [...stocks, ...spans]
}

/** Datasets that are derived only from a day's trades. */
const FROM_TRADES = ['chain_frags', 'multi_leg_legs']

/** Tasks that may be queued while a day is generated: those of one day, so that memory holds only its rows. */
const WAITING_MAX = 2 + FROM_TRADES.length

/**
 * Generates all days. `maker` generates the options, day by day, with `helpers` for portions of trades. Meanwhile the
 * `background` drafts generate all other datasets and derive from the finished days. If too many of these tasks are
 * queued, and at the end, `maker` runs them too.
 */
async function generateDays(
  maker: Draft,
  helpers: readonly Writer[],
  background: readonly Draft[],
  market: Market,
  count: Count,
  report: (done: number) => void,
): Promise<void> {
  const backlog = new Backlog(background)
  const trades = dataset('option_trades')
  try {
    const spans = spanWork(market).map(work => backlog.add(lane => work(lane, count)))
    let former = backlog.add(async lane => {
      await Promise.all(spans.map(({ done }) => done))
      // The days of flow_alerts build on the contracts of the warm-up.
      await derive(lane, { datasets: ['stock_days', 'contract_days'] })
    })
    for (const [index, day] of market.days.entries()) {
      const made: Parameters<Take>[] = []
      const files: Made[] = []
      const partition = partitionOf('day', day)
      await generateOptions(
        maker.writer,
        market,
        day,
        async (...rows) => {
          made.push(rows)
        },
        async (writer, rows, portion) => {
          const written = await writeMade(writer, maker.base.staging, trades, partition, rows)
          files[portion] = written
          return `read_parquet([${written.staged.map(({ path }) => literal(text(path))).join(', ')}])`
        },
        helpers,
      )
      count(trades.name, await landMade(maker, trades, partition, Object.values(files)))
      const landed = backlog.add(async lane => {
        for (const rows of made) await landTable(lane, count, ...rows)
      })
      // A day of flow_alerts also derives the day's contracts, which build on those of the day before.
      const before = former
      former = backlog.add(async lane => {
        await Promise.all([before.done, landed.done])
        await derive(lane, { datasets: ['flow_alerts'], date: day })
      })
      for (const name of FROM_TRADES)
        backlog.add(async lane => {
          await derive(lane, { datasets: [name], date: day })
        })
      await backlog.reduce(maker, background.length === 0 ? 0 : WAITING_MAX)
      report(index + 1)
    }
    await backlog.reduce(maker, 0)
    await backlog.done()
  } finally {
    await backlog.abandon()
  }
}

/** Lands the rows of a table and drops it. */
async function landTable(
  draft: Draft,
  count: Count,
  ...[name, table, isInOrder]: Parameters<Take>
): Promise<void> {
  const { writer } = draft
  await writer.run('DROP TABLE IF EXISTS incoming')
  await writer.run(`CREATE TEMP VIEW incoming AS FROM ${table}`)
  const { rows } = await land(draft, dataset(name), [], isInOrder ? { inOrder: table } : {})
  await writer.run('DROP VIEW incoming')
  await writer.run(`DROP TABLE ${table}`)
  count(name, rows)
}

/** Consecutive items in groups of `size`; the last may be smaller. */
const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
