import { randomBytes } from 'node:crypto'
import { type Bindings, dates, instants, integer, date as sqlDate } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import { resources } from '../../engine/resources.ts'
import type { Writer } from '../../engine/writer.ts'
import { addDays, daysBetween } from '../../market/day.ts'
import { newYorkInstant } from '../../market/new-york.ts'
import { isSession, sessionClose } from '../../market/sessions.ts'
import { dataset } from '../store/datasets.ts'
import { identifiers, orderOf } from '../store/sorted-files.ts'
import {
  CHAIN_TABLES,
  type DatasetStep,
  INTEREST_TABLE,
  MARKET_TABLES,
  SPAN_STEPS,
  STOCK_STEPS,
  type TableStep,
  TOTALS_TABLE,
} from './steps.ts'

/** The options of a synthetic market. Equal options generate equal rows on any machine. */
export interface MarketOptions {
  readonly seed: number
  /** Sessions with minute bars and option trades. */
  readonly days: number
  /** Earlier sessions with daily series only. Default: 260, which is a year of history. */
  readonly warmSessions?: number
  /** The last of the earlier sessions that have a small option chain. Default: 40, which is two months of volatility. */
  readonly warmChains?: number
  readonly tickers: number
  /** The exact number of option trades per session. */
  readonly tradesPerDay: number
  /** The options of the market that this one is a preview of. They do not change its rows. */
  readonly whole?: MarketOptions
}

export interface Market {
  /** First session of the warm-up. */
  readonly from: string
  /** Last session. */
  readonly to: string
  /** The sessions with option trades, ascending. */
  readonly days: readonly string[]
  readonly options: MarketOptions
}

/**
 * Receives the rows of a dataset in a table that every connection sees, and drops the table. `isInOrder` is true if the
 * rows are in the order of `orderOf`.
 */
export type Take = (dataset: string, table: string, isInOrder: boolean) => Promise<void>

const LAST_SESSION = '2024-12-31'
export const WARM_SESSIONS = 260
const WARM_CHAINS = 40
const OPENS_MINUTES = 570
/** Days of the calendar after the last session: a little more than the longest listed option has. */
const CALENDAR_DAYS_AHEAD = 810
/** Sessions of the calendar before the first one: cash flow statements begin six and a half years before the last. */
const CALENDAR_SESSIONS_BEFORE = 1700

/** Bounds of the options, inclusive. A seed is an integer that a double holds exactly. */
export const MARKET_BOUNDS = {
  seed: [0, Number.MAX_SAFE_INTEGER],
  days: [1, 2520],
  tickers: [1, 5000],
  tradesPerDay: [400, 50_000_000],
} as const

/**
 * Creates the market's tables and macros, which all connections of the writer see. Rejects with usage if an option is
 * out of bounds.
 */
export async function prepareMarket(writer: Pick<Writer, 'run'>, options: MarketOptions): Promise<Market> {
  for (const [name, [min, max]] of Object.entries(MARKET_BOUNDS)) {
    const value = options[name as keyof typeof MARKET_BOUNDS]
    if (!Number.isSafeInteger(value) || value < min || value > max)
      throw new Failure('usage', `${name} must be a whole number from ${min} to ${max}, not ${value}`)
  }
  const { warmSessions = WARM_SESSIONS } = options
  const sessions = sessionsBack(LAST_SESSION, warmSessions + options.days)
  const market: Market = {
    from: sessions[0] ?? LAST_SESSION,
    to: LAST_SESSION,
    days: sessions.slice(warmSessions),
    options,
  }
  for (const macro of statementsOf(resources.read('sql/generate/macros.sql'))) await writer.run(macro)
  await writer.run(
    `CREATE OR REPLACE TABLE market_sessions AS
     SELECT (place - 1)::INTEGER AS number, $dates[place] AS date, $opens[place] AS opens, $closes[place] AS closes,
       place <= $warm_sessions AS warm
     FROM range(1, len($dates) + 1) AS places (place)`,
    {
      warm_sessions: integer(warmSessions),
      dates: dates(sessions),
      opens: instants(sessions.map(day => newYorkInstant(day, OPENS_MINUTES))),
      closes: instants(sessions.map(day => newYorkInstant(day, sessionClose(day)))),
    },
  )
  await writer.run('CREATE OR REPLACE TABLE market_calendar AS SELECT unnest($dates) AS date', {
    dates: dates([
      ...sessionsBack(sessions[0] ?? LAST_SESSION, CALENDAR_SESSIONS_BEFORE),
      ...sessionsAhead(sessions),
    ]),
  })
  await writer.run(
    `CREATE OR REPLACE TABLE market_interest
     (option_symbol_id BIGINT, open_interest BIGINT, peak_volume BIGINT)`,
  )
  for (const step of MARKET_TABLES) await keep(writer, step, bindingsOf(market, market.from, market.to))
  return market
}

/** Generates the datasets of the whole span, one after the other. */
export async function generateSpan(
  writer: Writer,
  market: Market,
  take: Take,
  steps: readonly DatasetStep[] = SPAN_STEPS,
): Promise<void> {
  await runSteps(writer, bindingsOf(market, market.from, market.to), take, steps)
}

/** Generates the stock datasets of one session, or of the sessions up to `to`. */
export function generateStocks(
  writer: Writer,
  market: Market,
  day: string,
  take: Take,
  { to = day, steps = STOCK_STEPS }: { readonly to?: string; readonly steps?: readonly DatasetStep[] } = {},
): Promise<void> {
  return runSteps(writer, bindingsOf(market, day, to), take, steps)
}

/** Generates datasets, one after the other; with `inOrder`, in the order of `orderOf`. */
export async function runSteps(
  writer: Writer,
  bindings: Bindings,
  take: Take,
  steps: readonly DatasetStep[],
  inOrder = false,
): Promise<void> {
  for (const { dataset: name, sql } of steps) {
    const table = `market_rows_${randomBytes(8).toString('hex')}`
    const order = inOrder ? `ORDER BY ${identifiers(orderOf(dataset(name)))}` : ''
    await writer.run(`CREATE TABLE ${table} AS FROM (${resources.read(sql)}) ${order}`, bindings)
    await take(name, table, inOrder)
  }
}

/** Drops the market's tables, which frees their memory. */
export async function dropMarket(writer: Writer): Promise<void> {
  const steps = [...MARKET_TABLES, ...CHAIN_TABLES, TOTALS_TABLE, INTEREST_TABLE]
  for (const table of [...steps.map(step => step.table), 'market_sessions', 'market_calendar'])
    await writer.run(`DROP TABLE IF EXISTS ${table}`)
}

/** Stores the rows of a SELECT as a table that all connections see. */
export async function keep(
  writer: Pick<Writer, 'run'>,
  { table, sql }: TableStep,
  bindings: Bindings,
): Promise<void> {
  await writer.run(`CREATE OR REPLACE TABLE ${table} AS ${resources.read(sql)}`, bindings)
}

/** The bindings of the SQL of a day or a span. */
export const bindingsOf = ({ options }: Market, from: string, to: string): Bindings => ({
  seed: integer(options.seed),
  tickers: integer(options.tickers),
  trades: integer(options.tradesPerDay),
  warm_chains: integer(options.warmChains ?? WARM_CHAINS),
  from: sqlDate(from),
  to: sqlDate(to),
})

/** The statements of a file; each ends with a semicolon at the end of a line. */
const statementsOf = (sql: string) =>
  sql
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')

/** The last `count` sessions up to `last`, ascending. */
function sessionsBack(last: string, count: number): string[] {
  const found: string[] = []
  for (let date = last; found.length < count; date = addDays(date, -1)) if (isSession(date)) found.push(date)
  return found.reverse()
}

/** The sessions after the first of `sessions`, up to the end of the calendar. */
function sessionsAhead(sessions: readonly string[]): string[] {
  const first = sessions[0] ?? LAST_SESSION
  const days = daysBetween(first, LAST_SESSION) + CALENDAR_DAYS_AHEAD
  return Array.from({ length: days }, (_, day) => addDays(first, day + 1)).filter(isSession)
}
