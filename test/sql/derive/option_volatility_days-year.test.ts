import { describe, expect, test } from 'vitest'
import type { Derived } from './option-tape.ts'
import { derivedFrom, listing } from './option-tape.ts'
import type { Row } from './rows-as-sql.ts'

const dayAt = (place: number) => new Date(Date.UTC(2024, 0, 1 + place)).toISOString().slice(0, 10)

/** The chain of a ticker of one contract at the money that expires in 30 days: iv_30d is its volatility. */
function chainOf(place: number, iv: number | null, ticker = 'ACME'): Row {
  const expiry = dayAt(place + 30)
    .slice(2)
    .replaceAll('-', '')
  return listing(`${ticker}${expiry}C00100000`, dayAt(place), {
    underlying_price: 100,
    implied_volatility: iv,
  })
}

const earlier = (place: number, iv: number | null, ticker = 'ACME'): Row => ({
  date: dayAt(place),
  ticker,
  iv_30d: iv,
  sessions: 1,
})

const run = (from: number, to: number, chain: readonly Row[], own: readonly Row[] = []) =>
  derivedFrom(
    'option_volatility_days',
    { from: dayAt(from), to: dayAt(to) },
    { option_chain_days: chain, option_volatility_days: own },
  )

/** The figures of the last session of a series, from its definition. */
function place(series: readonly (number | null)[]) {
  const last = series.at(-1) ?? null
  const known = series.slice(-252).filter(iv => iv !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return {
    sessions: known.length,
    rank: last === null || low === high ? null : (100 * (last - low)) / (high - low),
    percentile: last === null ? null : (100 * known.filter(iv => iv < last).length) / known.length,
  }
}

describe('rank and percentile', () => {
  test('place the day between the extremes, and among the days', async () => {
    // Of 0.20, 0.40, 0.30, 0.25 the last is a quarter of the way up and above one of four; then a tie with 0.25.
    const rows = await run(
      0,
      4,
      [0.2, 0.4, 0.3, 0.25, 0.25].map((iv, day) => chainOf(day, iv)),
    )
    expect(rows.map(row => [row.iv_rank, row.iv_percentile, row.sessions])).toEqual([
      [null, '0.0000000000', 1],
      ['100.0000000000', '50.0000000000', 2],
      ['50.0000000000', '33.3333333333', 3],
      ['25.0000000000', '25.0000000000', 4],
      ['25.0000000000', '20.0000000000', 5],
    ])
  })

  test('look back on 251 dates of the dataset, on which the ticker need not have a row', async () => {
    // BRASS makes the dates; ACME was at 0.10 on date 0, at 0.50 on date 1, and is at 0.20 on date 251, then 252.
    const dates = Array.from({ length: 251 }, (_, day) => earlier(day, 0.3, 'BRASS'))
    const own = [earlier(0, 0.1), earlier(1, 0.5), earlier(2, null), ...dates]
    const chain = [
      chainOf(251, 0.2),
      chainOf(252, 0.2),
      chainOf(251, 0.3, 'BRASS'),
      chainOf(252, 0.3, 'BRASS'),
    ]
    const acme = (await run(251, 252, chain, own)).filter(row => row.ticker === 'ACME')
    expect(acme.map(row => [row.iv_rank, row.iv_percentile, row.sessions])).toEqual([
      ['25.0000000000', '33.3333333333', 3],
      ['0.0000000000', '0.0000000000', 3],
    ])
  })

  test('count a session without a volatility among the dates, but not among the sessions', async () => {
    const rows = await run(
      0,
      2,
      [0.2, null, 0.4].map((iv, day) => chainOf(day, iv)),
    )
    expect(rows.map(row => [row.iv_rank, row.iv_percentile, row.sessions])).toEqual([
      [null, '0.0000000000', 1],
      [null, null, 1],
      ['100.0000000000', '50.0000000000', 2],
    ])
  })

  test('ignore rows of an earlier computation on these days or later', async () => {
    const stale = [earlier(3, 0.01), earlier(4, 0.99), earlier(2, 0.3)]
    const [row] = await run(3, 3, [chainOf(3, 0.4), chainOf(4, 0.9), chainOf(2, 0.1)], stale)
    expect(row).toMatchObject({ iv_rank: '100.0000000000', iv_percentile: '50.0000000000', sessions: 2 })
  })
})

describe('days', () => {
  const DAYS = 300
  /** Volatilities in whole percents with repeats and gaps; BRASS has no chain on every fifth day. */
  const ivOf = (day: number, ticker: string) =>
    (day * 17 + ticker.length) % 11 === 0 ? null : (10 + ((day * day * 31 + day * ticker.length) % 53)) / 100
  const series = (ticker: string, skip: number) =>
    Array.from({ length: DAYS }, (_, day) => (day % skip === skip - 1 ? undefined : ivOf(day, ticker)))
  const tickers = { ACME: series('ACME', DAYS + 1), BRASS: series('BRASS', 5) }
  const chain = Object.entries(tickers).flatMap(([ticker, ivs]) =>
    ivs.flatMap((iv, day) => (iv === undefined ? [] : [chainOf(day, iv, ticker)])),
  )

  test('are the same in one run and in many, and agree with their definition', async () => {
    const whole = await run(0, DAYS - 1, chain)
    const parts: Derived[] = []
    for (const [from, to] of [
      [0, 0],
      [1, 20],
      [21, 249],
      [250, 260],
      [261, 261],
      [262, DAYS - 1],
    ] as const)
      parts.push(...(await run(from, to, chain, parts)))
    expect(parts).toEqual(whole)

    for (const [ticker, ivs] of Object.entries(tickers)) {
      const rows = new Map(whole.filter(row => row.ticker === ticker).map(row => [row.date, row]))
      for (const [day, iv] of ivs.entries()) {
        const row = rows.get(dayAt(day))
        if (iv === undefined) {
          expect(row).toBeUndefined()
          continue
        }
        // A date without a row is a place in the window all the same.
        const { sessions, rank, percentile } = place(ivs.slice(0, day + 1).map(each => each ?? null))
        expect(row?.sessions, `${ticker} on day ${day}`).toBe(sessions)
        for (const [found, wanted] of [
          [row?.iv_rank, rank],
          [row?.iv_percentile, percentile],
        ] as const)
          if (wanted === null) expect(found).toBeNull()
          else expect(Number(found)).toBeCloseTo(wanted, 9)
      }
    }
  })
})
