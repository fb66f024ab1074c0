import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { sharedMarket } from '../fixtures/market.ts'
import { isDecimal, textOf } from './decimal.ts'
import { derive as contractDays } from './derive/contract_days.ts'
import { derive as fecCompanies } from './derive/fec_companies.ts'
import { derive as institutionPositions } from './derive/institution_positions.ts'
import { derive as institutionTotals } from './derive/institution_totals.ts'
import { derive as multiLegLegs } from './derive/multi_leg_legs.ts'
import { derive as optionTickerDays } from './derive/option_ticker_days.ts'
import { derive as priceAdjustments } from './derive/price_adjustments.ts'
import { derive as priceLevels } from './derive/price_levels.ts'
import { derive as stockDays } from './derive/stock_days.ts'
import { openLake } from './lake.ts'
import type { Row, Value } from './parquet.ts'

/** The second reader derives the same rows from their sources as the product has stored. */

const DERIVED = [
  {
    dataset: 'fec_companies',
    sources: ['fec_committees', 'fec_contributions', 'lobbying_reports', 'tickers'],
    key: ['cycle', 'ticker'],
    derive: fecCompanies,
  },
  {
    dataset: 'institution_positions',
    sources: ['institution_holdings', 'stock_days', 'tickers', 'stock_splits'],
    key: ['report_date', 'cik', 'ticker', 'security_type', 'put_call', 'filing_date'],
    derive: institutionPositions,
  },
  {
    dataset: 'institution_totals',
    sources: ['institution_holdings', 'institution_positions'],
    key: ['report_date', 'cik', 'filing_date'],
    derive: institutionTotals,
  },
  {
    dataset: 'multi_leg_legs',
    sources: ['option_trades'],
    key: ['multi_leg_id', 'option_symbol'],
    derive: multiLegLegs,
  },
  {
    dataset: 'option_ticker_days',
    sources: ['contract_days'],
    key: ['date', 'ticker'],
    derive: optionTickerDays,
  },
  {
    dataset: 'stock_days',
    sources: ['daily_bars', 'stock_bars', 'stock_splits'],
    key: ['ticker', 'date'],
    derive: stockDays,
  },
  {
    dataset: 'price_adjustments',
    sources: ['stock_days', 'stock_splits', 'stock_dividends'],
    key: ['ticker', 'date'],
    derive: priceAdjustments,
  },
  {
    dataset: 'price_levels',
    sources: ['stock_trades'],
    key: ['date', 'ticker', 'price'],
    derive: priceLevels,
  },
]

const DIFFERENCES_SHOWN = 8

test.each(DERIVED)('$dataset', async ({ dataset, sources, key, derive }) => {
  const lake = await openLake(await sharedMarket('whole'), [dataset, ...sources])
  const keyOf = (row: Row) => key.map(name => text(row[name])).join(' ')
  const stored = new Map(lake.rows(dataset).map(row => [keyOf(row), row]))
  const derived = new Map(derive(lake).map(row => [keyOf(row), row]))
  expect([...derived.keys()].toSorted()).toEqual([...stored.keys()].toSorted())
  const differences = [...derived].flatMap(([name, row]) => {
    const other = stored.get(name) ?? {}
    const columns = [...new Set([...Object.keys(row), ...Object.keys(other)])]
    return columns
      .filter(each => !isDeepStrictEqual(row[each], other[each]))
      .map(each => `${name} ${each}: stored ${text(other[each])}, derived ${text(row[each])}`)
  })
  expect(stored.size).toBeGreaterThan(0)
  expect(differences.slice(0, DIFFERENCES_SHOWN)).toEqual([])
})

function text(value: Value | undefined): string {
  if (isDecimal(value)) return textOf(value)
  return Array.isArray(value) ? `[${value.map(text).join(', ')}]` : String(value)
}

test('contract_days: what the trades of the day say', async () => {
  const lake = await openLake(await sharedMarket('whole'), ['contract_days', 'option_trades'])
  const traded = lake.rows('contract_days').filter(({ volume }) => Number(volume) > 0)
  const keyOf = ({ date, option_symbol: symbol }: Row) => `${date} ${symbol}`
  const stored = new Map(traded.map(row => [keyOf(row), row]))
  const derived = contractDays(lake)
  expect(derived.map(keyOf).toSorted()).toEqual([...stored.keys()].toSorted())
  const differences = derived.flatMap(row =>
    Object.entries(row)
      .filter(([name, value]) => !isDeepStrictEqual(value, stored.get(keyOf(row))?.[name]))
      .map(
        ([name, value]) =>
          `${keyOf(row)} ${name}: derived ${text(value)}, ${text(stored.get(keyOf(row))?.[name])}`,
      ),
  )
  expect(stored.size).toBeGreaterThan(0)
  expect(differences.slice(0, DIFFERENCES_SHOWN)).toEqual([])
})
