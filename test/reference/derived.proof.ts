import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { sharedMarket } from '../fixtures/market.ts'
import { isDecimal, textOf } from './decimal.ts'
import { derive as fecCompanies } from './derive/fec_companies.ts'
import { derive as institutionPositions } from './derive/institution_positions.ts'
import { derive as institutionTotals } from './derive/institution_totals.ts'
import { derive as optionTickerDays } from './derive/option_ticker_days.ts'
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
    key: ['report_date', 'cik', 'ticker', 'security_type', 'put_call'],
    derive: institutionPositions,
  },
  {
    dataset: 'institution_totals',
    sources: ['institution_holdings', 'institution_positions'],
    key: ['report_date', 'cik'],
    derive: institutionTotals,
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
