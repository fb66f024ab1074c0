import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bindings, integer } from '../../../src/engine/bind.ts'
import { bindingsOf, prepareMarket } from '../../../src/lake/generate/market.ts'
import { TOTALS } from '../../../src/lake/generate/options.ts'
import { REFERENCE_STEPS } from '../../../src/lake/generate/reference.ts'
import {
  CHAIN_STEP,
  CHAIN_TABLES,
  INTEREST_TABLE,
  MARKET_TABLES,
  SPAN_STEPS,
  STOCK_STEPS,
  TAPE_TABLE,
  TOTALS_TABLE,
  TRADE_STEP,
  TRADED_TABLE,
} from '../../../src/lake/generate/steps.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { type CastFinder, castFinder } from '../../fixtures/lossy-casts.ts'

/** The generator casts numbers to fewer digits only where it says how it rounds them. */

let finder: CastFinder
let bindings: Bindings

beforeAll(async () => {
  finder = await castFinder()
  await finder.run(readFileSync('sql/macros.sql', 'utf8'))
  const market = await prepareMarket(finder, {
    seed: 1,
    days: 1,
    warmSessions: 2,
    tickers: 2,
    tradesPerDay: 400,
  })
  bindings = {
    ...bindingsOf(market, market.to, market.to),
    portion_trades: integer(400),
    portion: integer(0),
  }
  await finder.define(readFileSync('sql/generate/macros.sql', 'utf8'))
  // The tables of a day, in the order in which the generator creates them, without rows.
  await finder.run(`CREATE TABLE ${TOTALS_TABLE.table} (${TOTALS})`)
  for (const { table, sql } of [...CHAIN_TABLES, TAPE_TABLE, TRADED_TABLE])
    await finder.run(`CREATE TABLE ${table} AS FROM (${readFileSync(sql, 'utf8')}) LIMIT 0`, bindings)
  await finder.run(
    `CREATE TABLE market_trades AS FROM (${readFileSync(TRADE_STEP.sql, 'utf8')}) LIMIT 0`,
    bindings,
  )
}, 60_000)
afterAll(() => finder.close())

const TABLES = [...MARKET_TABLES, ...CHAIN_TABLES, TAPE_TABLE, TRADED_TABLE, TOTALS_TABLE, INTEREST_TABLE]
const DATASETS = [...SPAN_STEPS, ...STOCK_STEPS, ...REFERENCE_STEPS, TRADE_STEP, CHAIN_STEP]

test.each(TABLES.map(({ sql }) => sql))('%s rounds what it casts to fewer digits', async sql => {
  expect(await finder.lossyCasts(readFileSync(sql, 'utf8'), bindings)).toEqual([])
})

test.each(DATASETS.map(({ sql, dataset: name }) => [sql, name] as const))(
  '%s rounds what it casts to fewer digits, and what has more digits than its column',
  async (file, name) => {
    const sql = readFileSync(file, 'utf8')
    expect(await finder.lossyCasts(sql, bindings)).toEqual([])
    expect(await finder.lossyColumns(sql, bindings, dataset(name).columns)).toEqual([])
  },
)
