import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { literal, text } from '../../../src/engine/bind.ts'
import type { Kind } from '../../../src/lake/import/format/format.ts'
import { amount } from '../../fixtures/tier.ts'
import { readingOf } from './canonical-files.ts'

/** A trade of a stock, every column as text. */
const TRADE: Readonly<Record<string, string>> = {
  date: '2024-01-03',
  ticker: 'ACME',
  executed_at: '2024-01-03 14:30:00',
  sequence: '1',
  price: '10.5',
  size: '100',
  exchange: 'D',
  canceled: 'false',
}
/** An order book, for its lists of numbers. */
const BOOK = {
  date: '2024-01-03',
  asset_id: '7',
  timestamp: '2024-01-03 14:30:00',
  bid_prices: '[0.5, 0.4]',
  bid_sizes: '[1, 2]',
  ask_prices: '[]',
  ask_sizes: '[]',
}
const POSITION = {
  date: '2024-01-03',
  asset_id: '7',
  user_address: '0x1',
  question: 'Q',
  outcome: 'Yes',
  category: 'Other',
  avg_price: '0.5',
  current_price: '0.5',
  pnl_percent: '1',
  total_invested_usd: '1',
  invested_zscore: '1',
  n_positions: '1',
  days_since_first_trade: '1',
  days_since_first_trade_overall: '1',
  first_trade_at: '2024-01-03 14:30:00',
  created_at: '2024-01-03 14:30:00',
  tags: '[momentum]',
  tags_score: '1',
}
const LEG = {
  id: '0e37df36-f698-11e6-8dd4-cb9ced3df976',
  politician_id: '0e37df36-f698-11e6-8dd4-cb9ced3df976',
  name: 'N',
  reporter: 'R',
  member_type: 'house',
  is_active: '1',
  txn_type: 'Buy',
  amounts: '$1',
  transaction_date: '2024-01-03',
  filed_at_date: '2024-01-03',
}
const BASES = {
  stock_trades: TRADE,
  prediction_books: BOOK,
  prediction_positions: POSITION,
  congress_trades: LEG,
} as const satisfies Record<string, Readonly<Record<string, string>>>
type Case = readonly [name: keyof typeof BASES, column: string, written: string, result: string]

// What is stored, in DuckDB's own way of printing it.
const READ: readonly Case[] = [
  ['stock_trades', 'size', '007', '7'],
  ['stock_trades', 'size', ' 5 ', '5'],
  ['stock_trades', 'size', '12.00', '12'],
  ['stock_trades', 'size', '-9223372036854775808', '-9223372036854775808'],
  ['stock_trades', 'size', '1.5e+3', '1500'],
  ['stock_trades', 'price', '1.50000000000000000000', '1.500000'],
  ['stock_trades', 'price', '-1e-05', '-0.000010'],
  ['stock_trades', 'ticker', 'BRK-B', 'BRK.B'],
  ['stock_trades', 'ticker', 'brk-b', 'brk-b'],
  ['stock_trades', 'price', '-0', '0.000000'],
  ['stock_trades', 'price', '999999999999.999999', '999999999999.999999'],
  ['stock_trades', 'date', '2024-02-29', '2024-02-29'],
  ['stock_trades', 'date', '2024-02-29T00:00:00.000', '2024-02-29'],
  ['stock_trades', 'executed_at', '2024-01-03T14:30:00.123456Z', '2024-01-03 14:30:00.123456'],
  ['stock_trades', 'executed_at', '2024-01-03T14:30:00.1234560000', '2024-01-03 14:30:00.123456'],
  ['stock_trades', 'executed_at', '2024-01-03T09:30:00.5-05:00', '2024-01-03 14:30:00.5'],
  ['stock_trades', 'executed_at', '2024-01-03 20:00:00+0530', '2024-01-03 14:30:00'],
  ['stock_trades', 'executed_at', '2024-01-03 15:30:00+01', '2024-01-03 14:30:00'],
  ['stock_trades', 'executed_at', '2024-01-03T14:30', '2024-01-03 14:30:00'],
  ['stock_trades', 'canceled', 'TRUE', 'true'],
  ['stock_trades', 'canceled', 'False', 'false'],
  ['stock_trades', 'canceled', '1', 'true'],
  ['stock_trades', 'canceled', '0', 'false'],
  ['stock_trades', 'exchange', ' x "y", z ', ' x "y", z '],
  ['congress_trades', 'id', '0E37DF36-F698-11E6-8DD4-CB9CED3DF976', '0e37df36-f698-11e6-8dd4-cb9ced3df976'],
  ['prediction_books', 'bid_prices', '["0.5","0.25"]', '[0.500000, 0.250000]'],
  ['prediction_books', 'bid_prices', '[123456789012.123456]', '[123456789012.123456]'],
  ['prediction_books', 'bid_prices', '[ ]', '[]'],
  ['prediction_positions', 'tags', '["a, b","c\\n\\u00e9"]', "['a, b', c\né]"],
  ['prediction_positions', 'tags', "[a b, 'c, d', NULL_]", "[a b, 'c, d', NULL_]"],
  ['prediction_positions', 'tags', '["null"]', "['null']"],
]

const REFUSED: readonly Case[] = [
  ['stock_trades', 'size', '1e3x', 'not a plain decimal number'],
  ['stock_trades', 'size', '0x10', 'not a plain decimal number'],
  ['stock_trades', 'size', '1_000', 'not a plain decimal number'],
  ['stock_trades', 'size', '+1', 'not a plain decimal number'],
  ['stock_trades', 'size', '1.5', 'not a whole number'],
  ['stock_trades', 'size', '9223372036854775808', 'too large'],
  ['prediction_positions', 'n_positions', '2147483648', 'too large'],
  ['stock_trades', 'price', '1e-3x', 'not a plain decimal number'],
  ['stock_trades', 'price', '.5', 'not a plain decimal number'],
  ['stock_trades', 'price', '1.0000001', 'more than 6 decimals'],
  ['stock_trades', 'price', '1e-7', 'more than 6 decimals'],
  ['stock_trades', 'size', '15e-1', 'not a whole number'],
  ['stock_trades', 'price', '1000000000000', 'too large'],
  ['stock_trades', 'price', 'NaN', 'not a plain decimal number'],
  ['stock_trades', 'date', 'infinity', 'not a date YYYY-MM-DD'],
  ['stock_trades', 'date', '2024/01/03', 'not a date YYYY-MM-DD'],
  ['stock_trades', 'date', '2023-02-29', 'invalid date'],
  ['stock_trades', 'date', '0000-01-01', 'invalid date'],
  ['stock_trades', 'date', '2024-01-03 10:00:00', 'not a date YYYY-MM-DD'],
  ['stock_trades', 'executed_at', '2024-01-03', 'not an ISO 8601 time'],
  ['stock_trades', 'executed_at', '2024-01-03 24:00:00', 'not an ISO 8601 time'],
  ['stock_trades', 'executed_at', '2024-01-03 10:00:60', 'no such time'],
  ['stock_trades', 'executed_at', '2024-01-03 10:00:00.1234567', 'finer than a microsecond'],
  ['stock_trades', 'executed_at', '1704292200', 'not an ISO 8601 time'],
  ['stock_trades', 'canceled', 'yes', 'neither true nor false'],
  ['stock_trades', 'canceled', 't', 'neither true nor false'],
  ['congress_trades', 'id', '0e37df36f69811e68dd4cb9ced3df976', 'not a UUID'],
  ['prediction_books', 'bid_prices', '0.5', 'not a list'],
  ['prediction_books', 'bid_prices', '[0.5', 'not a list'],
  ['prediction_books', 'bid_prices', '[0.5, 1e3x]', 'a list with a value that does not fit'],
  ['prediction_books', 'bid_prices', '[0.1234567]', 'a list with a value that does not fit'],
  ['prediction_books', 'bid_prices', '[0.5, NULL]', 'a list with a value that does not fit'],
  ['prediction_positions', 'tags', '["a", null]', 'a list with a value that does not fit'],
  ['prediction_positions', 'tags', 'a', 'not a list'],
]

const inQuotes = (value: string) => `"${value.replaceAll('"', '""')}"`

type Run = Awaited<ReturnType<typeof readingOf>>

/** Writes records as a file of that kind, every value as text. */
async function written(run: Run, kind: Kind, records: readonly Readonly<Record<string, string>>[]) {
  const names = Object.keys(records[0] ?? {})
  const lines = (make: (record: Readonly<Record<string, string>>) => string) =>
    `${records.map(make).join('\n')}\n`
  const csv = `${names.join(',')}\n${lines(record => names.map(name => inQuotes(record[name] ?? '')).join(','))}`
  if (kind === 'csv') return run.file('a.csv', csv)
  if (kind === 'ndjson')
    return run.file(
      'a.ndjson',
      lines(record => JSON.stringify(record)),
    )
  const [from, path] = [run.file('a.csv', csv), join(run.folder, 'a.parquet')].map(each =>
    literal(text(each)),
  )
  await run.writer.run(
    `COPY (FROM read_csv(${from}, all_varchar = true, header = true, delim = ',', quote = '"', escape = '"')) TO ${path} (FORMAT parquet)`,
  )
  return join(run.folder, 'a.parquet')
}

const ALL_KINDS = ['csv', 'ndjson', 'parquet'] as const
const KINDS = amount<readonly (typeof ALL_KINDS)[number][]>({
  test: ['csv'],
  prove: ALL_KINDS,
  long: ALL_KINDS,
})

describe.each(KINDS)('a text in %s', kind => {
  test.each(Object.keys(BASES) as (keyof typeof BASES)[])(
    'for a column of %s is read or rejected',
    async name => {
      const run = await readingOf(name)
      for (const [, column, value, stored] of READ.filter(([each]) => each === name)) {
        const path = await written(run, kind, [{ ...BASES[name], [column]: value }])
        expect(await run.read(kind, path), value).toBe(1)
        expect(await run.rejects(), value).toEqual([])
        expect(await run.accepted(column), value).toEqual([stored])
      }
      for (const [, column, value, reason] of REFUSED.filter(([each]) => each === name)) {
        const path = await written(run, kind, [BASES[name], { ...BASES[name], [column]: value }])
        expect(await run.read(kind, path), value).toBe(2)
        const line = kind === 'csv' ? 3 : 2
        expect(await run.rejects(), value).toEqual([`${line}|${column}|${reason}|${value}`])
        expect((await run.accepted(column)).length, value).toBe(1)
      }
    },
  )
})

test('numbers of JSON keep every digit, and its lists, objects and nulls their meaning', async () => {
  const run = await readingOf('prediction_books')
  const path = run.file(
    'a.ndjson',
    [
      '\ufeff{"date":"2024-01-03","asset_id":712345678901234567890,"timestamp":"2024-01-03T00:00:00Z",',
      '"bid_prices":[123456789012.123456, 0.1],"bid_sizes":[],"ask_prices":["1.5"],"ask_sizes":[1]}\r\n',
      '\n',
      '{"date":"2024-01-03","asset_id":{"a": [1, "x"]},"timestamp":"2024-01-03T00:00:00Z",',
      '"bid_prices":[],"bid_sizes":[],"ask_prices":[],"ask_sizes":[], "more": 1}\n',
      '{"date":"2024-01-03","asset_id":null}\n{"date":1,}\n[]\n{"date":1,"date":2}\n',
    ].join(''),
  )
  expect(await run.read('ndjson', path)).toBe(6)
  expect(await run.accepted('asset_id')).toEqual(['712345678901234567890', '{"a": [1, "x"]}'])
  expect(await run.accepted('bid_prices')).toEqual(['[123456789012.123456, 0.100000]', '[]'])
  expect(await run.rejects()).toEqual(
    [
      '4|asset_id|missing|',
      '5|not a JSON object|{"date":1,}',
      '6|not a JSON object|[]',
      '7|a repeated member|{"date":1,"date":2}',
    ].map(each => each.replace(/^([567])\|/, '$1||')),
  )
  expect(run.unused).toEqual(['more'])
})

test('Parquet of other types fits where nothing is lost', async () => {
  const run = await readingOf('stock_trades')
  const path = join(run.folder, 'a.parquet')
  const row = (price: string, size: string, time: string, ticker: string) =>
    `SELECT 'D'::BLOB AS exchange, ${ticker} AS ticker, TIMESTAMP '2024-01-03' AS date, ${time} AS "Executed_At",
      1::UTINYINT AS sequence, ${price}::DOUBLE AS price, ${size}::DOUBLE AS size, false AS canceled`
  const ns = (fraction: string) => `TIMESTAMP_NS '2024-01-03 14:30:00.${fraction}'`
  const rows = [
    row('0.1', '100', ns('123456'), `'A'`),
    row('1e-05', '1e3', ns('5'), `'A'`),
    row('1.0000001', '1', ns('5'), `'A'`),
    row('1', '1.5', ns('5'), `'A'`),
    row('1', '1', ns('123456789'), `'A'`),
    row('1', '1', ns('5'), 'NULL'),
  ]
  await run.writer.run(`COPY (${rows.join(' UNION ALL ')}) TO ${literal(text(path))} (FORMAT parquet)`)
  expect(await run.read('parquet', path)).toBe(6)
  expect(await run.accepted('price')).toEqual(['0.100000', '0.000010'])
  expect(await run.accepted('size')).toEqual(['100', '1000'])
  expect(await run.accepted('executed_at')).toEqual(['2024-01-03 14:30:00.123456', '2024-01-03 14:30:00.5'])
  expect(await run.rejects()).toEqual([
    '3|price|more than 6 decimals|1.0000001',
    '4|size|not a whole number|1.5',
    '5|executed_at|finer than a microsecond|2024-01-03 14:30:00.123456789',
    '6|ticker|missing|',
  ])
})

test('a file that lacks a required column is rejected with the column’s name', async () => {
  const run = await readingOf('stock_trades')
  const { ticker: _, ...rest } = TRADE
  for (const kind of ['csv', 'ndjson', 'parquet'] as const)
    await expect(run.read(kind, await written(run, kind, [rest])), kind).rejects.toThrow(/lacks .*ticker/)
  const broken = run.file('b.parquet', Buffer.from('PAR1 no'))
  await expect(run.read('parquet', broken)).rejects.toThrow(/b\.parquet cannot be read as Parquet/)
})
