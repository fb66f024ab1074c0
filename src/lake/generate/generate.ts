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

/** Minute bars that a session makes of a ticker. */
const MINUTES_A_DAY = 390

/** What a generation made. */
export interface Generated {
  /** The lake's snapshot afterwards. */
  readonly snapshot: number
  /** Rows landed, derived ones not counted, by dataset. */
  readonly rows: ReadonlyMap<string, number>
  /** First and last session with option trades. */
  readonly from: string
  readonly to: string
}

/** Whether the lake's current snapshot is what `generate` would make of these options now. */
export async function isGenerated(lake: string, options: MarketOptions): Promise<boolean> {
  const folder = lakeFolder(lake)
  const number = await readCurrent(folder)
  return number !== null && (await requireRecord(folder, number)).generated === generatorOf(options)
}

/** What distinguishes a generation from any other: its options, the SQL of this version, and the columns it fills. */
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
 * Makes a synthetic market and everything derived from it, published as one snapshot in place of what a former
 * generation made. It works on `lanes` connections side by side, each of which keeps a core busy; with one, one thing
 * after the other. Rejects with usage where an option is out of its bounds or the lake holds imported data, and as
 * landing does.
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
      throw new Failure('usage', `${lake} holds imported data, which stays: name another folder`)
    const open: Writer[] = []
    const besides = async (count: number) => {
      const from = open.length
      while (open.length < from + count) open.push(await writer.beside())
      return open.slice(from)
    }
    try {
      const helpers = await besides(lanes - 1)
      const settlers = await besides(lanes - 1)
      const made = await make(draft, { helpers, settlers }, options)
      const snapshot = await draft.publish(generatorOf(options))
      return { snapshot, ...made }
    } finally {
      for (const each of open) each.close()
    }
  }
  return withDraft(writer, lake, observe, work, { afresh: true })
}

/** The connections beside the writer's own; none where everything is done one after the other. */
interface Crew {
  /** Help to make what can be made in any order, such as the portions of a day. */
  readonly helpers: readonly Writer[]
  /** Make what is made beside options, and derive from a day while the next is made. */
  readonly settlers: readonly Writer[]
}

/** Makes all rows of a market in a draft, through its own connection and those beside it. */
async function make(
  draft: Draft,
  { helpers, settlers }: Crew,
  options: MarketOptions,
): Promise<Omit<Generated, 'snapshot'>> {
  const { writer, observe } = draft
  const market = await prepareMarket(writer, options)
  const rows = new Map<string, number>()
  const count: Count = (name, landed) => rows.set(name, (rows.get(name) ?? 0) + landed)
  const report = (done: number) =>
    observe({ kind: 'progress', task: 'generate', done, total: market.days.length, unit: 'days' })
  report(0)
  // Only the days tell of the progress.
  const silent = (connection: Writer): Draft => ({ ...draft.through(connection), observe: () => {} })
  const maker = silent(writer)
  await generateDays(maker, helpers, settlers.map(silent), market, count, report)
  await dropMarket(writer)
  await shareOut([maker, ...helpers.map(silent)], SEPARATE, async (lane, dataset) => {
    await derive(lane, { datasets: [dataset] })
  })
  await derive(draft)
  return { rows, from: market.days[0] ?? market.to, to: market.to }
}

/** Takes notice of how many rows were landed. */
type Count = (dataset: string, rows: number) => void

/** Derived datasets that no other is made from, but for those that are at hand; what takes longest comes first. */
const SEPARATE = [
  'option_volatility_days',
  'price_levels',
  'institution_totals',
  'fec_companies',
  'option_ticker_days',
]

/** What is made beside options, in pieces that do not depend on each other; what takes longest comes first. */
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

/** What is derived from a day's trades alone. */
const FROM_TRADES = ['chain_frags', 'multi_leg_legs']

/** Pieces of work that may wait while a day is made: those of one day, so that only its rows are held in memory. */
const WAITING_MAX = 2 + FROM_TRADES.length

/**
 * Makes all days. The maker makes the options of one after the other, with help for their portions of trades. All that is
 * not options, and what each day of options feeds, is the work of the settlers meanwhile; where they fall behind, and at
 * the end, the maker works with them.
 */
async function generateDays(
  maker: Draft,
  helpers: readonly Writer[],
  settlers: readonly Draft[],
  market: Market,
  count: Count,
  report: (done: number) => void,
): Promise<void> {
  const backlog = new Backlog(settlers)
  const trades = dataset('option_trades')
  try {
    const spans = spanWork(market).map(work => backlog.add(lane => work(lane, count)))
    let former = backlog.add(async lane => {
      await Promise.all(spans.map(({ done }) => done))
      await derive(lane, { datasets: ['stock_days'] })
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
      // They bring along the day's contracts, which continue those of the day before.
      const before = former
      former = backlog.add(async lane => {
        await Promise.all([before.done, landed.done])
        await derive(lane, { datasets: ['flow_alerts'], date: day })
      })
      for (const name of FROM_TRADES)
        backlog.add(async lane => {
          await derive(lane, { datasets: [name], date: day })
        })
      await backlog.reduce(maker, settlers.length === 0 ? 0 : WAITING_MAX)
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
  const { rows } = await land(draft, dataset(name), [], isInOrder ? table : undefined)
  await writer.run('DROP VIEW incoming')
  await writer.run(`DROP TABLE ${table}`)
  count(name, rows)
}

/** Neighbours in groups of so many; the last may be smaller. */
const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
