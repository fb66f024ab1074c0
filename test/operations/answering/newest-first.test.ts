import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine, Query } from '../../../src/engine/engine.ts'
import { answer, pin, queryOf } from '../../../src/operations/answering/answer.ts'
import type { Format } from '../../../src/operations/answering/formats.ts'
import { growingParts, partsFrom } from '../../../src/operations/answering/newest-first.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { flowAlerts } from '../../../src/operations/catalog/flow-alerts.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { inputOf } from '../../golden/cases.ts'
import { type GoldenLake, goldenLake } from '../../golden/lake.ts'

/** The newest days are read first, and more of them only if they have too few rows. */

const days = (...all: (readonly [first: string, last: string, rows: number])[]) =>
  all.map(([first, last, rows]) => ({ dates: [first, last] as const, rows }))

/** The first file of each part. */
const newestParts = (files: Parameters<typeof growingParts>[0]) =>
  growingParts(files).map(({ first }) => first)

describe('the parts of a dataset', () => {
  test('are all of it where it is small, or empty', () => {
    expect(newestParts([])).toEqual([0])
    expect(newestParts(days(['2024-01-04', '2024-01-04', 9000], ['2024-01-05', '2024-01-05', 9999]))).toEqual(
      [0],
    )
  })

  // A file counts as 1,000 rows more than it has: 9,000 counts as 10,000, and two files are the 20,000 of a first part.
  test('grow eightfold, from 20,000 rows', () => {
    const files = Array.from({ length: 40 }, (_, index) => {
      const day = new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10)
      return [day, day, 9000] as const
    })
    // 2 files of the 40; then 16; then 128 would be more than all.
    expect(newestParts(days(...files))).toEqual([38, 24, 0])
  })

  test('have all rows of their days', () => {
    const files = days(['2024-01-03', '2024-01-04', 50_000], ['2024-01-05', '2024-01-05', 50_000])
    expect(growingParts(files)).toEqual([
      { first: 1, from: '2024-01-05' },
      { first: 0, from: '1970-01-01' },
    ])
  })

  test('never begin within a day, nor after a file that reaches into their days', () => {
    expect(
      newestParts(
        days(
          ['2024-01-03', '2024-01-03', 50_000],
          ['2024-01-04', '2024-01-04', 50_000],
          ['2024-01-04', '2024-01-04', 50_000],
        ),
      ),
    ).toEqual([1, 0])
    expect(
      newestParts(
        days(
          ['2023-01-02', '2023-12-29', 50_000],
          ['2024-01-02', '2024-12-31', 50_000],
          ['2024-06-03', '2024-06-03', 50_000],
          ['2024-06-04', '2024-06-04', 50_000],
        ),
      ),
    ).toEqual([1, 0])
  })
})

describe('the parts of a dataset from an estimated day on', () => {
  const files = days(['2024-01-03', '2024-01-04', 9], ['2024-01-05', '2024-01-05', 9])

  test('are these days, and all', () => {
    expect(partsFrom(files, '2024-01-05')).toEqual([
      { first: 1, from: '2024-01-05' },
      { first: 0, from: '1970-01-01' },
    ])
    // The first file has an earlier day, too.
    expect(partsFrom(files, '2024-01-04')).toEqual([
      { first: 0, from: '2024-01-04' },
      { first: 0, from: '1970-01-01' },
    ])
  })

  test('are all once where no file has an earlier day, or none a later one: nothing is read twice', () => {
    for (const estimate of ['2024-01-03', '2023-12-29', '2024-01-06'])
      expect(partsFrom(files, estimate)).toEqual([{ first: 0, from: '1970-01-01' }])
  })
})

describe('an answer out of 60 days of one alert each', () => {
  // The n-th day has an alert on ODD or EVEN, and every twentieth one on RARE. Days count as 1,001 rows: 20 make a part.
  const DAYS = 60
  const dayOf = (n: number) => new Date(Date.UTC(2024, 0, n)).toISOString().slice(0, 10)
  const tickerOf = (n: number) => (n % 20 === 0 ? 'RARE' : n % 2 === 0 ? 'EVEN' : 'ODD')
  const folder = temporaryFolder()
  let lake: GoldenLake

  beforeAll(async () => {
    const source = join(folder, 'source')
    mkdirSync(source)
    const rows = Array.from({ length: DAYS }, (_, index) => {
      const n = index + 1
      const id = `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`
      return [id, dayOf(n), `${dayOf(n)} 15:00:00`, tickerOf(n), n].join(',')
    })
    writeFileSync(
      join(source, 'flow_alerts.csv'),
      ['id,date,created_at,ticker,trade_count', ...rows, ''].join('\n'),
    )
    lake = await goldenLake(source, folder)
  })
  afterAll(async () => {
    await lake.engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The answer to a request, and the number of files of each query for it. */
  async function ask(query: string, format: Format = 'json') {
    const read: number[] = []
    const engine: Engine = {
      ...lake.engine,
      encode: (each: Query, encoding, signal) => {
        const value = each.bindings.flow_alerts?.value
        read.push(typeof value === 'object' && value !== null && 'items' in value ? value.items.length : 0)
        return lake.engine.encode(each, encoding, signal)
      },
    }
    const validated = validate(flowAlerts, inputOf(flowAlerts, `/api/option-trades/flow-alerts?${query}`))
    if ('faults' in validated) throw new Error(query)
    const pinned = pin(flowAlerts, validated.values, lake.snapshot, { owner: null, admin: false })
    const { bytes } = await answer(pinned, engine, format, new AbortController().signal)
    return { text: Buffer.from(bytes).toString(), read, pinned }
  }
  const numbersOf = (text: string) =>
    (JSON.parse(text) as { data: { trade_count: number }[] }).data.map(({ trade_count }) => trade_count)
  const down = (from: number, step: number, count: number) =>
    Array.from({ length: count }, (_, index) => from - index * step)

  test('reads the newest days only if they have enough', async () => {
    // The 20th alert shows that the page is not the last one.
    const { text, read } = await ask('limit=19')
    expect(numbersOf(text)).toEqual(down(60, 1, 19))
    expect(read).toEqual([20])
  })

  test('reads more days if they have too few, and answers as all days do', async () => {
    const more = await ask('limit=20')
    expect(numbersOf(more.text)).toEqual(down(60, 1, 20))
    expect(more.read).toEqual([20, 60])
    const rare = await ask('ticker_symbol=RARE&limit=2')
    expect(numbersOf(rare.text)).toEqual([60, 40])
    const all = await ask('ticker_symbol=RARE&limit=200')
    expect(numbersOf(all.text)).toEqual([60, 40, 20])
  })

  test('reads nothing of days that a bound in time or a ticker rules out', async () => {
    // The 30th day at 16:00 and the days around it, as a day of New York touches two of UTC.
    const until = await ask('limit=3&older_than=2024-01-30T16:00:00Z')
    expect(numbersOf(until.text)).toEqual([30, 29, 28])
    expect(until.read).toEqual([20])
    const since = await ask('newer_than=2024-02-27T15:00:00Z')
    expect(numbersOf(since.text)).toEqual([60, 59])
    expect(since.read).toEqual([4])
    const rare = await ask('ticker_symbol=RARE')
    expect(rare.read).toEqual([3])
    const none = await ask('ticker_symbol=NONE')
    expect(numbersOf(none.text)).toEqual([])
  })

  test('has the same records in every format', async () => {
    const request = 'ticker_symbol=ODD&limit=12'
    const { data } = JSON.parse((await ask(request)).text)
    expect(data).toHaveLength(12)
    const lines = (await ask(request, 'ndjson')).text.trim().split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual(data)
    const csv = await ask('limit=19', 'csv')
    expect(csv.text.trim().split('\n')).toHaveLength(20)
    expect(csv.read).toEqual([20])
  })

  test('is byte for byte that of one query over all days', async () => {
    const { text, pinned } = await ask('ticker_symbol=EVEN&limit=13')
    const whole = await lake.engine.encode(queryOf(pinned, lake.engine), 'json', new AbortController().signal)
    expect(text).toBe(`{"data":[${Buffer.from(whole.bytes).toString()}]}`)
  })

  test('reads all days at once where they are one small table in memory', async () => {
    const files = await ask('limit=20')
    lake.engine.store.keep(lake.engine.bindFiles('flow_alerts', lake.snapshot.files('flow_alerts', {})))
    await lake.engine.store.settled()
    const table = await ask('limit=20')
    expect(files.read).toEqual([20, 60])
    expect(table.read).toEqual([60])
    expect(table.text).toBe(files.text)
  })
})
