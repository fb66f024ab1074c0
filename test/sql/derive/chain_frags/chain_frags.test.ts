import { describe, expect, test } from 'vitest'
import { type Derived, derivedFrom, numbered, trade } from '../option-tape.ts'
import type { Row } from '../rows-as-sql.ts'

const DAY = '2024-01-03'
const CALL = 'ACME240119C00100000'
const PUT = 'ACME240119P00100000'

const frags = (trades: readonly Row[]): Promise<Derived[]> =>
  derivedFrom('chain_frags', { from: DAY, to: DAY }, { option_trades: trades })

/** The only interval of the only contract. */
async function fragOf(trades: readonly Row[]): Promise<Derived> {
  const rows = await frags(trades)
  expect(rows).toHaveLength(1)
  return rows[0] ?? {}
}

const seen = (
  open_interest: number,
  underlying_price: number,
  implied_volatility: number,
  delta: number,
  gamma: number,
) => ({ open_interest, underlying_price, implied_volatility, delta, gamma })
const condition = (upstream_condition_detail: string | null): Row => ({ upstream_condition_detail })

describe('a contract of two intervals', () => {
  const trades = [
    trade(CALL, 1, `${DAY} 14:30:00`, 2, 10, 'ask', { ...seen(500, 101.5, 0.31, 0.52, 0.041) }),
    trade(CALL, 2, `${DAY} 14:31:10`, 1.8, 5, 'bid', condition('isoi')),
    trade(CALL, 3, `${DAY} 14:32:00`, 1.9, 4, 'mid', { ...condition('slft'), multi_vol: 4 }),
    trade(CALL, 4, `${DAY} 14:33:00`, 2.15, 1, 'no_side', { ...condition('slcn'), stock_multi_vol: 1 }),
    trade(CALL, 5, `${DAY} 14:34:59.999999`, 2.1, 20, 'ask', {
      ...seen(510, 101.75, 0.33, 0.55, 0.043),
      ...condition('mlct'),
      multi_vol: 20,
    }),
    trade(CALL, 6, `${DAY} 14:35:00`, 2.2, 3, 'bid', condition('tlft')),
    trade(CALL, 7, `${DAY} 14:36:00.5`, 2.3, 7, 'mid', {
      ...seen(511, 102, 0.34, 0.56, 0.044),
      stock_multi_vol: 7,
    }),
    // None of these counts: canceled ones, those of other days, another contract.
    trade(CALL, 8, `${DAY} 14:34:59.999999`, 99, 1000, 'bid', { canceled: true, multi_vol: 1000 }),
    trade(CALL, 9, `${DAY} 14:30:00`, 0.01, 1000, 'ask', { canceled: true, ...condition('isoi') }),
    trade(CALL, 10, `${DAY} 14:50:00`, 0.01, 1000, 'ask', { canceled: true }),
    trade(CALL, 11, '2024-01-02 14:32:00', 77, 500, 'bid'),
    trade(CALL, 12, '2024-01-04 14:32:00', 77, 500, 'bid'),
    trade(PUT, 13, `${DAY} 14:34:00`, 7.5, 6, 'no_side', { multiplier: 10 }),
  ]
  const before = {
    date: DAY,
    underlying_symbol: 'ACME',
    option_symbol: CALL,
    start_time: `${DAY} 14:30:00`,
    tape_time: `${DAY} 14:34:59.999999`,
    volume: '40', // 10 + 5 + 4 + 1 + 20
    total_volume: '40',
    open_interest: '510',
    premium: '8075.0000', // (20 + 9 + 7.60 + 2.15 + 42) × 100
    ask_side_volume: '30',
    bid_side_volume: '5',
    floor_volume: '4',
    high: '2.1500',
    low: '1.8000',
    open: '2.0000',
    close: '2.1000',
    iv: '0.3300000000',
    trades: '5',
    avg_price: '2.0187500000', // 80.75 / 40
    mid_volume: '4',
    sweep_volume: '5',
    cross_volume: '21', // 1 + 20
    stock_multi_leg_volume: '1',
    no_side_vol: '1',
    multileg_volume: '24', // 4 + 20
    underlying_price: '101.7500',
    total_premium: '8075.0000',
    total_ask_side_volume: '30',
    total_bid_side_volume: '5',
    total_mid_volume: '4',
    total_stock_multi_leg_volume: '1',
    total_neutral_volume: '5', // 4 at the midpoint, 1 without a side
    total_multileg_volume: '24',
    delta: '0.5500000000',
    gamma: '0.0430000000',
  }
  const after = {
    date: DAY,
    underlying_symbol: 'ACME',
    option_symbol: CALL,
    start_time: `${DAY} 14:35:00`,
    tape_time: `${DAY} 14:36:00.5`,
    volume: '10',
    total_volume: '50',
    open_interest: '511',
    premium: '2270.0000', // (6.60 + 16.10) × 100
    ask_side_volume: '0',
    bid_side_volume: '3',
    floor_volume: '3',
    high: '2.3000',
    low: '2.2000',
    open: '2.2000',
    close: '2.3000',
    iv: '0.3400000000',
    trades: '2',
    avg_price: '2.2700000000',
    mid_volume: '7',
    sweep_volume: '0',
    cross_volume: '0',
    stock_multi_leg_volume: '7',
    no_side_vol: '0',
    multileg_volume: '0',
    underlying_price: '102.0000',
    total_premium: '10345.0000',
    total_ask_side_volume: '30',
    total_bid_side_volume: '8',
    total_mid_volume: '11',
    total_stock_multi_leg_volume: '8',
    total_neutral_volume: '12', // 4 + 1 + 7
    total_multileg_volume: '24',
    delta: '0.5600000000',
    gamma: '0.0440000000',
  }

  test('has every field of each, and the totals of the day so far', async () => {
    const other = expect.objectContaining({
      option_symbol: PUT,
      start_time: `${DAY} 14:30:00`,
      open_interest: null,
      iv: null,
      total_volume: '6',
      premium: '450.0000', // 7.50 × 6 × 10
      total_premium: '450.0000',
      avg_price: '7.5000000000',
      total_neutral_volume: '6',
      underlying_price: null,
      delta: null,
      gamma: null,
    })
    expect(await frags(trades)).toEqual([before, other, after])
  })

  test('is the same whatever the order of the rows', async () => {
    expect(await frags(trades.toReversed())).toEqual(await frags(trades))
  })

  test('has each contract on one side, at the midpoint or on none', async () => {
    for (const row of await frags(trades)) {
      const sides = [row.ask_side_volume, row.bid_side_volume, row.mid_volume, row.no_side_vol]
      expect(sides.reduce((sum: number, each) => sum + Number(each), 0)).toBe(Number(row.volume))
    }
  })
})

test('intervals without trades do not exist, and totals continue across them', async () => {
  const rows = await frags([
    trade(CALL, 1, `${DAY} 15:00:00`, 1, 2, 'ask'),
    trade(CALL, 2, `${DAY} 15:05:00`, 1, 99, 'ask', { canceled: true }),
    trade(CALL, 3, `${DAY} 20:59:59`, 1, 3, 'bid'),
    trade(PUT, 4, `${DAY} 15:10:00`, 1, 9, 'ask', { canceled: true }),
    trade(PUT, 5, `${DAY} 15:20:00`, 1, 0, 'ask'), // of no contracts: nothing traded
  ])
  expect(rows.map(row => [row.start_time, row.volume, row.total_volume])).toEqual([
    [`${DAY} 15:00:00`, '2', '2'],
    [`${DAY} 20:55:00`, '3', '5'],
  ])
})

test('a trade of size 0 is neither the first nor the last, nor counted', async () => {
  const row = await fragOf([
    trade(CALL, 1, `${DAY} 15:00:00`, 9, 0, 'mid'),
    trade(CALL, 2, `${DAY} 15:01:00`, 2, 4, 'mid'),
    trade(CALL, 3, `${DAY} 15:02:00`, 1, 0, 'mid'),
  ])
  expect(row).toMatchObject({ open: '2.0000', high: '2.0000', low: '2.0000', close: '2.0000', trades: '1' })
  expect(row.tape_time).toBe(`${DAY} 15:01:00`)
})

describe('the first and the latest trade', () => {
  const known = seen(10, 100, 0.1, 0.1, 0.01)
  const at = `${DAY} 15:00:00.000001`

  test('are distinguished by id within a microsecond', async () => {
    const row = await fragOf([
      trade(CALL, 2, at, 1, 1, 'mid', known),
      trade(CALL, 3, at, 2, 1, 'mid', { ...seen(30, 103, 0.3, 0.33, 0.03) }),
      trade(CALL, 1, at, 3, 1, 'mid', known),
    ])
    expect(row).toMatchObject({
      open: '3.0000',
      close: '2.0000',
      open_interest: '30',
      underlying_price: '103.0000',
      iv: '0.3000000000',
      delta: '0.3300000000',
      gamma: '0.0300000000',
      tape_time: at,
      trades: '3',
    })
  })

  test('have ids in the order of their text, from its first digit on', async () => {
    const high = { id: numbered(1).replace(/^0/, 'f') }
    const row = await fragOf([
      trade(CALL, 1, at, 1, 1, 'mid', high),
      trade(CALL, 2, at, 2, 1, 'mid'),
      trade(CALL, 3, at, 3, 1, 'mid', { id: numbered(3).replace(/^0/, '7') }),
    ])
    expect(row).toMatchObject({ open: '2.0000', close: '1.0000' })
  })

  test('are ordered by time before id', async () => {
    const row = await fragOf([
      trade(CALL, 1, `${DAY} 15:00:00.000003`, 1, 1, 'mid', known),
      trade(CALL, 2, `${DAY} 15:00:00.000002`, 2, 1, 'mid'),
      trade(CALL, 3, at, 3, 1, 'mid'),
    ])
    expect(row).toMatchObject({ open: '3.0000', close: '1.0000', iv: '0.1000000000', open_interest: '10' })
  })

  test('are unknown where the latest trade lacks them, even if earlier ones have them', async () => {
    const row = await fragOf([
      trade(CALL, 1, at, 1, 1, 'mid', known),
      trade(CALL, 2, `${DAY} 15:01:00`, 2, 1, 'mid'),
    ])
    const unknown = { open_interest: null, underlying_price: null, iv: null, delta: null, gamma: null }
    expect(row).toMatchObject({ close: '2.0000', ...unknown })
  })
})

test('the condition of a trade determines floor, sweep and cross volume', async () => {
  const kinds = {
    floor: ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl'],
    sweep: ['isoi'],
    cross: ['slcn', 'slci', 'mlct', 'tlct'],
    none: ['auto', 'slan', 'mlat', 'ISOI', '', null],
  }
  const conditions = Object.values(kinds).flat()
  const minute = (index: number) => `${DAY} 15:${String(index).padStart(2, '0')}:00`
  // A trade of two contracts in the middle of each interval keeps the sums from standing for all contracts.
  for (const [index, each] of conditions.entries()) {
    const row = await fragOf([
      trade(CALL, 1, minute(0), 1, 2, 'no_side', condition('auto')),
      trade(CALL, 2, minute(1), 1, 5 + index, 'no_side', condition(each)),
    ])
    const volume = (kind: keyof typeof kinds) => (kinds[kind].includes(each as never) ? `${5 + index}` : '0')
    expect([row.floor_volume, row.sweep_volume, row.cross_volume], `${each}`).toEqual([
      volume('floor'),
      volume('sweep'),
      volume('cross'),
    ])
    expect(row.no_side_vol).toBe(`${7 + index}`) // kinds overlap with sides
  }
})

describe('the average price', () => {
  test.each([
    // Exact ties at the eleventh place go to the even digit: 0.00019921875, 0.00020078125, 0.00010078125.
    [0.0001, 1, 0.0002, 127, '0.0001992188'],
    [0.0003, 1, 0.0002, 127, '0.0002007812'],
    [0.0002, 1, 0.0001, 127, '0.0001007812'],
    // Remainders of 703/1417, 413/829, 92/186 and 431/869 of the tenth place, just below a half: a double rounds up.
    [13.4003, 656, 3294.503, 761, '1775.5168523641'],
    [7805.5323, 815, 2202.7448, 14, '7710.9134519903'],
    [8147.0669, 143, 8805.7372, 43, '8299.3401413978'],
    [1995.875, 425, 4366.6671, 444, '3207.1888002301'],
  ])('of %d × %d and %d × %d is %s', async (price, size, other, rest, expected) => {
    const row = await fragOf([
      trade(CALL, 1, `${DAY} 15:00:00`, price, size, 'ask'),
      trade(CALL, 2, `${DAY} 15:00:01`, other, rest, 'bid'),
    ])
    expect(row.avg_price).toBe(expected)
  })
})

test('a contract with two tickers has one row per interval, with the ticker of its latest trade', async () => {
  const row = await fragOf([
    trade(CALL, 1, `${DAY} 15:00:00`, 1, 2, 'ask', { underlying_symbol: 'ACME' }),
    trade(CALL, 2, `${DAY} 15:01:00`, 1, 3, 'ask', { underlying_symbol: 'ACM' }),
    trade(CALL, 3, `${DAY} 15:00:30`, 1, 4, 'ask', { underlying_symbol: 'ACME' }),
  ])
  expect(row).toMatchObject({ underlying_symbol: 'ACM', volume: '9', total_volume: '9' })
})
