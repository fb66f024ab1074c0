import { expect, test } from 'vitest'
import { type EconomicSeries, MATURITIES, SERIES, sourcesOf } from '../../src/market/economy-series.ts'

/** The table of series in the specification: indicator, intervals (the first is the default), name, unit. */
const DECIDED = [
  ['gdp', 'annual quarterly', 'Real Gross Domestic Product', 'billions of dollars'],
  ['gdp-per-capita', 'quarterly', 'Real Gross Domestic Product per Capita', 'chained dollars'],
  ['treasury-yield', 'monthly weekly daily', 'Treasury Constant Maturity Rate', 'percent'],
  ['fed-funds', 'monthly weekly daily', 'Effective Federal Funds Rate', 'percent'],
  ['cpi', 'monthly semiannual', 'Consumer Price Index for all Urban Consumers', 'index 1982-1984=100'],
  ['inflation', 'annual', 'Inflation - US Consumer Prices', 'percent'],
  ['retail-sales', 'monthly', 'Advance Retail Sales: Retail Trade', 'millions of dollars'],
  ['durables', 'monthly', 'Manufacturer New Orders: Durable Goods', 'millions of dollars'],
  ['unemployment', 'monthly', 'Unemployment Rate', 'percent'],
  ['payrolls', 'monthly', 'Total Nonfarm Payroll', 'thousands of persons'],
]

test('each indicator has its intervals, name and unit', () => {
  const series = Object.entries<EconomicSeries>(SERIES)
  expect(
    series.map(([indicator, { intervals, name, unit }]) => [indicator, intervals.join(' '), name, unit]),
  ).toEqual(DECIDED)
})

test('only sales and orders are flows that add up', () => {
  const sums = Object.entries<EconomicSeries>(SERIES).filter(([, { total }]) => total === 'sum')
  expect(sums.map(([indicator]) => indicator)).toEqual(['retail-sales', 'durables'])
})

test('every maturity of the specification has a name', () => {
  expect(Object.entries(MATURITIES).map(([maturity, name]) => `${maturity} ${name}`)).toEqual([
    '3month 3-Month',
    '2year 2-Year',
    '5year 5-Year',
    '7year 7-Year',
    '10year 10-Year',
    '30year 30-Year',
  ])
})

test('an interval is taken as stored, else made of the finest, and never of a coarser one', () => {
  expect(sourcesOf('daily')).toEqual({ sources: ['daily'], lengths: ['1 day'] })
  expect(sourcesOf('semiannual')).toEqual({
    sources: ['semiannual', 'daily', 'weekly', 'monthly', 'quarterly'],
    lengths: ['6 months', '1 day', '7 days', '1 month', '3 months'],
  })
})
