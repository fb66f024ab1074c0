import { describe, expect, test } from 'vitest'
import { derived } from '../../fixtures/derive.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

/** A bar of ACME: high, low and close as specified, opening at the low. */
const bar = (date: string, high: number, low: number, close: number, volume: number, adjusted?: number) => ({
  ticker: 'ACME',
  date,
  open: low,
  high,
  low,
  close,
  adjusted_close: adjusted ?? null,
  volume,
})

const split = (date: string, new_shares: number, old_shares: number, ticker = 'ACME') => ({
  ticker,
  date,
  new_shares,
  old_shares,
})

async function figures(
  daily: readonly Row[],
  splits: readonly Row[] = [],
  days?: { from: string; to: string },
) {
  const dates = daily.map(({ date }) => String(date)).toSorted()
  const rows = await derived('stock_days', days ?? { from: dates[0] ?? '', to: dates.at(-1) ?? '' }, {
    daily_bars: rowsAsSql(daily),
    ...(splits.length > 0 ? { stock_splits: rowsAsSql(splits) } : {}),
  })
  return rows.map(row => [row.date, row.previous_close, row.avg30_volume, row.week52_high, row.week52_low])
}

const WHOLE = [
  ['2024-03-01', null, '1000.0000', '120.000000', '80.000000'],
  // 120, 80, 100 and 1,000 before a split of 2:1 are 60, 40, 50 and 2,000 after it.
  ['2024-03-04', '50.000000', '2500.0000', '60.000000', '40.000000'],
]
const RAW = [
  ['2024-03-01', null, '1000.0000', '120.000000', '80.000000'],
  ['2024-03-04', '100.000000', '2000.0000', '120.000000', '51.000000'],
]
const before = bar('2024-03-01', 120, 80, 100, 1000)
const after = bar('2024-03-04', 55, 51, 52, 3000)

describe('history across a split', () => {
  test('is as traded without an entry and without adjusted closes', async () => {
    expect(await figures([before, after])).toEqual(RAW)
    expect(await figures([before, after], [split('2024-03-04', 2, 1, 'BRASS')])).toEqual(RAW)
  })

  test('is on the basis of the later day, whichever day after the last session the split has', async () => {
    for (const date of ['2024-03-02', '2024-03-03', '2024-03-04'])
      expect(await figures([before, after], [split(date, 2, 1)])).toEqual(WHOLE)
  })

  test('is as in the file where the bars are adjusted for the split already', async () => {
    const smooth = [bar('2024-03-01', 30, 20, 25, 1000), bar('2024-03-04', 28, 26, 27, 2000)]
    const rows = await figures(smooth, [split('2024-03-04', 4, 1)])
    expect(rows[1]).toEqual(['2024-03-04', '25.000000', '1500.0000', '30.000000', '20.000000'])
    expect(await figures(smooth, [split('2024-03-04', 1, 10)])).toEqual(rows)
  })

  test('does not know a split before its day', async () => {
    expect(await figures([before, after], [split('2024-03-05', 2, 1)])).toEqual(RAW)
    const third = bar('2024-03-05', 27, 25, 26, 6000)
    const known = await figures([before, after, third], [split('2024-03-05', 2, 1)])
    expect(known.slice(0, 2)).toEqual(RAW)
    // (2,000 + 6,000 + 6,000) / 3.
    expect(known[2]).toEqual(['2024-03-05', '26.000000', '4666.6667', '60.000000', '25.000000'])
  })

  test('of a reverse split has fewer and dearer shares', async () => {
    const merged = bar('2024-03-04', 1100, 1000, 1050, 150)
    expect((await figures([before, merged], [split('2024-03-04', 1, 10)]))[1]).toEqual([
      '2024-03-04',
      '1000.000000',
      // (100 + 150) / 2.
      '125.0000',
      '1200.000000',
      '800.000000',
    ])
  })

  test('of several splits has their product, rounded once, half to even', async () => {
    const third = bar('2024-03-06', 9, 8, 8.5, 100)
    const rows = await figures(
      [bar('2024-03-01', 100, 80.000004, 90.000012, 7), bar('2024-03-05', 30, 29, 29.5, 10), third],
      [split('2024-03-04', 3, 1), split('2024-03-05', 1, 1), split('2024-03-06', 8, 3)],
    )
    // 3:1 and 8:3 are 8:1: 12.5, 10.0000005 to an even last place, and 7 × 8 shares; 29.5 × 3/8 = 11.0625.
    expect(rows[2]).toEqual(['2024-03-06', '11.062500', '60.8889', '12.500000', '8.000000'])
    expect(rows[1]).toEqual(['2024-03-05', '30.000004', '15.5000', '33.333333', '26.666668'])
    const even = await figures(
      [
        bar('2024-03-01', 80.000012, 80.000004, 80.000004, 7),
        bar('2024-03-06', 10.000001, 10.000001, 10.000001, 100),
      ],
      [split('2024-03-06', 8, 1)],
    )
    // 10.0000015 and 10.0000005 lie between two last places.
    expect(even[1]).toEqual(['2024-03-06', '10.000000', '78.0000', '10.000002', '10.000000'])
  })
})

describe('adjusted closes', () => {
  const adjusted = (first: number, second: number) => [
    { ...before, adjusted_close: first },
    { ...after, adjusted_close: second },
  ]

  test('have the split that no entry has', async () => {
    expect(await figures(adjusted(50, 52))).toEqual(WHOLE)
    // With a dividend of 1 % on the same day, and on the level of a later split of 4:1.
    expect(await figures(adjusted(49.5, 52))).toEqual(WHOLE)
    expect(await figures(adjusted(12.5, 13))).toEqual(WHOLE)
  })

  test('count once where an entry has the split, and not at all where it has another ratio', async () => {
    expect(await figures(adjusted(50, 52), [split('2024-03-02', 2, 1)])).toEqual(WHOLE)
    expect((await figures(adjusted(50, 52), [split('2024-03-04', 4, 1)]))[1]?.[1]).toBe('25.000000')
    expect(await figures(adjusted(50, 52), [split('2024-03-04', 1, 1)])).toEqual(RAW)
  })

  test.each([
    ['3:2', 66.666667, 66, '66.666667'],
    ['5:2', 40, 41, '40.000000'],
    ['7:1', 14.285714, 14, '14.285714'],
    ['1:10', 1000, 980, '1000.000000'],
    ['2:3', 150, 155, '150.000000'],
    ['1:35', 3500, 3600, '3500.000000'],
  ])('show a split of %s', async (_, first, close, expected) => {
    const rows = await figures([
      { ...before, adjusted_close: first },
      bar('2024-03-04', close, close, close, 1, close),
    ])
    expect(rows[1]?.[1]).toBe(expected)
  })

  test.each([
    ['a dividend', 96, 96],
    ['a dividend of a quarter', 75, 75],
    ['another level without a move of the price, as of files of different times', 50, 100],
    ['a fall of the price without another level', 100, 50],
    ['a rise of the price with the level of a split', 50, 180],
    ['a level between two ratios', 44.4, 45],
  ])('show no split in %s', async (_, first, close) => {
    const rows = await figures([
      { ...before, adjusted_close: first },
      bar('2024-03-04', close, close, close, 1, close),
    ])
    expect(rows[1]?.[1]).toBe('100.000000')
  })

  test('of zero or below show nothing', async () => {
    for (const level of [0, -50]) expect(await figures(adjusted(level, 52))).toEqual(RAW)
  })
})

test('an entry without shares is no split', async () => {
  expect(await figures([before, after], [split('2024-03-04', 0, 1)])).toEqual(RAW)
  expect(await figures([before, after], [split('2024-03-04', 2, 0)])).toEqual(RAW)
})
