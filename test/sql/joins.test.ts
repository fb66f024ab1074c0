import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { date } from '../../src/engine/bind.ts'
import { joinFinder } from '../fixtures/nested-joins.ts'

/** A join without an equality of both sides compares each row with each: four times the rows take sixteen times as long. */

const SQL = fileURLToPath(new URL('../../sql/', import.meta.url))
const BINDINGS = { from: date('2024-01-02'), to: date('2024-01-31') }

let finder: Awaited<ReturnType<typeof joinFinder>>

beforeAll(async () => {
  finder = await joinFinder()
  await finder.run(readFileSync(`${SQL}macros.sql`, 'utf8'))
  for (const file of readdirSync(`${SQL}schema`))
    await finder.run(readFileSync(`${SQL}schema/${file}`, 'utf8'))
})
afterAll(() => finder.close())

const derivation = (name: string) =>
  readFileSync(`${SQL}derive/${name}.sql`, 'utf8')
    .trim()
    .replaceAll(/read_parquet\(\$(\w+)[^)]*\)/g, '$1')

/** Joins whose product is the result. */
const PRODUCTS: Readonly<Record<string, number>> = {
  // Each day has the yield of each maturity.
  treasury_days: 1,
}

test.each(readdirSync(`${SQL}derive`).map(file => file.replace('.sql', '')))(
  'the derivation of %s compares no table with another row by row',
  async name => {
    expect(await finder.nestedJoins(derivation(name), BINDINGS)).toHaveLength(PRODUCTS[name] ?? 0)
  },
)

const JOINS: [select: string, joins: number][] = [
  ['FROM stock_bars JOIN daily_bars USING (ticker, date)', 0],
  ['FROM stock_bars CROSS JOIN (SELECT max(date) FROM daily_bars)', 0],
  ['FROM stock_bars CROSS JOIN (VALUES (1), (2))', 0],
  ['FROM stock_bars CROSS JOIN daily_bars', 1],
  ["FROM stock_bars AS s LEFT JOIN daily_bars AS d ON s.ticker = 'A'", 1],
  ['FROM stock_bars AS s LEFT JOIN daily_bars AS d ON s.ticker = d.ticker OR s.date = d.date', 1],
  ['FROM stock_bars AS s WHERE EXISTS (FROM daily_bars AS d WHERE d.close > s.close + d.low)', 1],
]
test.each(JOINS)('of %s, %i', async (select, joins) => {
  expect(await finder.nestedJoins(select)).toHaveLength(joins)
})
