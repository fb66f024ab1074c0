import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataset } from '../../src/lake/store/datasets.ts'
import type { FragTape } from '../../src/stream/frag-tape.ts'
import { intervalsOf, loadSlice } from '../../src/stream/frag-tape.ts'
import { INTERVAL_MS, slicesOf } from '../../src/stream/slices.ts'
import type { ChainFrag } from '../../src/stream/tapehouse_pb.ts'
import { type FragLake, fragLake, fragsIn, fragsOf, storedRows } from './frag-lake.ts'
import { parquetRows } from './parquet-rows.ts'

const never = new AbortController().signal
let market: FragLake
let tape: FragTape
let updates: FragTape
beforeAll(async () => {
  market = await fragLake()
  tape = { date: market.day, ticker: null, updates: false }
  updates = { ...tape, updates: true }
})
afterAll(() => market.close())

const wholeOf = async (of: FragTape) =>
  slicesOf(await intervalsOf(of, market.snapshot, market.engine, never), Number.MAX_SAFE_INTEGER)

async function whole(of: FragTape): Promise<ChainFrag[]> {
  const frags = []
  for (const slice of await wholeOf(of)) frags.push(...(await fragsIn(market, of, slice)))
  return frags
}

const keyOf = ({ optionSymbol, startTime }: ChainFrag) => `${startTime} ${optionSymbol}`

describe('a day of frags', () => {
  test('is all that is stored of it, ordered by start and contract', async () => {
    const frags = await whole(tape)
    const stored = await parquetRows(
      market.snapshot,
      'chain_frags',
      `SELECT epoch_ms(start_time) || ' ' || option_symbol AS key FROM rows WHERE date = '${market.day}'
       ORDER BY start_time, option_symbol`,
    )
    expect(frags.length).toBeGreaterThan(1000)
    expect(frags.map(keyOf)).toEqual(stored.map(({ key }) => key))
  })

  test('is cut by slices of any size into the same messages in the same order', async () => {
    const intervals = await intervalsOf(tape, market.snapshot, market.engine, never)
    const slices = slicesOf(intervals, 200)
    expect(slices.length).toBeGreaterThan(5)
    const cut = []
    for (const slice of slices) {
      const frags = await fragsIn(market, tape, slice)
      expect(frags.length).toBe(slice.messages)
      cut.push(...frags)
    }
    expect(cut).toEqual(await whole(tape))
  })

  test('has an interval’s first moment in its slice and its last in the one before', async () => {
    const [first, second] = slicesOf(await intervalsOf(tape, market.snapshot, market.engine, never), 1)
    for (const slice of [first, second]) {
      if (slice === undefined) throw new Error('there are two intervals')
      const starts = new Set((await fragsIn(market, tape, slice)).map(({ startTime }) => Number(startTime)))
      expect([...starts]).toEqual([slice.fromMs])
      expect(slice.toMs - slice.fromMs).toBe(INTERVAL_MS)
    }
  })

  test('of one ticker is what the whole has of its contracts', async () => {
    const frags = await whole(tape)
    const ticker = /^[A-Z]+/.exec(frags[0]?.optionSymbol ?? '')?.[0] ?? ''
    const own = await whole({ ...tape, ticker })
    expect(own).toEqual(frags.filter(({ optionSymbol }) => new RegExp(`^${ticker}\\d`).test(optionSymbol)))
    expect(own.length).toBeGreaterThan(10)
    expect(own.length).toBeLessThan(frags.length)
  })

  test('that the lake lacks is reported with the days that it has, and a ticker without frags as such', async () => {
    const intervals = (changes: Partial<FragTape>) =>
      intervalsOf({ ...tape, ...changes }, market.snapshot, market.engine, never)
    await expect(intervals({ date: '1999-01-04' })).rejects.toThrow(
      new RegExp(
        `no chain_frags of 1999-01-04: specify a trading day from \\d{4}-\\d\\d-\\d\\d to ${market.day}`,
      ),
    )
    await expect(intervals({ ticker: 'NOSUCH' })).rejects.toThrow(`no frags of NOSUCH on ${market.day}`)
  })
})

test('frags of a file that is sorted otherwise go out in the tape’s order all the same', async () => {
  const day = dataset('chain_frags')
  const frag = (option_symbol: string, minute: number) => ({
    ...Object.fromEntries(
      day.columns
        .filter(({ nullable }) => !nullable)
        .map(({ name, type }) => [name, type === 'VARCHAR' ? 'ACME' : 0]),
    ),
    ...{ option_symbol, date: '2024-01-02', trades: minute },
    ...{ start_time: `2024-01-02 15:${minute}:00`, tape_time: `2024-01-02 15:${minute}:01` },
  })
  const rows = [frag('B', 20), frag('A', 20), frag('C', 10), frag('D', 15)]
  const { snapshot, engine } = await storedRows({ chain_frags: rows })
  const slice = { fromMs: Date.UTC(2024, 0, 2, 15), toMs: Date.UTC(2024, 0, 2, 16), messages: 4 }
  const messages = await loadSlice(
    { date: '2024-01-02', ticker: null, updates: false },
    slice,
    snapshot,
    engine,
    never,
  )
  await engine.close()
  expect(fragsOf(messages).map(({ optionSymbol, trades }) => [optionSymbol, trades])).toEqual([
    ['C', 10],
    ['D', 15],
    ['A', 20],
    ['B', 20],
  ])
  expect([...messages.dueMs].map(ms => (ms - slice.fromMs) / 60_000)).toEqual([15, 20, 25, 25])
})

describe('updates', () => {
  test('are one a trade that counts, in the tape’s order', async () => {
    const trades = await parquetRows(
      market.snapshot,
      'option_trades',
      `SELECT epoch_ms(executed_at) || ' ' || option_chain_id AS key FROM rows
       WHERE date = '${market.day}' AND NOT canceled ORDER BY executed_at, id`,
    )
    const all = await whole(updates)
    expect(all.length).toBeGreaterThan(3000)
    expect(all.map(({ tapeTime, optionSymbol }) => `${tapeTime} ${optionSymbol}`)).toEqual(
      trades.map(({ key }) => key),
    )
  })

  test('end each interval with the stored frag, in every field', async () => {
    const latest = new Map<string, ChainFrag>()
    const counts = new Map<string, number>()
    for (const update of await whole(updates)) {
      latest.set(keyOf(update), update)
      const trades = (counts.get(keyOf(update)) ?? 0) + 1
      counts.set(keyOf(update), trades)
      // Every one counts its trade and those before it.
      expect(update.trades).toBe(trades)
    }
    const frags = await whole(tape)
    expect(latest.size).toBe(frags.length)
    for (const frag of frags) expect(latest.get(keyOf(frag))).toEqual(frag)
    expect([...counts.values()].filter(count => count > 1).length).toBeGreaterThan(20)
  })

  test('are the same however the day is cut, also within an interval', async () => {
    const all = await whole({ ...updates })
    const [day] = await wholeOf(updates)
    if (day === undefined) throw new Error('the day has updates')
    const middle = day.fromMs + 3 * INTERVAL_MS + 61_000
    const cut = [
      ...(await fragsIn(market, updates, { ...day, toMs: middle })),
      ...(await fragsIn(market, updates, { ...day, fromMs: middle })),
    ]
    expect(cut).toEqual(all)
  })
})
