import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { loadSnapshot, type Snapshot } from '../../src/lake/snapshot.ts'
import { analyticsWindow } from '../../src/operations/analytics-window.ts'
import { answer, pin } from '../../src/operations/answer.ts'
import { validate } from '../../src/operations/validate.ts'
import { flatDay, makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { engineFor } from '../fixtures/service.ts'

const folder = temporaryFolder()
let engine: Engine
let snapshot: Snapshot

/** A bar at a New York wall-clock time: `bar('ONE', '2024-01-02', '09:30', 10, 12, 9, 11)`. */
function bar(
  ticker: string,
  date: string,
  time: string,
  ...prices: [open: number, high: number, low: number, close: number]
) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return [ticker, date, (hours * 60 + minutes) * 60_000, ...prices, 100].join(',')
}

const DAYS = [
  ...SMALL_DAYS,
  // SPLIT halves: what was 100 counts as 50 before it.
  '2024-01-04,90,110,80,100,50,1000,SPLIT',
  '2024-01-05,60,62,58,60,60,1000,SPLIT',
  flatDay('ALONE', '2024-01-05', '7'),
  flatDay('FLAT', '2024-01-02', '0.1'),
  flatDay('FLAT', '2024-01-03', '0.1'),
  flatDay('FLAT', '2024-01-05', '0.1'),
  // Three weeks around a year's end; the last Friday is missing, and Monday the 1st was no session.
  ...[
    ['2023-12-14', 10],
    ['2023-12-15', 11],
    ['2023-12-18', 12],
    ['2023-12-20', 13],
    ['2023-12-29', 14],
    ['2024-01-02', 15],
    ['2024-01-04', 16.5],
  ].map(([date, close]) => flatDay('WEEK', String(date), String(close))),
]
const BARS = [
  bar('ONE', '2024-01-05', '04:00', 1, 1, 1, 1), // before the session
  bar('ONE', '2024-01-05', '09:30', 100, 101, 99, 100),
  bar('ONE', '2024-01-05', '09:31', 100, 104, 98, 102),
  bar('ONE', '2024-01-05', '09:35', 102, 103, 101, 102),
  bar('ONE', '2024-01-05', '10:30', 102, 112, 102, 110),
  bar('ONE', '2024-01-05', '15:59', 110, 110, 99, 99),
  bar('ONE', '2024-01-05', '16:00', 1, 1, 1, 1), // after the close
  // The day after Thanksgiving 2023 ended at 13:00.
  bar('ONE', '2023-11-24', '12:59', 50, 50, 50, 50),
  bar('ONE', '2023-11-24', '13:00', 60, 60, 60, 60),
  bar('SPLIT', '2024-01-04', '09:30', 100, 100, 100, 100),
  bar('SPLIT', '2024-01-05', '09:30', 60, 60, 60, 60),
]

beforeAll(async () => {
  const lake = await makeLake(folder, { days: DAYS, bars: BARS })
  snapshot = await loadSnapshot(lake)
  engine = await engineFor(lake)
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

function pinned(query: string) {
  const validated = validate(analyticsWindow, { path: {}, query: [...new URLSearchParams(query)] })
  if ('faults' in validated) throw new Error(JSON.stringify(validated.faults))
  return pin(analyticsWindow, validated.values, snapshot)
}

async function ask(query: string) {
  const bytes = await answer(pinned(query), engine, 'json', new AbortController().signal)
  return JSON.parse(Buffer.from(bytes).toString()).data
}

async function figures(query: string) {
  return (await ask(query)).payload.RETURNS_CALCULATIONS
}

/** Rounds every number, since 0.1 and its kin are no binary fractions. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'number' ? Math.round(inner * 1e12) / 1e12 : inner,
  )

const FULL = 'range=full&symbols='

describe('the calculations of a window', () => {
  test('are those that a pencil finds', async () => {
    // ONE returns +0.1, −0.1, +0.1: mean 1/30, deviations 2/30, −4/30, 2/30, squares 24/900 in all.
    const answer = await figures(
      `${FULL}ONE&calculations=MIN,MAX,MEAN,MEDIAN,CUMULATIVE_RETURN,VARIANCE,STDDEV,AUTOCORRELATION,AUTOCORRELATION(lag=2),AUTOCORRELATION(lag=3)`,
    )
    expect(rounded(answer)).toEqual(
      rounded({
        MIN: { ONE: -0.1 },
        MAX: { ONE: 0.1 },
        MEAN: { ONE: 1 / 30 },
        MEDIAN: { ONE: 0.1 },
        CUMULATIVE_RETURN: { ONE: 0.089 },
        VARIANCE: { ONE: 8 / 900 },
        STDDEV: { ONE: Math.sqrt(8) / 30 },
        AUTOCORRELATION: { ONE: -16 / 24 },
        'AUTOCORRELATION(LAG=2)': { ONE: 4 / 24 },
        'AUTOCORRELATION(LAG=3)': { ONE: null },
      }),
    )
  })

  test('are annualized by the interval', async () => {
    const annual =
      'calculations=VARIANCE(annualized=True),STDDEV(annualized=True),COVARIANCE(annualized=True)'
    expect(rounded(await figures(`${FULL}ONE&${annual}`))).toEqual(
      rounded({
        'VARIANCE(ANNUALIZED=TRUE)': { ONE: (252 * 8) / 900 },
        'STDDEV(ANNUALIZED=TRUE)': { ONE: (Math.sqrt(252) * Math.sqrt(8)) / 30 },
        'COVARIANCE(ANNUALIZED=TRUE)': { index: ['ONE'], covariance: [[(252 * 8) / 900]] },
      }),
    )
    // 60min closes 102, 110, 99: returns 8/102 and −0.1.
    const [up, down] = [8 / 102, -0.1]
    const variance = ((up - down) / 2) ** 2
    expect(
      rounded(
        await figures(`symbols=ONE&range=2024-01-05&interval=60min&calculations=VARIANCE(annualized=True)`),
      ),
    ).toEqual(rounded({ 'VARIANCE(ANNUALIZED=TRUE)': { ONE: variance * 252 * 6.5 } }))
  })

  test('over several symbols join on the days that all have', async () => {
    // ONE 100, 99, 108.9: −0.01, +0.1. TWO 50, 45, 54: −0.1, +0.2.
    const answer = await figures(
      `${FULL}TWO,ONE&calculations=COVARIANCE,CORRELATION,CORRELATION(method=KENDALL),CORRELATION(method=SPEARMAN)`,
    )
    const one = { index: ['TWO', 'ONE'], correlation: [[1], [1, 1]] }
    expect(rounded(answer)).toEqual({
      COVARIANCE: { index: ['TWO', 'ONE'], covariance: [[0.0225], [0.00825, 0.003025]] },
      CORRELATION: one,
      'CORRELATION(METHOD=KENDALL)': one,
      'CORRELATION(METHOD=SPEARMAN)': one,
    })
  })

  test('count a histogram into equal bins, the last one closed', async () => {
    const answer = await figures(`${FULL}ONE,FLAT&calculations=HISTOGRAM(bins=4)`)
    expect(rounded(answer)).toEqual({
      'HISTOGRAM(BINS=4)': {
        ONE: { bin_count: [1, 0, 0, 2], bin_edges: [-0.1, -0.05, 0, 0.05, 0.1] },
        // Both returns are 0: bin ⌊4/2⌋ of [−0.5, 0.5].
        FLAT: { bin_count: [0, 0, 2, 0], bin_edges: [-0.5, -0.25, 0, 0.25, 0.5] },
      },
    })
  })

  test('name the peak and the trough of a drawdown', async () => {
    const answer = await figures(`${FULL}ONE,FLAT&calculations=MAX_DRAWDOWN`)
    expect(rounded(answer.MAX_DRAWDOWN)).toEqual({
      ONE: {
        max_drawdown: -0.1,
        drawdown_range: { start_drawdown: '2024-01-03', end_drawdown: '2024-01-04' },
      },
      FLAT: { max_drawdown: 0, drawdown_range: { start_drawdown: null, end_drawdown: null } },
    })
  })

  test('have no value where there is too little or nothing varies', async () => {
    const scalars = 'MIN,MEAN,MEDIAN,CUMULATIVE_RETURN,VARIANCE,AUTOCORRELATION'
    expect(
      await figures(
        `${FULL}ALONE,FLAT,NONE&calculations=${scalars},MAX_DRAWDOWN,HISTOGRAM,CORRELATION,COVARIANCE`,
      ),
    ).toEqual({
      MIN: { ALONE: null, FLAT: 0, NONE: null },
      MEAN: { ALONE: null, FLAT: 0, NONE: null },
      MEDIAN: { ALONE: null, FLAT: 0, NONE: null },
      CUMULATIVE_RETURN: { ALONE: 0, FLAT: 0, NONE: null },
      VARIANCE: { ALONE: null, FLAT: 0, NONE: null },
      AUTOCORRELATION: { ALONE: null, FLAT: null, NONE: null },
      MAX_DRAWDOWN: {
        ALONE: { max_drawdown: 0, drawdown_range: { start_drawdown: null, end_drawdown: null } },
        FLAT: { max_drawdown: 0, drawdown_range: { start_drawdown: null, end_drawdown: null } },
        NONE: null,
      },
      HISTOGRAM: {
        ALONE: null,
        FLAT: { bin_count: [0, 0, 0, 0, 0, 2, 0, 0, 0, 0], bin_edges: expect.any(Array) },
        NONE: null,
      },
      // One day in common: no return at all.
      CORRELATION: { index: ['ALONE', 'FLAT'], correlation: [[null], [null, null]] },
      COVARIANCE: { index: ['ALONE', 'FLAT'], covariance: [[null], [null, null]] },
    })
    expect(await figures(`${FULL}ONE,FLAT&calculations=CORRELATION,COVARIANCE`)).toMatchObject({
      CORRELATION: { correlation: [[1], [null, null]] },
      COVARIANCE: { covariance: [[expect.any(Number)], [null, null]] },
    })
  })
})

describe('a window', () => {
  test('tells what it covers', async () => {
    expect((await ask(`${FULL}two,one,TWO&calculations=MEAN&ohlc=HIGH`)).meta).toEqual({
      symbols: 'TWO,ONE',
      min_dt: '2024-01-02',
      max_dt: '2024-01-05',
      ohlc: 'High',
      interval: 'DAILY',
    })
  })

  test('without any data has neither meta nor payload', async () => {
    for (const query of [
      `${FULL}NONE`,
      'symbols=ONE&range=1990-01-01&range_end=1990-12-31',
      'symbols=ONE&range=2030-01-01',
    ]) {
      expect(await ask(`${query}&calculations=MEAN,COVARIANCE`)).toEqual({ meta: null, payload: null })
    }
  })

  const spans: [query: string, min: string, max: string][] = [
    ['range=2day', '2024-01-03', '2024-01-05'],
    ['range=1day&range_end=2024-01-04', '2024-01-03', '2024-01-04'],
    ['range=2024-01-03&range_end=2024-01-04', '2024-01-03', '2024-01-04'],
    ['range=2024-01', '2024-01-02', '2024-01-05'],
    ['range=1year&range_end=2024-01-03', '2024-01-02', '2024-01-03'],
  ]
  test.each(spans)('%s runs from %s to %s', async (query, min_dt, max_dt) => {
    expect((await ask(`symbols=ONE&calculations=MEAN&${query}`)).meta).toMatchObject({ min_dt, max_dt })
  })

  test('takes adjusted prices where the lake has them, open, high and low by the same factor', async () => {
    const change = async (ohlc: string) =>
      rounded((await figures(`${FULL}SPLIT&ohlc=${ohlc}&calculations=MAX`)).MAX.SPLIT)
    expect(await change('close')).toBe(0.2) // 50 to 60
    expect(await change('open')).toBe(rounded(60 / 45 - 1))
    expect(await change('high')).toBe(rounded(62 / 55 - 1))
    expect(await change('low')).toBe(rounded(58 / 40 - 1))
    // Intraday prices take the factor of their day.
    expect(rounded(await figures(`${FULL}SPLIT&interval=1min&calculations=MAX`))).toEqual({
      MAX: { SPLIT: 0.2 },
    })
  })

  test('of weeks or months takes the last bar of each', async () => {
    // Weeks end at 15 December (11), 20 (13), 29 (14), 4 January (16.5); months at 29 December (14) and 4 January.
    const weekly = await ask(`${FULL}WEEK&interval=WEEKLY&calculations=MIN,MAX,CUMULATIVE_RETURN`)
    expect(weekly.meta).toMatchObject({ min_dt: '2023-12-15', max_dt: '2024-01-04', interval: 'WEEKLY' })
    expect(rounded(weekly.payload.RETURNS_CALCULATIONS)).toEqual(
      rounded({ MIN: { WEEK: 14 / 13 - 1 }, MAX: { WEEK: 13 / 11 - 1 }, CUMULATIVE_RETURN: { WEEK: 0.5 } }),
    )
    const monthly = await ask(`${FULL}WEEK&interval=MONTHLY&calculations=MEAN`)
    expect(monthly.meta).toMatchObject({ min_dt: '2023-12-29', max_dt: '2024-01-04' })
    expect(rounded(monthly.payload.RETURNS_CALCULATIONS)).toEqual(rounded({ MEAN: { WEEK: 16.5 / 14 - 1 } }))
  })

  test('within a day keeps to the regular session and to marks from 09:30', async () => {
    const meta = async (query: string) => (await ask(`symbols=ONE&calculations=MEAN&${query}`)).meta
    expect(await meta('range=1day&interval=1min')).toMatchObject({
      min_dt: '2024-01-05T14:30:00Z',
      max_dt: '2024-01-05T20:59:00Z',
    })
    expect(await meta('range=2023-11&interval=30min')).toMatchObject({
      min_dt: '2023-11-24T17:30:00Z',
      max_dt: '2023-11-24T17:30:00Z',
    })
    const range = async (ohlc: string, interval: string) =>
      rounded(
        await figures(
          `symbols=ONE&range=2024-01-05&interval=${interval}&ohlc=${ohlc}&calculations=MIN,MAX,CUMULATIVE_RETURN`,
        ),
      )
    // 5min bars start 09:30, 09:35, 10:30, 15:55: opens 100, 102, 102, 110; highs 104, 103, 112, 110; lows 98, 101, 102, 99.
    expect(await range('open', '5min')).toEqual(
      rounded({ MIN: { ONE: 0 }, MAX: { ONE: 110 / 102 - 1 }, CUMULATIVE_RETURN: { ONE: 0.1 } }),
    )
    expect(await range('high', '5min')).toEqual(
      rounded({
        MIN: { ONE: 110 / 112 - 1 },
        MAX: { ONE: 112 / 103 - 1 },
        CUMULATIVE_RETURN: { ONE: 110 / 104 - 1 },
      }),
    )
    expect(await range('low', '5min')).toEqual(
      rounded({
        MIN: { ONE: 99 / 102 - 1 },
        MAX: { ONE: 101 / 98 - 1 },
        CUMULATIVE_RETURN: { ONE: 99 / 98 - 1 },
      }),
    )
    // 60min bars start 09:30, 10:30, 15:30: closes 102, 110, 99.
    expect(await range('close', '60min')).toEqual(
      rounded({ MIN: { ONE: -0.1 }, MAX: { ONE: 110 / 102 - 1 }, CUMULATIVE_RETURN: { ONE: 99 / 102 - 1 } }),
    )
  })

  test('of minutes goes back from the close, takes whole bars, and reads instants in any zone', async () => {
    const meta = async (query: string) => (await ask(`symbols=ONE&calculations=MEAN&${query}`)).meta
    expect(await meta('range=1minute&interval=1min')).toMatchObject({ min_dt: '2024-01-05T20:59:00Z' })
    expect(await meta('range=6hour&interval=1min')).toMatchObject({ min_dt: '2024-01-05T15:30:00Z' })
    expect(await meta('range=1hour&range_end=2023-11-24&interval=1min')).toMatchObject({
      min_dt: '2023-11-24T17:59:00Z',
    })
    // The 60min bar of 09:30 starts before 09:31 and is left out whole; that of 10:30 starts at the end and is in.
    expect(
      await meta('range=2024-01-05T09:31:00-05:00&range_end=2024-01-05T15:30:00Z&interval=60min'),
    ).toMatchObject({
      min_dt: '2024-01-05T15:30:00Z',
      max_dt: '2024-01-05T15:30:00Z',
    })
  })
})

describe('what a window reads', () => {
  test('is at most one file a year of a history, and nothing of the years beside it', async () => {
    const own = temporaryFolder()
    const years = [2009, 2010, 2011, 2012]
    const days = ['ONE', 'TWO', 'SIX'].flatMap(ticker =>
      years.flatMap(year =>
        ['01-02', '06-15', '12-31'].map((day, n) => flatDay(ticker, `${year}-${day}`, String(10 + n))),
      ),
    )
    const lake = await makeLake(own, { days })
    const history = await loadSnapshot(lake)
    const validated = validate(analyticsWindow, {
      path: {},
      query: [
        ...new URLSearchParams('symbols=ONE,SIX&range=2010-01-01&range_end=2011-12-31&calculations=MEAN'),
      ],
    })
    if ('faults' in validated) throw new Error('faults')
    const request = pin(analyticsWindow, validated.values, history)
    const read = request.files.get('stock_days') ?? []
    expect(read.map(({ dates: [from] }) => from.slice(0, 4))).toEqual(['2010', '2011'])
    expect(request.files.get('stock_bars')).toEqual([])
    // The proof that no other file is opened: there is none left.
    const needed = new Set(read.map(({ path }) => path))
    const data = readdirSync(lake, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.parquet'))
      .map(name => join(lake, name))
    expect(data.length).toBe(4)
    for (const path of data) if (!needed.has(path)) renameSync(path, `${path}.away`)
    const reader = await engineFor(lake)
    const bytes = await answer(request, reader, 'json', new AbortController().signal)
    expect(JSON.parse(Buffer.from(bytes).toString()).data.meta).toMatchObject({
      min_dt: '2010-01-02',
      max_dt: '2011-12-31',
    })
    await reader.close()
    rmSync(own, { recursive: true, force: true })
  })

  test('is nothing for a symbol outside the range of every file', () => {
    expect(pinned('symbols=ZZZ&range=full&calculations=MEAN').files.get('stock_days')).toEqual([])
  })
})
