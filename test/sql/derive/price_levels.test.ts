import { expect, test } from 'vitest'
import { derived } from '../../fixtures/derive.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

const DAY = { from: '2024-01-03', to: '2024-01-03' }

const trade = (ticker: string, price: string, size: number, exchange: string, more: Row = {}): Row => ({
  date: '2024-01-03',
  ticker,
  price,
  size,
  exchange,
  canceled: false,
  ...more,
})

const levels = async (trades: readonly Row[], days = DAY) =>
  (await derived('price_levels', days, { stock_trades: rowsAsSql(trades) })).map(row =>
    [row.date, row.ticker, row.price, row.dark_pool_volume, row.regular_volume].join(' '),
  )

test('shares at a price are summed, those of code D separately from all others', async () => {
  const trades = [
    trade('ACME', '10.5', 100, 'D'),
    trade('ACME', '10.5', 30, 'D'),
    trade('ACME', '10.5', 7, 'N'),
    trade('ACME', '10.5', 5, 'Q'),
    trade('ACME', '9.99', 40, 'N'),
    trade('BRASS', '10.5', 60, 'D'),
  ]
  expect(await levels(trades)).toEqual([
    '2024-01-03 ACME 9.99 0 40',
    '2024-01-03 ACME 10.50 130 12',
    '2024-01-03 BRASS 10.50 60 0',
  ])
})

test('prices are rounded to the cent, half a cent to the even one', async () => {
  const trades = [
    trade('ACME', '10.004999', 1, 'N'),
    trade('ACME', '10.005', 2, 'N'),
    trade('ACME', '10.014999', 4, 'N'),
    trade('ACME', '10.015', 8, 'N'),
  ]
  expect(await levels(trades)).toEqual([
    '2024-01-03 ACME 10.00 0 3',
    '2024-01-03 ACME 10.01 0 4',
    '2024-01-03 ACME 10.02 0 8',
  ])
})

test('canceled trades and trades of no shares make no level', async () => {
  const trades = [
    trade('ACME', '10', 100, 'D'),
    trade('ACME', '10', 900, 'D', { canceled: true }),
    trade('ACME', '11', 50, 'N', { canceled: true }),
    trade('ACME', '12', 0, 'N'),
  ]
  expect(await levels(trades)).toEqual(['2024-01-03 ACME 10.00 100 0'])
})

test('each day of the run has its own levels, and no other day any', async () => {
  const trades = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'].map((date, index) =>
    trade('ACME', '10', index + 1, 'D', { date }),
  )
  expect(await levels(trades, { from: '2024-01-03', to: '2024-01-04' })).toEqual([
    '2024-01-03 ACME 10.00 2 0',
    '2024-01-04 ACME 10.00 3 0',
  ])
})
