import { describe, expect, test } from 'vitest'
import { derived } from '../../fixtures/derive.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

/** A bar of ACME that opens and closes as specified. */
const bar = (date: string, open: number, close = open, adjusted_close: number | null = null) => ({
  ticker: 'ACME' as string,
  date,
  open,
  close,
  adjusted_close,
})

const split = (date: string, new_shares: number, old_shares = 1) => ({
  ticker: 'ACME',
  date,
  new_shares,
  old_shares,
})

const dividend = (ex_date: string, amount: number | string, more: Row = {}) => ({
  ticker: 'ACME',
  ex_date,
  kind: 'regular',
  amount,
  ...more,
})

interface Events {
  readonly splits?: readonly Row[]
  readonly dividends?: readonly Row[]
}

async function rowsOf(days: readonly ReturnType<typeof bar>[], { splits = [], dividends = [] }: Events = {}) {
  const dates = days.map(({ date }) => date).toSorted()
  return await derived(
    'price_adjustments',
    { from: dates[0] ?? '', to: dates.at(-1) ?? '' },
    {
      stock_days: rowsAsSql(days),
      ...(splits.length > 0 ? { stock_splits: rowsAsSql(splits) } : {}),
      ...(dividends.length > 0 ? { stock_dividends: rowsAsSql(dividends) } : {}),
    },
  )
}

/** split_ratio, dividend_ratio and adjustment of the last day, null where it has none. */
async function lastOf(days: readonly ReturnType<typeof bar>[], events: Events = {}) {
  const row = (await rowsOf(days, events)).find(({ date }) => date === days.at(-1)?.date)
  return [row?.split_ratio ?? null, row?.dividend_ratio ?? null, row?.adjustment ?? null]
}

const FELL = [bar('2024-03-01', 100), bar('2024-03-04', 25)]
const SMOOTH = [bar('2024-03-01', 25), bar('2024-03-04', 25.5)]

describe('a split', () => {
  test('multiplies the prices from its first day on, and none before', async () => {
    expect(await lastOf(FELL, { splits: [split('2024-03-04', 4)] })).toEqual([4, null, 4])
    // On the Sunday before.
    expect(await lastOf(FELL, { splits: [split('2024-03-03', 4)] })).toEqual([4, null, 4])
    expect(await lastOf(FELL, { splits: [split('2024-03-01', 4)] })).toEqual([null, null, null])
    expect(await lastOf(FELL, { splits: [split('2024-03-05', 4)] })).toEqual([null, null, null])
    const merged = [bar('2024-03-01', 1), bar('2024-03-04', 10)]
    expect(await lastOf(merged, { splits: [split('2024-03-04', 1, 10)] })).toEqual([0.1, null, 0.1])
  })

  test('of several days without a bar is their product', async () => {
    const rows = [bar('2024-03-01', 100), bar('2024-03-06', 12)]
    const splits = [split('2024-03-04', 4), split('2024-03-05', 2)]
    expect(await lastOf(rows, { splits })).toEqual([8, null, 8])
  })

  test('changes nothing in bars that are adjusted for it already', async () => {
    expect(await lastOf(SMOOTH, { splits: [split('2024-03-04', 4)] })).toEqual([1, null, null])
    expect(await lastOf(SMOOTH, { splits: [split('2024-03-04', 1, 10)] })).toEqual([1, null, null])
    // A stock dividend of 5 % is too little to be seen in a price.
    expect(await lastOf(SMOOTH, { splits: [split('2024-03-04', 21, 20)] })).toEqual([1.05, null, 1.05])
  })

  test('that adjusted closes show needs no adjustment of them', async () => {
    const shown = [bar('2024-03-01', 100, 100, 25), bar('2024-03-04', 25, 25, 25)]
    expect(await lastOf(shown)).toEqual([null, null, null])
    // The same, by the entry: 1/4 × 4.
    expect(await lastOf(shown, { splits: [split('2024-03-04', 4)] })).toEqual([4, null, null])
    // Adjusted closes of files of before and after the split.
    const stale = [bar('2024-03-01', 100, 100, 100), bar('2024-03-04', 25, 25, 25)]
    expect(await lastOf(stale, { splits: [split('2024-03-04', 4)] })).toEqual([4, null, 4])
    // With a dividend of 2 % on the same day; and no split at all, as the entry says.
    const both = [bar('2024-03-01', 100, 100, 24.5), bar('2024-03-04', 25, 25, 25)]
    expect(await lastOf(both, { splits: [split('2024-03-04', 4)] })).toEqual([4, null, null])
    expect(await lastOf(shown, { splits: [split('2024-03-04', 1)] })).toEqual([1, null, 0.25])
  })
})

describe('a dividend', () => {
  // Apple, 8 November 2024: 0.25 dollars after a close of 227.48; 1 - 0.25 / 227.48, as Yahoo's formula has it.
  const APPLE = [bar('2024-11-07', 224.63, 227.48), bar('2024-11-08', 227.17, 226.96)]

  test('leaves 1 - D / C of the previous close', async () => {
    const left = (227.48 - 0.25) / 227.48
    expect(await lastOf(APPLE, { dividends: [dividend('2024-11-08', 0.25)] })).toEqual([null, left, 1 / left])
  })

  test.each([
    ['on a day without a bar counts on the next one', [dividend('2024-03-02', 10)], 0.9],
    ['adds to others since the last day', [dividend('2024-03-02', 10), dividend('2024-03-04', '2.5')], 0.875],
    ['of each kind adds', [dividend('2024-03-04', 10), dividend('2024-03-04', 10, { kind: 'special' })], 0.8],
    ['in dollars counts', [dividend('2024-03-04', 10, { currency: 'USD' })], 0.9],
    ['in another currency does not', [dividend('2024-03-04', 10, { currency: 'EUR' })], null],
    ['of the day before does not', [dividend('2024-03-01', 10)], null],
    ['of a later day does not', [dividend('2024-03-05', 10)], null],
    ['of the whole price does not', [dividend('2024-03-04', 100)], null],
  ])('%s', async (_, dividends, left) => {
    const rows = await lastOf([bar('2024-03-01', 100), bar('2024-03-04', 90)], { dividends })
    expect(rows).toEqual([null, left, left && 1 / left])
  })

  test('on the day of a split is per new share, one before it per old share', async () => {
    const events = (ex_date: string) => ({
      splits: [split('2024-03-04', 4)],
      dividends: [dividend(ex_date, 1)],
    })
    // 4 new shares pay 4 dollars of 100; 4 / 0.96.
    expect(await lastOf(FELL, events('2024-03-04'))).toEqual([4, 0.96, 4 / 0.96])
    expect(await lastOf(FELL, events('2024-03-02'))).toEqual([4, 0.99, 4 / 0.99])
    const reverse = { splits: [split('2024-03-04', 2, 3)], dividends: [dividend('2024-03-04', 3)] }
    const [shares, left, change] = await lastOf([bar('2024-03-01', 100), bar('2024-03-04', 150)], reverse)
    expect([shares, left]).toEqual([2 / 3, 0.98])
    expect(change).toBeCloseTo(2 / 3 / 0.98, 14)
  })

  test('counts where a day has no adjusted close; two adjusted closes have it already', async () => {
    const dividends = [dividend('2024-03-04', 10), dividend('2024-03-05', 9.2)]
    const rows = await rowsOf(
      [bar('2024-03-01', 100, 100, 90), bar('2024-03-04', 92, 92, 92), bar('2024-03-05', 83)],
      { dividends },
    )
    // 92 / 92 × 1 / 0.9 on the second day without an adjusted close.
    expect(rows.map(row => [row.date, row.dividend_ratio, row.adjustment])).toEqual([
      ['2024-03-04', 0.9, null],
      ['2024-03-05', 0.9, 1 / 0.9],
    ])
  })
})

test('adjusted closes on one of two days leave the change of the close', async () => {
  const rows = [
    bar('2024-03-01', 100),
    bar('2024-03-04', 110, 110, 55),
    bar('2024-03-05', 110, 110, 55),
    bar('2024-03-06', 99),
  ]
  const found = await rowsOf(rows)
  // 55 × 2 is comparable with 100, and 99 with 55 × 2.
  expect(found.map(row => [row.date, row.adjustment])).toEqual([
    ['2024-03-04', 2],
    ['2024-03-06', 0.5],
  ])
})

describe('a suspected split', () => {
  const suspected = async (rows: readonly ReturnType<typeof bar>[], events: Events = {}) =>
    (await rowsOf(rows, events)).at(-1)?.suspected_split ?? null

  test('is the ratio of close to open, within 3 %', async () => {
    const ratios: [ratio: number, expected: string | null][] = [
      [2, '2:1'],
      [3, '3:1'],
      [4, '4:1'],
      [5, '5:1'],
      [7, '7:1'],
      [10, '10:1'],
      [20, '20:1'],
      [1 / 2, '1:2'],
      [1 / 3, '1:3'],
      [1 / 4, '1:4'],
      [1 / 5, '1:5'],
      [1 / 7, '1:7'],
      [1 / 10, '1:10'],
      [1 / 20, '1:20'],
      [3 / 2, '3:2'],
      [2 / 3, '2:3'],
      [1.3, null],
      [2.3, null],
      [4.13, null],
      [4.11, '4:1'],
    ]
    const rows = await rowsOf(
      ratios.flatMap(([ratio], index) => {
        const ticker = `T${String(index).padStart(2, '0')}`
        return [
          { ...bar('2024-03-01', 100), ticker },
          { ...bar('2024-03-04', 100 / ratio), ticker },
        ]
      }),
    )
    const found = ratios.map((_, index) => rows.find(row => Number(String(row.ticker).slice(1)) === index))
    expect(found.map(row => row?.suspected_split ?? null)).toEqual(ratios.map(([, expected]) => expected))
  })

  test('is none where the split is known, and none after a crash that goes on', async () => {
    expect(await suspected(FELL)).toBe('4:1')
    expect(await suspected(FELL, { splits: [split('2024-03-03', 4)] })).toBeNull()
    expect(await suspected([bar('2024-03-01', 100, 100, 25), bar('2024-03-04', 25, 25, 25)])).toBeNull()
    expect(await suspected(FELL, { splits: [split('2024-03-04', 1)] })).toBeNull()
    expect(await suspected(FELL, { dividends: [dividend('2024-03-04', 75)] })).toBeNull()
    expect(await suspected([bar('2024-03-01', 100), bar('2024-03-04', 25, 18)])).toBeNull()
    expect(await suspected([bar('2024-03-01', 100), bar('2024-03-12', 25)])).toBeNull()
    expect(await suspected([bar('2024-03-01', 0.2), bar('2024-03-04', 0.05)])).toBeNull()
  })
})
