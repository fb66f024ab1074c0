import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { answer } from '../../../src/operations/answering/answer.ts'
import { ask, FULL, figures, pinned, rounded, useAnalyticsLake } from '../../fixtures/analytics.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'

useAnalyticsLake()

describe('a window', () => {
  test('has what it covers in meta', async () => {
    expect((await ask(`${FULL}two,one,TWO&calculations=MEAN&ohlc=HIGH`)).meta).toEqual({
      symbols: 'TWO,ONE',
      min_dt: '2024-01-02',
      max_dt: '2024-01-05',
      ohlc: 'High',
      interval: 'DAILY',
      adjusted_for: { TWO: 'raw', ONE: 'raw' },
      suspected_splits: [],
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

  test('ignores a bar without the requested price, also as the last of its week', async () => {
    for (const interval of ['DAILY', 'WEEKLY']) {
      const { meta } = await ask(`${FULL}BLANK&ohlc=open&interval=${interval}&calculations=MEAN`)
      expect(meta.max_dt).toBe('2024-01-04')
    }
    expect(rounded(await figures(`${FULL}BLANK&ohlc=open&calculations=CUMULATIVE_RETURN`))).toEqual({
      CUMULATIVE_RETURN: { BLANK: 0.1 },
    })
    expect((await ask(`${FULL}BLANK&calculations=MEAN`)).meta.max_dt).toBe('2024-01-05')
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
    const meta = async (query: string, symbol = 'ONE') =>
      (await ask(`symbols=${symbol}&calculations=MEAN&${query}`)).meta
    expect(await meta('range=1day&interval=1min')).toMatchObject({
      min_dt: '2024-01-05T14:30:00Z',
      max_dt: '2024-01-05T20:59:00Z',
    })
    expect(await meta('range=2023-11&interval=30min', 'EARLY')).toMatchObject({
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
    const meta = async (query: string, symbol = 'ONE') =>
      (await ask(`symbols=${symbol}&calculations=MEAN&${query}`)).meta
    expect(await meta('range=1minute&interval=1min')).toMatchObject({ min_dt: '2024-01-05T20:59:00Z' })
    expect(await meta('range=6hour&interval=1min')).toMatchObject({ min_dt: '2024-01-05T15:30:00Z' })
    expect(await meta('range=1hour&range_end=2023-11-24&interval=1min', 'EARLY')).toMatchObject({
      min_dt: '2023-11-24T17:59:00Z',
    })
    // The 60min bar of 09:30 starts before 09:31 and is excluded; that of 10:30 starts at the end and is included.
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
    const request = pinned('symbols=ONE,SIX&range=2010-06-01&range_end=2011-07-01&calculations=MEAN', history)
    const read = request.files.get('stock_days') ?? []
    expect(read.map(({ dates: [from] }) => from.slice(0, 4))).toEqual(['2010', '2011'])
    expect(request.files.get('stock_bars')).toEqual([])
    // The proof that no other file is opened: there is none left.
    const needed = new Set(read.map(({ path }) => path))
    const data = readdirSync(lake, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.parquet'))
      .map(name => join(lake, name))
    // Four years as imported, and four as derived.
    expect(data.length).toBe(8)
    for (const path of data) if (!needed.has(path)) renameSync(path, `${path}.away`)
    const reader = await engineFor(lake)
    const { bytes } = await answer(request, reader, 'json', new AbortController().signal)
    expect(JSON.parse(Buffer.from(bytes).toString()).data.meta).toMatchObject({
      min_dt: '2010-06-15',
      max_dt: '2011-06-15',
    })
    await reader.close()
    rmSync(own, { recursive: true, force: true })
  })

  test('is nothing for a symbol outside the range of every file', () => {
    expect(pinned('symbols=ZZZ&range=full&calculations=MEAN').files.get('stock_days')).toEqual([])
  })
})
