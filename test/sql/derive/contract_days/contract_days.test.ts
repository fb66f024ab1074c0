import { describe, expect, test } from 'vitest'
import { contractDays, type Derived, listing, trade } from '../option-tape.ts'
import type { Row } from '../rows-as-sql.ts'

const DAY = '2024-01-03'
const CALL = 'ACME240119C00100000'
const PUT = 'ACME240119P00100000'

/** The one row of a contract's day. */
async function dayOf(trades: readonly Row[], inputs: Record<string, readonly Row[]> = {}): Promise<Derived> {
  const rows = await contractDays(DAY, { option_trades: trades, ...inputs })
  expect(rows).toHaveLength(1)
  return rows[0] ?? {}
}

const quote = (bid: number | null, ask: number | null, more: Row = {}): Row => ({
  nbbo_bid: bid,
  nbbo_ask: ask,
  ...more,
})
const condition = (upstream_condition_detail: string): Row => ({ upstream_condition_detail })

describe('the trades of a contract', () => {
  // Premiums: 10 × 2.00 + 5 × 1.80 + 4 × 1.90 + 1 × 1.95 + 20 × 2.10 = 80.55 a unit, × 100 = 8,055 for 40 contracts.
  const trades = [
    trade(CALL, 1, `${DAY} 14:30:00`, 2, 10, 'ask', quote(1.8, 2)),
    trade(CALL, 2, `${DAY} 14:31:00`, 1.8, 5, 'bid', quote(1.8, 2.05)),
    trade(CALL, 3, `${DAY} 14:32:00`, 1.9, 4, 'mid', quote(1.75, 2.05)),
    trade(CALL, 4, `${DAY} 14:33:00`, 1.95, 1, 'no_side', quote(null, null)),
    trade(CALL, 5, `${DAY} 14:34:00`, 2.1, 20, 'ask', quote(1.9, 2.1)),
    trade(CALL, 6, `${DAY} 14:29:00`, 99, 1000, 'bid', { ...quote(1, 99), canceled: true }),
    trade(CALL, 7, '2024-01-02 15:00:00', 77, 500, 'bid'),
    trade(CALL, 8, '2024-01-04 15:00:00', 77, 500, 'bid'),
  ]

  test('add up, without canceled ones and those of other days', async () => {
    expect(await dayOf(trades)).toMatchObject({
      date: DAY,
      underlying_symbol: 'ACME',
      option_symbol: CALL,
      option_type: 'call',
      strike: '100.000',
      expiry: '2024-01-19',
      multiplier: 100,
      dte: 16,
      volume: '40',
      trades: '5',
      premium: '8055.0000',
      ask_side_volume: '30',
      bid_side_volume: '5',
      mid_volume: '4',
      no_side_volume: '1',
      ask_side_premium: '6200.0000',
      bid_side_premium: '900.0000',
      avg_price: '2.0137500000',
      open: '2.0000',
      high: '2.1000',
      low: '1.8000',
      close: '2.1000',
      last_fill: `${DAY} 14:34:00`,
      recent_volumes: ['40'],
      recent_sides: ['ask'],
    })
  })

  test('change the quote where two neighbours have different ones', async () => {
    // Offers 2.00, 2.05, 2.05, none, 2.10: one change. Bids 1.80, 1.80, 1.75, none, 1.90: one change.
    expect(await dayOf(trades)).toMatchObject({ total_ask_changes: '1', total_bid_changes: '1' })
    const alone = trade(CALL, 1, `${DAY} 14:30:00`, 2, 10, 'ask', quote(1.8, 2))
    expect(await dayOf([alone])).toMatchObject({ total_ask_changes: '0', total_bid_changes: '0' })
  })

  test('follow one another by time, then by id', async () => {
    const moment = `${DAY} 14:30:00.000001`
    // In the order of ids 11, 12, 13 the offers are 5, 6, 5 (two changes) and the bids 4, 3, 3 (one).
    const simultaneous = [
      trade(CALL, 13, moment, 5, 1, 'ask', { ...quote(3, 5), open_interest: 30, underlying_price: 103 }),
      trade(CALL, 11, moment, 4, 1, 'bid', { ...quote(4, 5), open_interest: 10, underlying_price: 101 }),
      trade(CALL, 12, moment, 6, 1, 'mid', { ...quote(3, 6), open_interest: 20, underlying_price: 102 }),
    ]
    for (const tape of [simultaneous, simultaneous.toReversed()])
      expect(await dayOf(tape)).toMatchObject({
        open: '4.0000',
        close: '5.0000',
        bid: '3.0000',
        ask: '5.0000',
        stock_price: '103.0000',
        open_interest: '10',
        total_ask_changes: '2',
        total_bid_changes: '1',
      })
  })

  test('keep the premium at average price × volume × multiplier for every kind of contract', async () => {
    const mini = await dayOf([
      trade(CALL, 1, `${DAY} 14:30:00`, 2, 3, 'ask', { multiplier: 1 }),
      trade(CALL, 2, `${DAY} 14:31:00`, 3, 4, 'ask', { multiplier: 1 }),
    ])
    // (6 + 12) / 7
    expect(mini).toMatchObject({ premium: '18.0000', volume: '7', avg_price: '2.5714285714' })
    expect(Number(mini.avg_price) * 7).toBeCloseTo(18, 8)
  })
})

describe('the condition of a sale', () => {
  const cases: [kind: string, conditions: string[]][] = [
    ['sweep_volume', ['isoi']],
    ['floor_volume', ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl']],
    ['cross_volume', ['slcn', 'slci', 'mlct', 'tlct']],
  ]
  test.each(cases)('counts to %s when it is %s', async (kind, conditions) => {
    // 1 + 2 + 4 + … contracts: every condition is missed by an amount of its own.
    const tape = conditions.map((each, place) =>
      trade(CALL, place, `${DAY} 14:30:00`, 1, 2 ** place, 'ask', condition(each)),
    )
    const others = ['auto', 'slan', 'late'].map((each, place) =>
      trade(CALL, 50 + place, `${DAY} 15:00:00`, 1, 1000, 'ask', condition(each)),
    )
    const unknown = trade(CALL, 99, `${DAY} 15:00:00`, 1, 1000, 'ask')
    const kinds = { sweep_volume: '0', floor_volume: '0', cross_volume: '0' }
    const row = await dayOf([...tape, ...others, unknown])
    expect(row).toMatchObject({ ...kinds, [kind]: String(2 ** conditions.length - 1) })
    expect(row).toMatchObject({ multileg_volume: '0', stock_multi_leg_volume: '0' })
  })

  test('does not matter to multi-leg volumes, which the trade states', async () => {
    const tape = [
      trade(CALL, 1, `${DAY} 14:30:00`, 1, 5, 'ask', { multi_vol: 5, ...condition('isoi') }),
      trade(CALL, 2, `${DAY} 14:30:00`, 1, 7, 'ask', { stock_multi_vol: 7 }),
    ]
    expect(await dayOf(tape)).toMatchObject({
      sweep_volume: '5',
      multileg_volume: '5',
      stock_multi_leg_volume: '7',
    })
  })
})

describe('the return on capital of a short position', () => {
  const cases: [name: string, symbol: string, stock: number, price: number, roc: string][] = [
    // 0.20 × 105 = 21 against 10.5: 6.3 / 21
    ['a call in the money', CALL, 105, 6.3, '0.3000000000'],
    // 0.20 × 95 − 5 = 14 against 9.5: 2.1 / 14
    ['a call out of the money', CALL, 95, 2.1, '0.1500000000'],
    // 0.20 × 80 − 20 < 0, so 0.10 × 80 = 8: 0.4 / 8
    ['a call far out of the money', CALL, 80, 0.4, '0.0500000000'],
    // 0.20 × 95 = 19 against 10: 5.7 / 19
    ['a put in the money', PUT, 95, 5.7, '0.3000000000'],
    // 0.20 × 105 − 5 = 16 against 10: 0.8 / 16
    ['a put out of the money', PUT, 105, 0.8, '0.0500000000'],
    // 0.20 × 120 − 20 = 4, so 0.10 × 100 = 10: 0.3 / 10
    ['a put far out of the money', PUT, 120, 0.3, '0.0300000000'],
  ]
  test.each(cases)('%s is the price over the margin', async (_name, symbol, stock, price, roc) => {
    const tape = [trade(symbol, 1, `${DAY} 14:30:00`, price, 10, 'ask', { underlying_price: stock })]
    expect(await dayOf(tape)).toMatchObject({ roc })
  })

  test('is unknown without a price of the underlying, or where it is zero', async () => {
    for (const symbol of [CALL, PUT])
      expect(await dayOf([trade(symbol, 1, `${DAY} 14:30:00`, 2, 10, 'ask')])).toMatchObject({ roc: null })
    const worthless = { underlying_price: 0 }
    expect(await dayOf([trade(CALL, 1, `${DAY} 14:30:00`, 2, 10, 'ask', worthless)])).toMatchObject({
      roc: null,
    })
    // Margin 0.10 × 0.0001: a return of 200 million does not fit the column.
    const nearly = { underlying_price: 0.0001 }
    expect(await dayOf([trade(CALL, 1, `${DAY} 14:30:00`, 2000, 10, 'ask', nearly)])).toMatchObject({
      roc: null,
    })
  })
})

describe('the underlying', () => {
  test('sums the volume of its contracts', async () => {
    const rows = await contractDays(DAY, {
      option_trades: [
        trade(CALL, 1, `${DAY} 14:30:00`, 2, 10, 'ask'),
        trade(PUT, 2, `${DAY} 14:30:00`, 2, 5, 'ask'),
        trade('BRASS240119C00050000', 3, `${DAY} 14:30:00`, 2, 3, 'ask'),
      ],
    })
    expect(rows.map(row => [row.option_symbol, row.volume, row.ticker_vol])).toEqual([
      [CALL, '10', '15'],
      [PUT, '5', '15'],
      ['BRASS240119C00050000', '3', '3'],
    ])
  })

  test('has the attributes known on the day', async () => {
    const ticker = (date: string, full_name: string, more: Row = {}) => ({
      ticker: 'ACME',
      date,
      full_name,
      ...more,
    })
    const row = await dayOf([trade(CALL, 1, `${DAY} 14:30:00`, 2, 10, 'ask')], {
      tickers: [
        ticker('2023-01-01', 'Acme Tools'),
        ticker(DAY, 'Acme', {
          sector: 'Industrials',
          issue_type: 'Common Stock',
          marketcap: '5000000000.00',
          next_earnings_date: '2024-01-25',
          er_time: 'postmarket',
          ex_dividend_date: '2024-02-01',
        }),
        ticker('2024-01-04', 'Acme Renamed'),
        { ticker: 'BRASS', date: DAY, full_name: 'Brass' },
      ],
      stock_days: [
        { ticker: 'ACME', date: '2024-01-02', close: 90, avg30_volume: 1 },
        { ticker: 'ACME', date: DAY, close: '101.250000', avg30_volume: '1234567.5000' },
        { ticker: 'ACME', date: '2024-01-04', close: 92, avg30_volume: 2 },
      ],
    })
    expect(row).toMatchObject({
      full_name: 'Acme',
      sector: 'Industrials',
      issue_type: 'Common Stock',
      marketcap: '5000000000.00',
      next_earnings_date: '2024-01-25',
      er_time: 'postmarket',
      ex_dividend_date: '2024-02-01',
      ticker_30_d_avg_volume: '1234567.5000',
      stock_price: '101.2500',
    })
  })
})

describe('the close of the day', () => {
  const last = {
    nbbo_bid: 1.9,
    nbbo_ask: 2.1,
    underlying_price: 101,
    implied_volatility: 0.31,
    delta: 0.51,
    gamma: 0.021,
    theta: -0.061,
    vega: 0.081,
    open_interest: 700,
  }
  const tape = [trade(CALL, 1, `${DAY} 14:30:00`, 2, 10, 'ask', last)]
  const stock_days = [{ ticker: 'ACME', date: DAY, close: 99, avg30_volume: 5 }]

  test('is that of the chain, even without a bid', async () => {
    const chainFigures = {
      bid: null,
      ask: '2.3000',
      delta: '0.5500000000',
      gamma: '0.0250000000',
      theta: '-0.0650000000',
      vega: null,
      open_interest: '800',
    }
    const chain = listing(CALL, DAY, { ...chainFigures, underlying_price: 102, implied_volatility: '0.35' })
    const stale = listing(CALL, '2024-01-02', { bid: 9, underlying_price: 9, open_interest: 9 })
    expect(await dayOf(tape, { option_chain_days: [chain, stale], stock_days })).toMatchObject({
      ...chainFigures,
      stock_price: '102.0000',
      iv: '0.3500000000',
    })
  })

  test('is that of the last trade if there is no chain', async () => {
    expect(await dayOf(tape, { stock_days })).toMatchObject({
      bid: '1.9000',
      ask: '2.1000',
      stock_price: '101.0000',
      iv: '0.3100000000',
      delta: '0.5100000000',
      gamma: '0.0210000000',
      theta: '-0.0610000000',
      vega: '0.0810000000',
      open_interest: '700',
    })
  })

  test('takes open interest and the price of the underlying from the trades where the chain has none', async () => {
    const rows = await dayOf(tape, { option_chain_days: [listing(CALL, DAY)], stock_days })
    expect(rows).toMatchObject({ open_interest: '700', stock_price: '101.0000', iv: null, bid: null })
  })
})
