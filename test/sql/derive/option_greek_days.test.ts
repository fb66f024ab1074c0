import { describe, expect, test } from 'vitest'
import { derivedFrom, listing } from './option-tape.ts'
import type { Row } from './rows-as-sql.ts'

const DAY = '2024-01-03'

const symbol = (type: 'C' | 'P', strike: number, { root = 'ACME', expiry = '250102' } = {}) =>
  `${root}${expiry}${type}${String(strike * 1000).padStart(8, '0')}`

/** A contract of 3 January 2024 that expires in a year, on an underlying at 100. */
const contract = (name: string, quotes: Row): Row =>
  listing(name, DAY, { underlying_price: 100, underlying_symbol: 'ACME', ...quotes })

/** A call and a put of a strike, with quotes of a width around the midpoints. */
const strike = (at: number, call: number, put: number, width = 0.1, series = {}): Row[] => [
  contract(symbol('C', at, series), { bid: call - width / 2, ask: call + width / 2 }),
  contract(symbol('P', at, series), { bid: put - width / 2, ask: put + width / 2 }),
]

const yields = (points: Readonly<Record<number, number>>): Row[] =>
  Object.entries(points).map(([months, yielded]) => ({
    date: DAY,
    maturity: `${months}month`,
    months: Number(months),
    point_date: '2024-01-01',
    yield: yielded,
  }))

const derivedRows = (chain: readonly Row[], treasury: readonly Row[] = []) =>
  derivedFrom(
    'option_greek_days',
    { from: DAY, to: DAY },
    { option_chain_days: chain, treasury_days: treasury },
  )

describe('the price', () => {
  test.each<[string, Row, string | null, string]>([
    ['is the midpoint of two quotes', { bid: 1.9, ask: 2.15, last: 9 }, '2.02500', 'midpoint'],
    ['is the midpoint of a locked market', { bid: 2, ask: 2 }, '2.00000', 'midpoint'],
    ['is half an offer above a bid of nothing', { bid: 0, ask: 0.05, last: 0.01 }, '0.02500', 'midpoint'],
    ['is a last trade below the only offer', { ask: 2, last: 1.9 }, '1.90000', 'last'],
    ['is a last trade at the only offer', { ask: 2, last: 2 }, '2.00000', 'last'],
    ['is a last trade at the only bid', { bid: 2, last: 2 }, '2.00000', 'last'],
    ['is no stale trade above the offer', { ask: 2, last: 2.01 }, null, 'last'],
    ['is no stale trade below the bid', { bid: 2, last: 1.99 }, null, 'last'],
    ['is no trade in a crossed market', { bid: 2.1, ask: 2, last: 2.05 }, null, 'last'],
    ['is no trade beside a negative bid', { bid: -1, ask: 2, last: 1 }, null, 'last'],
    ['is no trade without any quote', { last: 2 }, null, 'last'],
    ['is no trade where nobody bids and offers', { bid: 0, ask: 0, last: 2 }, null, 'last'],
    ['is none where the chain has a volatility', { bid: 1, ask: 2, implied_volatility: 0.2 }, null, 'chain'],
  ])('%s', async (_, quotes, price, source) => {
    const [row] = await derivedRows([contract(symbol('C', 100), quotes)])
    expect(row).toMatchObject({ price, figures_source: source })
  })
})

describe('the rate', () => {
  const rateOf = async (expiry: string, points: Readonly<Record<number, number>>) => {
    const [row] = await derivedRows(
      [contract(symbol('C', 100, { expiry }), { bid: 1, ask: 2 })],
      yields(points),
    )
    return row?.rate
  }

  test('is interpolated in days between maturities, and compounded continuously', async () => {
    // 365 days lie 0.375 of the way from 6 months (182.5 days) to 22 (669 1/6 days): 4.8 - 0.375 × 0.8 = 4.5 percent, and
    // 2 ln(1.0225) = 0.0445012179.
    expect(await rateOf('250102', { 3: 9, 6: 4.8, 22: 4, 120: 1 })).toBe('0.0445012179')
  })

  test('is that of the nearest maturity where all are longer or shorter', async () => {
    // 2 ln(1.025) and 2 ln(1.02).
    expect(await rateOf('240110', { 3: 5, 120: 4 })).toBe('0.0493852252')
    expect(await rateOf('401221', { 3: 5, 120: 4 })).toBe('0.0396052546')
  })

  test('is that of a maturity on the day', async () => {
    expect(await rateOf('250102', { 6: 9, 12: 5, 24: 1 })).toBe('0.0493852252')
  })

  test('is 0 without yields', async () => {
    expect(await rateOf('250102', {})).toBe('0.0000000000')
  })

  test('can be negative', async () => {
    // 2 ln(0.9975).
    expect(await rateOf('250102', { 12: -0.5 })).toBe('-0.0050062604')
  })
})

describe('the forward', () => {
  const forwardOf = async (chain: readonly Row[], treasury: readonly Row[] = []) => {
    const rows = await derivedRows(chain, treasury)
    return rows.map(row => Number(row.forward))
  }

  test('is what parity implies at one strike: K + e^(rT) (C - P)', async () => {
    // 100 + 1.025² × 3 = 103.151875, by the midpoints 8 and 5.
    const forwards = await forwardOf(strike(100, 8, 5), yields({ 12: 5 }))
    expect(forwards.length).toBe(2)
    for (const forward of forwards) expect(forward).toBeCloseTo(103.151875, 8)
  })

  test('is the median of the five strikes at which the quotes allow the least difference', async () => {
    // At most they differ by 4.1, 1.1, 2.1, 4.1, 0.9, 9.1 and 14.1. Without the last two strikes their forwards are 104,
    // 106, 107, 109 and 110.6, and in the order of strikes 107 is in the middle.
    const chain = [
      ...strike(100, 9, 5),
      ...strike(105, 6, 5),
      ...strike(109, 5, 7),
      ...strike(113, 4, 8),
      ...strike(110, 5.6, 5, 0.3),
      ...strike(95, 10, 1),
      ...strike(90, 15, 1),
    ]
    for (const forward of await forwardOf(chain)) expect(forward).toBe(107)
  })

  test('is that of the lower strikes where several are alike', async () => {
    // The five lowest imply 101, 102, 103, 104 and 105.
    const chain = [100, 101, 102, 103, 104, 105, 106].flatMap(at => strike(at, 5, 4))
    for (const forward of await forwardOf(chain)) expect(forward).toBe(103)
  })

  test('comes from two-sided quotes of both contracts only', async () => {
    const [call, put] = strike(100, 8, 5) as [Row, Row]
    // By 100 e^0 where there is none.
    for (const bad of [{ bid: 0 }, { bid: null }, { ask: null }, { bid: 9, ask: 7 }]) {
      expect(await forwardOf([{ ...call, ...bad }, put])).toEqual([100, 100])
      expect(await forwardOf([call, { ...put, ...bad }])).toEqual([100, 100])
    }
  })

  test('takes no strike at which the quotes allow a difference of more than a fifth of it', async () => {
    expect(await forwardOf(strike(100, 22, 2.1))).toEqual([119.9, 119.9])
    expect(await forwardOf(strike(100, 22, 2))).toEqual([100, 100])
  })

  test('is that of the spot at the rate, without a yield, where parity implies none', async () => {
    // 100 × 1.025².
    const forwards = await forwardOf([contract(symbol('C', 100), { bid: 8, ask: 9 })], yields({ 12: 5 }))
    expect(forwards[0]).toBeCloseTo(105.0625, 7)
  })

  test('is one of each root and expiry', async () => {
    const adjusted = { root: 'ACME1' }
    const later = { expiry: '260102' }
    const chain = [
      ...strike(100, 8, 5),
      ...strike(10, 1.3, 1, 0.1, adjusted),
      ...strike(100, 11, 5, 0.1, later),
    ]
    // In the order of symbols.
    expect(await forwardOf(chain)).toEqual([10.3, 10.3, 103, 103, 106, 106])
  })
})

test('a contract with all figures, on its expiry day or without a price of the underlying needs neither', async () => {
  const all = ['implied_volatility', 'delta', 'gamma', 'theta', 'vega', 'rho', 'charm', 'vanna']
  const quotes = { bid: 1, ask: 2 }
  const complete = Object.fromEntries(all.map(name => [name, 0.1]))
  const rows = await derivedRows(
    [
      contract(symbol('C', 100), { ...quotes, ...complete }),
      contract(symbol('C', 100, { expiry: '240103' }), quotes),
      contract(symbol('C', 101), { ...quotes, underlying_price: null }),
      contract(symbol('C', 102), { ...quotes, ...complete, vanna: null }),
    ],
    yields({ 12: 5 }),
  )
  expect(rows.map(row => [row.option_symbol, row.rate, row.delta])).toEqual([
    [symbol('C', 100, { expiry: '240103' }), null, null],
    [symbol('C', 100), null, null],
    [symbol('C', 101), null, null],
    [symbol('C', 102), '0.0493852252', '0.1000000000'],
  ])
})
