import { describe, expect, test } from 'vitest'
import { derivedFrom, listing } from './option-tape.ts'
import type { Row } from './rows-as-sql.ts'

const DAY = '2024-01-03'

/** A contract of ACME so many calendar days before it expires, with an implied volatility as a fraction a year. */
function quoted(days: number, kind: 'C' | 'P', strike: number, iv: number | null, more: Row = {}): Row {
  const expiry = new Date(Date.parse(DAY) + days * 86_400_000).toISOString().slice(2, 10).replaceAll('-', '')
  const symbol = `ACME${expiry}${kind}${String(strike * 1000).padStart(8, '0')}`
  return listing(symbol, DAY, { underlying_price: 102, implied_volatility: iv, ...more })
}

async function volatility(chain: readonly Row[]) {
  const rows = await derivedFrom(
    'option_volatility_days',
    { from: DAY, to: DAY },
    { option_chain_days: chain },
  )
  expect(rows).toHaveLength(1)
  return rows[0] ?? {}
}

const iv30d = async (chain: readonly Row[]) => (await volatility(chain)).iv_30d

describe('the volatility at the money of one expiry', () => {
  test('is interpolated between the nearest strikes around the price, each the mean of its call and put', async () => {
    const chain = [
      quoted(30, 'C', 90, 0.9),
      // 0.30 at 100 and 0.20 at 105; two fifths of the way from the one to the other: 0.26
      quoted(30, 'C', 100, 0.32),
      quoted(30, 'P', 100, 0.28),
      quoted(30, 'C', 105, 0.19),
      quoted(30, 'P', 105, 0.21),
      quoted(30, 'P', 110, 0.9),
    ]
    expect(await volatility(chain)).toEqual({
      date: DAY,
      ticker: 'ACME',
      stock_price: '102.0000',
      iv_30d: '0.2600000000',
      iv_rank: null,
      iv_percentile: '0.0000000000',
      sessions: 1,
    })
    expect(await iv30d(chain.toReversed())).toBe('0.2600000000')
  })

  test('is that of a strike at the price', async () => {
    const chain = [quoted(30, 'C', 100, 0.9), quoted(30, 'C', 102, 0.25), quoted(30, 'C', 105, 0.9)]
    expect(await iv30d(chain)).toBe('0.2500000000')
  })

  test('takes the call or the put alone where the other has none', async () => {
    const chain = [
      quoted(30, 'C', 100, null),
      quoted(30, 'P', 100, 0.3),
      quoted(30, 'C', 105, 0.2),
      quoted(30, 'P', 105, 0),
    ]
    expect(await iv30d(chain)).toBe('0.2600000000')
  })

  test('ignores strikes without one', async () => {
    // 0.30 at 100 and 0.40 at 110: a fifth of the way.
    const chain = [quoted(30, 'C', 100, 0.3), quoted(30, 'C', 105, null), quoted(30, 'C', 110, 0.4)]
    expect(await iv30d(chain)).toBe('0.3200000000')
  })

  test('is that of the nearest strike if all are on one side', async () => {
    expect(await iv30d([quoted(30, 'C', 90, 0.9), quoted(30, 'C', 100, 0.3)])).toBe('0.3000000000')
    expect(await iv30d([quoted(30, 'C', 105, 0.2), quoted(30, 'C', 110, 0.9)])).toBe('0.2000000000')
  })
})

describe('30 days ahead', () => {
  test('is interpolated between the nearest expiries in total variance', async () => {
    // 0.09 × 20 = 1.8 and 0.04 × 50 = 2; a third of the way 1.8666…, / 30 = 0.06222…, whose root is 0.2494438258.
    const chain = [
      quoted(13, 'C', 102, 0.9),
      quoted(20, 'C', 102, 0.3),
      quoted(50, 'C', 102, 0.2),
      quoted(80, 'C', 102, 0.9),
    ]
    expect(await iv30d(chain)).toBe('0.2494438258')
  })

  test('is the volatility of the nearest expiry if all are on one side', async () => {
    expect(await iv30d([quoted(13, 'C', 102, 0.9), quoted(29, 'C', 102, 0.3)])).toBe('0.3000000000')
    expect(await iv30d([quoted(31, 'C', 102, 0.2), quoted(80, 'C', 102, 0.9)])).toBe('0.2000000000')
  })

  test('excludes contracts that expire on the day, and includes those of the next', async () => {
    expect(await iv30d([quoted(0, 'C', 102, 0.9), quoted(50, 'C', 102, 0.2)])).toBe('0.2000000000')
    expect(await iv30d([quoted(1, 'C', 102, 0.9)])).toBe('0.9000000000')
  })
})

describe('a ticker with a chain', () => {
  test('has a row even if no volatility can be computed', async () => {
    const without = { stock_price: '102.0000', iv_30d: null, iv_rank: null, iv_percentile: null, sessions: 0 }
    expect(await volatility([quoted(30, 'C', 102, null)])).toMatchObject(without)
    expect(await volatility([quoted(0, 'C', 102, 0.5)])).toMatchObject(without)
    const unpriced = await volatility([quoted(30, 'C', 102, 0.5, { underlying_price: null })])
    expect(unpriced).toMatchObject({ ...without, stock_price: null })
  })

  test('has one price, the median of its rows, the lower of two in the middle', async () => {
    const priced = (...prices: (number | null)[]) =>
      volatility(prices.map((price, place) => quoted(30, 'C', 100 + place, 0.2, { underlying_price: price })))
    expect(await priced(101, 101, 999)).toMatchObject({ stock_price: '101.0000' })
    expect(await priced(1, 101, 103)).toMatchObject({ stock_price: '101.0000' })
    expect(await priced(101, null, 102, 104, 106)).toMatchObject({ stock_price: '102.0000' })
  })
})
