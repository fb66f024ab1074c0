import { makeTable } from 'apache-arrow'
import { expect, test } from 'vitest'
import type { LakeFile, Selection, Snapshot } from '../../../src/lake/store/snapshot.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { cryptoOhlc } from '../../../src/operations/catalog/crypto-ohlc.ts'
import { etfHoldings } from '../../../src/operations/catalog/etf-holdings.ts'
import { predictionLiquidity } from '../../../src/operations/catalog/prediction-liquidity.ts'

/** Answers that need only the last days of a long history read only those, and all of it where they do not suffice. */

const caller = { owner: null, admin: false }
const DAY_MS = 86_400_000

/** A lake whose datasets have a file for each of the 1,000 days up to 2024-12-31, a Tuesday. */
const files = Array.from({ length: 1_000 }, (_, index): LakeFile => {
  const day = new Date(Date.parse('2024-12-31') - (999 - index) * DAY_MS).toISOString().slice(0, 10)
  return { path: day, name: day, rows: 1, bytes: 1, sha256: day, dates: [day, day], ranges: {} }
})
const snapshot: Snapshot = {
  lake: '/',
  number: 1,
  files: (_, { from = '', to = '9' }: Selection = {}) =>
    files.filter(({ name }) => name >= from && name <= to),
  lastDate: () => '2024-12-31',
}
const planned = (operation: Operation, values: Readonly<Record<string, unknown>>) =>
  operation.plan(values, snapshot, caller)
const firstDay = (operation: Operation, dataset: string, values: Readonly<Record<string, unknown>>) =>
  planned(operation, values).reads[dataset]?.from

const candles = (candle_size: string, limit: number, date: string | null = null) =>
  firstDay(cryptoOhlc, 'crypto_candles', { pair: 'BTC-USD', candle_size, limit, date })

test('candles are looked for in a quarter more time than they take and a day, weeks from a Monday on', () => {
  // 500 minutes are 8 h 20 min, within a day: two days back from December 31.
  expect(candles('1m', 500)).toBe('2024-12-29')
  // 1.25 × 100 h are more than 5 days and less than 6: seven days back.
  expect(candles('1h', 100)).toBe('2024-12-24')
  // Back from the day asked for, Wednesday, May 1: 1.25 × 4 days and one more.
  expect(candles('1d', 4, '2024-05-01')).toBe('2024-04-25')
  // 1.25 × 10 weeks are 88 days, and one more: back from December 31 that is Thursday, October 3.
  expect(candles('1w', 10)).toBe('2024-09-30')
})

test('a week that starts on the day asked for is read to its end', () => {
  const values = { pair: 'BTC-USD', candle_size: '1w', limit: 1, date: '2024-05-06' }
  expect(planned(cryptoOhlc, values).reads.crypto_candles).toMatchObject({ to: '2024-05-12' })
})

test('lists of holdings are looked for in 45 days, books in 7', () => {
  expect(firstDay(etfHoldings, 'etf_holdings', { ticker: 'WIDE' })).toBe('2024-11-16')
  expect(firstDay(predictionLiquidity, 'prediction_books', { asset_id: '1' })).toBe('2024-12-24')
})

test('all of the history is read where the last days do not suffice, and it decides the validator either way', async () => {
  const values = { pair: 'BTC-USD', candle_size: '1d', limit: 2, date: null }
  const rows = (count: number) => async () => makeTable({ row: new Int32Array(count) })
  const settled = async (count: number) =>
    planned(cryptoOhlc, (await cryptoOhlc.settle?.(values, rows(count))) ?? {})
  const enough = await settled(2)
  const tooFew = await settled(1)
  expect(enough.reads.crypto_candles?.from).toBe('2024-12-27')
  expect(tooFew.reads.crypto_candles).toEqual({ to: '2024-12-31', keys: { pair: ['BTC-USD'] } })
  expect(enough.resolved).toEqual(files.map(({ sha256 }) => sha256))
  expect(tooFew.resolved).toEqual(enough.resolved)
})
