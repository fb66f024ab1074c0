import { expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

test('changes of factors become splits and dividends of the next weekday', async () => {
  const at = importingFormat('price-factors')
  const report = await at.import(['data/samples/price-factors'])
  expect(report).toMatchObject({ rejected: 0 })
  // 2020-08-28 and 2023-11-09 are a Friday and a Thursday.
  expect(await at.rows('FROM bars', 'stock_splits')).toEqual(['ACME 2020-08-31 4 1'])
  // 100 × (1 − 0.98 / 0.99) = 1.010101…, 100 × (1 − 0.99 / 1) = 1.
  expect(await at.rows('FROM bars ORDER BY ex_date', 'stock_dividends')).toEqual([
    'ACME 2023-11-10 regular 1.010101000 USD - - -',
    'ACME 2024-02-09 regular 1.000000000 USD - - -',
  ])
})

test('a dividend on the day of a split is per new share, and a reverse split has fewer shares', async () => {
  const at = importingFormat('price-factors')
  await at.import([
    at.file('factors.csv', [
      'ticker,date,price_factor,split_factor,reference_price',
      'ACME,2024-03-01,0.96,0.25,100',
      'ACME,2050-12-31,1,1,0',
      // In any order.
      'BRASS,2050-12-31,1,1,0',
      'BRASS,2024-03-01,1,10,5',
      'CEDAR,2024-03-01,1,0.666667,5',
      'CEDAR,2050-12-31,1,1,0',
    ]),
  ])
  expect(await at.rows('FROM bars ORDER BY ticker', 'stock_splits')).toEqual([
    'ACME 2024-03-04 4 1',
    'BRASS 2024-03-04 1 10',
    'CEDAR 2024-03-04 3 2',
  ])
  expect(await at.rows('SELECT ticker, amount FROM bars', 'stock_dividends')).toEqual(['ACME 1.000000000'])
})

test('rows that are no factors are rejected, each once', async () => {
  const at = importingFormat('price-factors')
  const good = Array.from({ length: 8 }, (_, day) => `GOOD,2024-01-1${day},1,${2 ** day},10`)
  await at.import([
    at.file('factors.csv', [
      'ticker,date,price_factor,split_factor,reference_price',
      ...good,
      ',2024-03-01,1,1,10',
      'ACME,1899-12-31,1,1,10',
      'ACME,2024-03-01,0,1,10',
      'ACME,2024-03-02,1,,10',
      'BRASS,2024-03-01,0.9,1,',
      'BRASS,2050-12-31,1,1,0',
      'CEDAR,2024-03-01,1,0.7071067,10',
      'CEDAR,2050-12-31,1,1,0',
      'DELTA,2024-03-01,1.1,1,10',
      'DELTA,2050-12-31,1,1,0',
    ]),
  ])
  expect(at.rejects()).toEqual([
    '10|ticker|missing|',
    '11|date|before 1900|1899-12-31',
    '12|price_factor|not above zero|0',
    '13|split_factor|missing|',
    '14|reference_price|not the price before a dividend|',
    '16|split_factor|no ratio of up to 100 shares to that of the next row|0.7071067',
    '18|price_factor|above that of the next row|1.1',
  ])
})
