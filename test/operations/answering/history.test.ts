import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine, Query } from '../../../src/engine/engine.ts'
import type { LakeFile, Selection } from '../../../src/lake/store/snapshot.ts'
import { addDays } from '../../../src/market/day.ts'
import { answer, entityTag, pin } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { cryptoOhlc } from '../../../src/operations/catalog/crypto-ohlc.ts'
import { etfHoldings } from '../../../src/operations/catalog/etf-holdings.ts'
import { predictionLiquidity } from '../../../src/operations/catalog/prediction-liquidity.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { snapshotWith } from '../../fixtures/snapshot.ts'
import { inputOf } from '../../golden/cases.ts'
import { type GoldenLake, goldenLake } from '../../golden/lake.ts'

/** Operations that need the last days of a long history read them first, and all of it only if they do not suffice. */

const caller = { owner: null, admin: false }

describe('the plan over 1,000 days up to 2024-12-31, a Tuesday,', () => {
  const files = Array.from({ length: 1_000 }, (_, index): LakeFile => {
    const day = addDays('2024-12-31', index - 999)
    return {
      path: day,
      dataset: 'any',
      name: day,
      rows: 4_000,
      bytes: 1,
      sha256: day,
      dates: [day, day],
      ranges: {},
    }
  })
  const snapshot = snapshotWith({
    files: (_, { from = '', to = '9' }: Selection = {}) =>
      files.filter(({ name }) => name >= from && name <= to),
    lastDate: () => '2024-12-31',
  })
  const partsOf = (operation: Operation, values: Readonly<Record<string, unknown>>) => {
    const { newest } = operation.plan(values, snapshot, caller)
    return newest?.parts.map(({ first, from }) => [files[first]?.name, from])
  }
  const candles = (candle_size: string, limit: number, date: string | null = null) =>
    partsOf(cryptoOhlc, { pair: 'BTC-USD', candle_size, limit, date })?.[0]?.[1]

  test('looks for candles in their time, a quarter more and a day, for weeks from a Monday on', () => {
    // 500 minutes are 8 h 20 min, within a day: two days back from December 31.
    expect(candles('1m', 500)).toBe('2024-12-29')
    // 1.25 × 100 h are more than 5 days and less than 6: seven days back.
    expect(candles('1h', 100)).toBe('2024-12-24')
    // Back from the requested day, Wednesday, May 1: 1.25 × 4 days and one more.
    expect(candles('1d', 4, '2024-05-01')).toBe('2024-04-25')
    // 1.25 × 10 weeks are 88 days, and one more: back from December 31 that is Thursday, October 3.
    expect(candles('1w', 10)).toBe('2024-09-30')
  })

  test('reads all candles next', () => {
    const values = { pair: 'BTC-USD', candle_size: '1d', limit: 2, date: null }
    expect(partsOf(cryptoOhlc, values)).toEqual([
      ['2024-12-27', '2024-12-27'],
      ['2022-04-07', '1970-01-01'],
    ])
  })

  test('reads a week that starts on the requested day to its end', () => {
    const values = { pair: 'BTC-USD', candle_size: '1w', limit: 1, date: '2024-05-06' }
    expect(cryptoOhlc.plan(values, snapshot, caller).reads.crypto_candles).toMatchObject({ to: '2024-05-12' })
  })

  test('looks for one list of holdings, and one book, in growing parts', () => {
    // A file counts as 5,000 rows: 4 files, then 32, 256 and all.
    const parts = [
      ['2024-12-28', '2024-12-28'],
      ['2024-11-30', '2024-11-30'],
      ['2024-04-20', '2024-04-20'],
      ['2022-04-07', '1970-01-01'],
    ]
    expect(partsOf(etfHoldings, { ticker: 'WIDE' })).toEqual(parts)
    expect(partsOf(predictionLiquidity, { asset_id: '1' })).toEqual(parts)
  })
})

describe('an answer out of 60 days', () => {
  const folder = temporaryFolder()
  let lake: GoldenLake

  /**
   * Candles of each day on DAILY-USD, of each twentieth on GAPPY-USD, of 2024-01-01, a Monday, on RARE-USD; books
   * likewise. MIXED-USD has a candle of each day, and one of the first minute of the last day.
   */
  beforeAll(async () => {
    const days = Array.from({ length: 60 }, (_, index) => addDays('2024-01-01', index))
    const candle = (pair: string, day: string) => `${day},${pair},${day} 00:00:00,86400,1,3,0.5,2,10`
    writeFileSync(
      join(folder, 'crypto_candles.csv'),
      [
        'date,pair,start,seconds,open,high,low,close,volume',
        ...days.map(day => candle('DAILY-USD', day)),
        ...days.filter((_, index) => index % 20 === 0).map(day => candle('GAPPY-USD', day)),
        candle('RARE-USD', '2024-01-01'),
        ...days.map(day => candle('MIXED-USD', day)),
        '2024-02-29,MIXED-USD,2024-02-29 00:00:00,60,1,3,0.5,2,10',
        '',
      ].join('\n'),
    )
    writeFileSync(
      join(folder, 'prediction_books.csv'),
      [
        'date,asset_id,timestamp',
        ...days.map(day => `${day},daily,${day} 12:00:00`),
        '2024-01-01,rare,2024-01-01 12:00:00',
        '',
      ].join('\n'),
    )
    lake = await goldenLake(folder, folder)
  })
  afterAll(async () => {
    await lake.engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The answer to a request, the template and the number of files of each query for it, and its entity tag. */
  async function ask(operation: Operation, dataset: string, request: string) {
    const read: number[] = []
    const templates: string[] = []
    const engine: Engine = {
      ...lake.engine,
      encode: (query: Query, encoding, signal) => {
        const value = query.bindings[dataset]?.value
        templates.push(query.template.name)
        read.push(typeof value === 'object' && value !== null && 'items' in value ? value.items.length : 0)
        return lake.engine.encode(query, encoding, signal)
      },
    }
    const validated = validate(operation, inputOf(operation, request))
    if ('faults' in validated) throw new Error(request)
    const pinned = pin(operation, validated.values, lake.snapshot, caller)
    const { bytes } = await answer(pinned, engine, 'json', new AbortController().signal)
    const body = JSON.parse(Buffer.from(bytes).toString())
    return { body, read, templates, tag: entityTag(pinned, 'json', 'identity') }
  }
  const candles = (request: string) => ask(cryptoOhlc, 'crypto_candles', `/api/crypto/${request}`)
  const book = (asset: string) =>
    ask(predictionLiquidity, 'prediction_books', `/api/predictions/market/${asset}/liquidity`)

  test('reads the last days only if they have enough candles', async () => {
    const { body, read } = await candles('DAILY-USD/ohlc/1d?limit=2')
    expect(body.data.map((each: { start_time: string }) => each.start_time)).toEqual([
      '2024-02-29T00:00:00Z',
      '2024-02-28T00:00:00Z',
    ])
    // 1.25 × 2 days and one more are in the file of February.
    expect(read).toEqual([1])
  })

  test('reads all candles if the last days have too few', async () => {
    const { body, read } = await candles('DAILY-USD/ohlc/1w?limit=9&date=2024-02-29')
    expect(body.data).toHaveLength(9)
    expect(body.data[8]).toMatchObject({
      start_time: '2024-01-01T00:00:00Z',
      volume: expect.stringMatching(/^70/),
    })
    expect(read).toEqual([2])
    const gappy = await candles('GAPPY-USD/ohlc/1d?limit=3')
    expect(gappy.body.data.map((each: { start_time: string }) => each.start_time.slice(0, 10))).toEqual([
      '2024-02-10',
      '2024-01-21',
      '2024-01-01',
    ])
    // The last days have no candle, so that both templates are run.
    expect(gappy.read).toEqual([1, 1, 2])
    const rare = await candles('RARE-USD/ohlc/1h?limit=5')
    expect(rare.body.data).toEqual([])
    // Neither has all days.
    expect(rare.read).toEqual([1, 1, 1, 1])
  })

  test('runs the whole template only where stored candles can overlap', async () => {
    const usual = await candles('DAILY-USD/ohlc/1d?limit=2')
    expect(usual.templates).toEqual(['crypto-ohlc-usual'])
    const mixed = await candles('MIXED-USD/ohlc/1d?limit=2')
    expect(mixed.templates).toEqual(['crypto-ohlc-usual', 'crypto-ohlc'])
    expect(mixed.body.data).toMatchObject([
      { start_time: '2024-02-29T00:00:00Z', volume: '10.00000000' },
      { start_time: '2024-02-28T00:00:00Z', volume: '10.00000000' },
    ])
    // The candles of a day are in no hour.
    const hourly = await candles('MIXED-USD/ohlc/1h?limit=1')
    expect(hourly.templates).toEqual(['crypto-ohlc-usual'])
    expect(hourly.body.data).toMatchObject([{ start_time: '2024-02-29T00:00:00Z', volume: '10.00000000' }])
  })

  test('finds the latest book in the newest part, an old one in all', async () => {
    const daily = await book('daily')
    expect(daily.body.data.timestamp).toBe('2024-02-29T12:00:00Z')
    expect(daily.read).toEqual([20])
    const rare = await book('rare')
    expect(rare.body.data.timestamp).toBe('2024-01-01T12:00:00Z')
    await expect(book('none')).rejects.toThrow('there is no order book of the asset none')
  })

  test('depends on all of the history, whichever part is read', async () => {
    const { tag } = await candles('DAILY-USD/ohlc/1d?limit=2')
    const { files } = lake.snapshot
    const older = (name: string, selection?: Selection) =>
      files(name, selection).map((file, index) => (index === 0 ? { ...file, sha256: 'other' } : file))
    const validated = validate(cryptoOhlc, inputOf(cryptoOhlc, '/api/crypto/DAILY-USD/ohlc/1d?limit=2'))
    if ('faults' in validated) throw new Error('not valid')
    const changed = pin(cryptoOhlc, validated.values, { ...lake.snapshot, files: older }, caller)
    expect(entityTag(changed, 'json', 'identity')).not.toBe(tag)
  })
})
