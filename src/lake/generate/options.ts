import { randomBytes } from 'node:crypto'
import { type Bindings, integer } from '../../engine/bind.ts'
import { resources } from '../../engine/resources.ts'
import type { Writer } from '../../engine/writer.ts'
import { shareOut } from '../store/lanes.ts'
import type { InOrder } from '../store/made-files.ts'
import { ROWS_A_FILE } from '../store/written-file.ts'
import { bindingsOf, keep, type Market, runSteps, type Take } from './market.ts'
import {
  CHAIN_STEP,
  CHAIN_TABLES,
  INTEREST_TABLE,
  TAPE_TABLE,
  TOTALS_TABLE,
  TRADE_STEP,
  TRADED_TABLE,
} from './steps.ts'

/**
 * Receives a portion of a day's trades, and its number, on the connection that sees them. Returns SQL for a FROM clause
 * that reads them later; until then the tables stay. The files of portions 0, 1, 2, … are in this order.
 */
export type TakeTrades = (writer: Writer, rows: InOrder, portion: number) => Promise<string>

/** The most trades of a portion before its last contract, whose trades then fit in the same file. */
const PORTION_TRADES = Math.floor(0.9 * ROWS_A_FILE)

/** The columns of `market_totals`. */
export const TOTALS = 'option_symbol VARCHAR, volume BIGINT, last DECIMAL(18, 4)'

/**
 * Generates the option rows of one session. Call it for each session once and in order, because open interest depends
 * on the day before. The trades are generated in portions, one at a time per connection (the writer and `helpers`), and
 * passed to `takeTrades`. Default: `take`, like all other rows.
 */
export async function generateOptions(
  writer: Writer,
  market: Market,
  day: string,
  take: Take,
  takeTrades?: TakeTrades,
  helpers: readonly Writer[] = [],
): Promise<void> {
  const { tradesPerDay } = market.options
  const bindings = {
    ...bindingsOf(market, day, day),
    portion_trades: integer(tradesPerDay <= ROWS_A_FILE ? tradesPerDay : PORTION_TRADES),
  }
  for (const step of CHAIN_TABLES) await keep(writer, step, bindings)
  await writer.run(`CREATE OR REPLACE TABLE ${TOTALS_TABLE.table} (${TOTALS})`)
  const portions = await writer.rows(
    'SELECT DISTINCT portion FROM market_shares WHERE end_trade > first_trade OR other_trades > 0 ORDER BY portion',
  )
  await shareOut([writer, ...helpers], portions, (lane, { portion }) =>
    makePortion(lane, bindings, Number(portion), take, takeTrades),
  )
  await runSteps(writer, bindings, take, [CHAIN_STEP], true)
  await keep(writer, INTEREST_TABLE, bindings)
}

/** Generates the trades of one portion, and adds them to the totals for the chain. */
async function makePortion(
  writer: Writer,
  day: Bindings,
  portion: number,
  take: Take,
  takeTrades: TakeTrades | undefined,
): Promise<void> {
  const bindings = { ...day, portion: integer(portion) }
  const tables = [TAPE_TABLE, TRADED_TABLE]
  for (const { table, sql } of tables)
    await writer.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${resources.read(sql)}`, bindings)
  const rows: InOrder = { table: TAPE_TABLE.table, select: resources.read(TRADE_STEP.sql), bindings }
  const trades = await (takeTrades ?? asTable)(writer, rows, portion)
  await writer.run(`CREATE OR REPLACE TEMP VIEW market_trades AS FROM ${trades}`)
  await writer.run(`INSERT INTO ${TOTALS_TABLE.table} ${resources.read(TOTALS_TABLE.sql)}`)
  await writer.run('DROP VIEW market_trades')
  for (const { table } of tables) await writer.run(`DROP TABLE ${table}`)
  if (takeTrades === undefined) await take(TRADE_STEP.dataset, trades, false)
}

async function asTable(writer: Writer, { select, bindings }: InOrder): Promise<string> {
  const table = `market_rows_${randomBytes(8).toString('hex')}`
  await writer.run(`CREATE TABLE ${table} AS ${select}`, bindings)
  return table
}
