import { literal, text } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { derive } from '../derive/derive.ts'
import type { Draft } from '../land/draft.ts'
import { type Keeper, withWholeDraft } from '../land/kept-draft.ts'
import { land, landMade, ROWS_AT_ONCE } from '../land/land.ts'
import { dataset } from '../store/datasets.ts'
import { Backlog, shareOut } from '../store/lanes.ts'
import { type Made, writeMade } from '../store/made-files.ts'
import { partitionOf } from '../store/partition.ts'
import { markOf } from './mark.ts'
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
import { openProgress, optionsStep, type Progress } from './progress.ts'
import { REFERENCE_STEPS } from './reference.ts'
import { CHAIN_STEP, SPAN_STEPS, STOCK_STEPS, TRADE_STEP } from './steps.ts'

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

/**
 * Generates a synthetic market and everything derived from it, and publishes it as one snapshot that replaces all
 * earlier generated data. Works on `lanes` connections concurrently, each of which keeps a core busy; with one, the
 * steps run one after the other. With `keeps`, a generation that was interrupted is continued by the next one with the same
 * options. Rejects with usage if an option is out of bounds or the lake holds imported data, with lake_conflict if
 * another process generates into the lake, and with the failures of `land`.
 */
export async function generate(
  writer: Writer,
  lake: string,
  options: MarketOptions,
  observe: Observe,
  lanes = 2,
  keeps = false,
): Promise<Generated> {
  const mark = markOf(options)
  const work = async (draft: Draft, keeper: Keeper): Promise<Generated> => {
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
      const made = await make(draft, keeper, { helpers, background }, options)
      const making = { made_by: 'generate', generated: mark, closed: made.to }
      const snapshot = await draft.publish(making)
      return { snapshot, ...made }
    } finally {
      for (const each of open) each.close()
    }
  }
  return withWholeDraft(writer, lake, observe, keeps ? mark : null, work)
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
  keeper: Keeper,
  { helpers, background }: Connections,
  options: MarketOptions,
): Promise<Omit<Generated, 'snapshot'>> {
  const { writer, observe } = draft
  const market = await prepareMarket(writer, options)
  const progress = await openProgress(draft, keeper, market)
  const report = (done: number) =>
    observe({ kind: 'progress', task: 'generate', done, total: market.days.length, unit: 'days' })
  report(0)
  // Only the days are reported as progress.
  const silent = (connection: Writer): Draft => ({ ...draft.through(connection), observe: () => {} })
  const maker = silent(writer)
  await generateDays(maker, helpers, background.map(silent), market, progress, report)
  await dropMarket(writer)
  await shareOut([maker, ...helpers.map(silent)], SEPARATE, async (lane, dataset) => {
    await derive(lane, { datasets: [dataset] })
  })
  await derive(draft)
  return { rows: await rowsIn(draft), from: market.days[0] ?? market.to, to: market.to }
}

/** The rows of a draft by generated dataset. */
async function rowsIn(draft: Draft): Promise<Map<string, number>> {
  const steps = [...SPAN_STEPS, ...REFERENCE_STEPS, ...STOCK_STEPS, TRADE_STEP, CHAIN_STEP]
  const rows = new Map<string, number>()
  for (const { dataset: name } of steps) {
    const files = (await draft.manifests({ name })).flatMap(manifest => manifest.files)
    rows.set(
      name,
      files.reduce((sum, file) => sum + file.rows, 0),
    )
  }
  return rows
}

/** Derived datasets that no other dataset of the list reads, the slowest first. */
const SEPARATE = ['option_volatility_days', 'price_levels', 'fec_companies', 'option_ticker_days']

/** A task that generates rows independently of others, and its name. */
interface Step {
  readonly name: string
  readonly work: (lane: Draft) => Promise<void>
}

/** The tasks for all datasets other than options, the slowest first. */
function spanWork(market: Market): Step[] {
  const spans = [...SPAN_STEPS, ...REFERENCE_STEPS].map(step => ({
    name: step.sql,
    work: (lane: Draft) => generateSpan(lane.writer, market, (...rows) => landTable(lane, ...rows), [step]),
  }))
  const daysAtOnce = Math.max(1, Math.floor(ROWS_AT_ONCE / (market.options.tickers * MINUTES_A_DAY)))
  const stocks = STOCK_STEPS.flatMap(step =>
    chunksOf(market.days, daysAtOnce).map(days => ({
      name: `${step.sql} ${days[0]}`,
      work: (lane: Draft) =>
        generateStocks(lane.writer, market, days[0] ?? '', (...rows) => landTable(lane, ...rows), {
          to: days.at(-1) ?? '',
          steps: [step],
        }),
    })),
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
  progress: Progress,
  report: (done: number) => void,
): Promise<void> {
  const backlog = new Backlog(background)
  try {
    const spans = spanWork(market)
      .filter(({ name }) => !progress.has(name))
      .map(({ name, work }) =>
        backlog.add(async lane => {
          await work(lane)
          await progress.finish(name)
        }),
      )
    const prices = backlog.add(async lane => {
      await Promise.all(spans.map(({ done }) => done))
      await derive(lane, { datasets: ['stock_days'] })
    })
    // The days of flow_alerts build on the contracts of the warm-up.
    let former = backlog.add(async lane => {
      await prices.done
      await derive(lane, { datasets: ['contract_days'] })
    })
    backlog.add(async lane => {
      await prices.done
      await derive(lane, { datasets: ['institution_totals'] })
    })
    for (const [index, day] of market.days.entries()) {
      const isMade = index < progress.sessions
      const made = isMade ? [] : await makeOptions(maker, helpers, market, day)
      if (!isMade) await progress.hold(maker.writer, day)
      const landed = backlog.add(async lane => {
        for (const rows of made) await landTable(lane, ...rows)
        if (!isMade) await progress.finish(optionsStep(day))
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

/** Generates the options of a session, and lands the trades. Returns the tables of the other rows. */
async function makeOptions(
  maker: Draft,
  helpers: readonly Writer[],
  market: Market,
  day: string,
): Promise<Parameters<Take>[]> {
  const trades = dataset('option_trades')
  const partition = partitionOf('day', day)
  const made: Parameters<Take>[] = []
  const files: Made[] = []
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
  await landMade(maker, trades, partition, Object.values(files))
  return made
}

/** Lands the rows of a table and drops it. */
async function landTable(draft: Draft, ...[name, table, isInOrder]: Parameters<Take>): Promise<void> {
  const { writer } = draft
  await writer.run('DROP TABLE IF EXISTS incoming')
  await writer.run(`CREATE TEMP VIEW incoming AS FROM ${table}`)
  await land(draft, dataset(name), [], isInOrder ? { inOrder: table } : {})
  await writer.run('DROP VIEW incoming')
  await writer.run(`DROP TABLE ${table}`)
}

/** Consecutive items in groups of `size`; the last may be smaller. */
const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
