import { expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

const ROWS = 'FROM bars ORDER BY ticker, ex_date, kind'

test('the samples are imported', async () => {
  const at = importingFormat('stock-dividends')
  const report = await at.import(['data/samples/stock-dividends'])
  expect(report).toMatchObject({ rows: 4, rejected: 1 })
  expect(at.rejects()).toEqual(['5|ex_date|invalid date|2024-02-30'])
  expect(await at.rows(ROWS, 'stock_dividends')).toEqual([
    'ACME 2023-11-10 regular 0.240000000 USD 2023-11-02 2023-11-13 2023-11-16',
    'ACME 2024-02-09 regular 0.240000000 USD 2024-02-01 2024-02-12 2024-02-15',
    'BRASS 2023-12-27 special 15.000000000 USD 2023-12-14 2023-12-28 2024-01-12',
    'FJORD 2024-01-18 regular 0.012500000 - - 2024-01-19 2024-02-01',
  ])
})

test('kinds are brought to one spelling, amounts to nine decimals', async () => {
  const at = importingFormat('stock-dividends')
  await at.import([
    at.file('dividends.csv', [
      'ticker,ex_dividend_date,amount,dividend_type,currency',
      'ACME,2024-03-01,0.1,CD,usd',
      'ACME,2024-03-01,0.2,SC,USD',
      'ACME,2024-03-01,0.3,LT,USD',
      'ACME,2024-03-01,0.4,Short-Term Capital Gain,EUR',
      'ACME,2024-03-04,0.1234567885,,',
      // The same day and kind: the last row counts.
      'ACME,2024-03-05,1,,',
      'ACME,2024-03-05,2,Cash,',
    ]),
  ])
  const select = `SELECT ex_date, kind, amount, currency ${ROWS}`
  expect(await at.rows(select, 'stock_dividends')).toEqual([
    '2024-03-01 long_term_gain 0.300000000 USD',
    '2024-03-01 regular 0.100000000 USD',
    '2024-03-01 short_term_gain 0.400000000 EUR',
    '2024-03-01 special 0.200000000 USD',
    '2024-03-04 regular 0.123456788 -',
    '2024-03-05 regular 2.000000000 -',
  ])
})

test('rows without a ticker, a date, or an amount of cash are rejected', async () => {
  const at = importingFormat('stock-dividends')
  const good = Array.from({ length: 8 }, (_, index) => `ACME,2024-03-1${index},1,CD,USD`)
  await at.import([
    at.file('dividends.csv', [
      'ticker,ex_date,amount,type,currency',
      ...good,
      ',2024-03-01,1,CD,USD',
      'ACME,,1,CD,USD',
      'ACME,1899-12-31,1,CD,USD',
      'ACME,2199-03-01,1,CD,USD',
      'ACME,2024-03-01,,CD,USD',
      'ACME,2024-03-01,0,CD,USD',
      'ACME,2024-03-01,1,stock,USD',
      'ACME,2024-03-01,1,CD,dollars',
    ]),
  ])
  expect(at.rejects()).toEqual([
    '10|ticker|missing|',
    '11|ex_date|missing|',
    '12|ex_date|before 1900 or in the future|1899-12-31',
    '13|ex_date|before 1900 or in the future|2199-03-01',
    '14|amount|missing|',
    '15|amount|not above zero|0',
    '16|kind|not a kind of cash dividend|stock',
    '17|currency|not a currency|dollars',
  ])
})
