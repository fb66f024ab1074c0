import { describe, expect, test } from 'vitest'
import { contractDays, contractOf, type Derived, listing, trade } from '../option-tape.ts'
import type { Row } from '../rows-as-sql.ts'

const CALL = 'ACME240119C00100000'
const PUT = 'ACME240119P00100000'
const DAYS = [
  '2024-01-02',
  '2024-01-03',
  '2024-01-04',
  '2024-01-05',
  '2024-01-08',
  '2024-01-09',
  '2024-01-10',
]

interface Session {
  readonly trades?: readonly Row[]
  readonly chain?: readonly Row[]
}

/** The rows of sessions that follow one another, each computed from the one before. */
async function sessions(of: readonly Session[], first: readonly Row[] = []): Promise<Derived[][]> {
  const all: Derived[][] = []
  for (const [day, { trades = [], chain = [] }] of of.entries()) {
    const rows = await contractDays(DAYS[day] ?? '', {
      option_trades: trades,
      option_chain_days: chain,
      contract_days: all.at(-1) ?? first,
    })
    all.push(rows)
  }
  return all
}

/** A session in which CALL is listed with the open interest and trades the contracts on each side. */
const session = (day: number, openInterest: number | null, ask: number, bid = 0): Session => ({
  chain: [listing(CALL, DAYS[day] ?? '', { open_interest: openInterest, volume: 0 })],
  trades: [
    ...(ask > 0 ? [trade(CALL, 1, `${DAYS[day]} 15:00:00`, 2 + day, ask, 'ask')] : []),
    ...(bid > 0 ? [trade(CALL, 2, `${DAYS[day]} 16:00:00`, 3 + day, bid, 'bid')] : []),
  ],
})

const column = (rows: Derived[][], name: string) => rows.map(([row]) => row?.[name])

/** A row of contract_days as a session left it. */
const carried = (symbol: string, date: string, more: Row): Row => ({
  date,
  option_symbol: symbol,
  ...contractOf(symbol),
  multiplier: 100,
  volume: 1,
  days_of_oi_increases: 0,
  days_of_vol_greater_than_oi: 0,
  recent_volumes: ['1'],
  recent_sides: ['ask'],
  ...more,
})

describe('a contract', () => {
  test('has a row when the chain lists it, when it trades, and from then on until it has expired', async () => {
    const yesterday = (symbol: string) => carried(symbol, DAYS[0] ?? '', {})
    const rows = await contractDays('2024-01-03', {
      option_chain_days: [listing('ACME240119C00101000', '2024-01-03')],
      option_trades: [
        trade('ACME240119C00102000', 1, '2024-01-03 15:00:00', 2, 10, 'ask'),
        trade('ACME240119C00109000', 2, '2024-01-03 15:00:00', 2, 10, 'ask', { canceled: true }),
      ],
      contract_days: ['ACME240119C00103000', 'ACME240103C00104000', 'ACME240102C00105000'].map(yesterday),
    })
    expect(rows.map(row => [row.option_symbol, row.volume, row.dte, row.is_new])).toEqual([
      ['ACME240103C00104000', '0', 0, false],
      ['ACME240119C00101000', '0', 16, true],
      ['ACME240119C00102000', '10', 16, true],
      ['ACME240119C00103000', '0', 16, false],
    ])
  })

  test('that does not trade has neither prices nor sides', async () => {
    const [, [row] = []] = await sessions([session(0, 100, 10), session(1, 100, 0)])
    expect(row).toMatchObject({
      volume: '0',
      trades: '0',
      premium: '0.0000',
      ask_side_volume: '0',
      floor_volume: '0',
      ask_side_premium: '0.0000',
      total_ask_changes: '0',
      avg_price: null,
      open: null,
      high: null,
      low: null,
      close: null,
      last_fill: null,
      roc: null,
      ticker_vol: '0',
      recent_volumes: ['10', '0'],
      recent_sides: ['ask', 'none'],
    })
  })

  test('is new on its first day, but not on the first day of the lake', async () => {
    const [first, second, third] = await sessions([
      session(0, 100, 10),
      { chain: [listing(CALL, DAYS[1] ?? ''), listing(PUT, DAYS[1] ?? '')] },
      {},
    ])
    expect(first?.map(row => row.is_new)).toEqual([false])
    expect(second?.map(row => [row.option_symbol, row.is_new])).toEqual([
      [CALL, false],
      [PUT, true],
    ])
    expect(third?.map(row => row.is_new)).toEqual([false, false])
  })

  test('uses the last day before, whatever else is in the files', async () => {
    const rows = await contractDays('2024-01-03', {
      option_chain_days: [listing(CALL, '2024-01-03', { open_interest: 5, volume: 0 })],
      contract_days: [
        carried(CALL, '2023-12-28', { open_interest: 1, close: 1, recent_volumes: ['1'] }),
        carried(CALL, '2023-12-29', { open_interest: 2, close: 2, recent_volumes: ['2'] }),
        carried(PUT, '2023-12-28', { open_interest: 1, close: 1 }),
        carried(CALL, '2024-01-03', { open_interest: 3, close: 3, recent_volumes: ['3'] }),
        carried(CALL, '2024-01-04', { open_interest: 4, close: 4, recent_volumes: ['4'] }),
      ],
    })
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ prev_oi: '2', chain_prev_close: '2.0000', recent_volumes: ['2', '0'] })
  })
})

describe('from session to session', () => {
  test('the previous close is that of the last day with a trade', async () => {
    const rows = await sessions([
      session(0, 1, 10),
      session(1, 1, 0),
      session(2, 1, 0),
      session(3, 1, 10),
      session(4, 1, 0),
    ])
    // Prices are 2 + the day's number.
    expect(column(rows, 'close')).toEqual(['2.0000', null, null, '5.0000', null])
    expect(column(rows, 'chain_prev_close')).toEqual([null, '2.0000', '2.0000', '2.0000', '5.0000'])
  })

  test('increases of open interest are counted until it is unchanged, decreases or is unknown', {
    tags: 'slow',
  }, async () => {
    const interest = [100, 110, 120, 120, 121, null, 130]
    const rows = await sessions(interest.map((each, day) => session(day, each, 0)))
    expect(column(rows, 'days_of_oi_increases')).toEqual([0, 1, 2, 0, 1, 0, 0])
    expect(column(rows, 'prev_oi')).toEqual([null, '100', '110', '120', '120', '121', null])
    expect(column(rows, 'open_interest')).toEqual(['100', '110', '120', '120', '121', null, '130'])
  })

  test('sessions with more volume than open interest are counted, unknown open interest as 0', async () => {
    const rows = await sessions([
      session(0, 10, 11),
      session(1, null, 1),
      session(2, 10, 10),
      session(3, 10, 11),
      session(4, null, 0),
    ])
    expect(column(rows, 'days_of_vol_greater_than_oi')).toEqual([1, 2, 0, 1, 0])
  })

  test('the mean volume covers up to 30 sessions before the day, and excludes the day', async () => {
    const rows = await sessions([session(0, 1, 10), session(1, 1, 0), session(2, 1, 20), session(3, 1, 999)])
    // 10; (10 + 0) / 2; (10 + 0 + 20) / 3
    expect(column(rows, 'contract_30_d_avg_volume')).toEqual([null, '10.0000', '5.0000', '10.0000'])

    // 1 … 30 sum to 465, a mean of 15.5; the day after, 2 … 30 and 35 to 499, of 16.6333.
    const thirty = Array.from({ length: 30 }, (_, place) => String(place + 1))
    const [[day] = [], [next] = []] = await sessions(
      [session(0, 1, 35), session(1, 1, 0)],
      [carried(CALL, '2023-12-29', { recent_volumes: thirty })],
    )
    expect(day).toMatchObject({
      contract_30_d_avg_volume: '15.5000',
      recent_volumes: [...thirty.slice(1), '35'],
    })
    expect(next).toMatchObject({ contract_30_d_avg_volume: '16.6333' })
  })

  test('the shares of sides are those of the days with a trade among the last 7', async () => {
    const rows = await sessions([
      session(0, 1, 2, 1),
      session(1, 1, 1, 2),
      session(2, 1, 0),
      session(3, 1, 3, 3),
      session(4, 1, 0, 4),
      session(5, 1, 5),
      session(6, 1, 6),
    ])
    expect(rows.at(-1)?.[0]?.recent_sides).toEqual(['ask', 'bid', 'none', 'even', 'bid', 'ask', 'ask'])
    // Traded days 1, 2, 2, 3, 4, 5, 6; ask 1, 1, 1, 1, 1, 2, 3; bid 0, 1, 1, 1, 2, 2, 2.
    const shares = ['1', '0.5', '0.5', '0.3333333333', '0.25', '0.4', '0.5']
    expect(column(rows, 'ask_side_perc_7_day').map(Number)).toEqual(shares.map(Number))
    const bids = ['0', '0.5', '0.5', '0.3333333333', '0.5', '0.4', '0.3333333333']
    expect(column(rows, 'bid_side_perc_7_day').map(Number)).toEqual(bids.map(Number))

    const [[untraded] = []] = await sessions(
      [session(0, 1, 0)],
      [
        carried(CALL, '2023-12-29', {
          recent_sides: ['ask', 'none', 'none', 'none', 'none', 'none', 'none'],
        }),
      ],
    )
    expect(untraded).toMatchObject({ ask_side_perc_7_day: null, bid_side_perc_7_day: null })
    expect(untraded?.recent_sides).toEqual(Array(7).fill('none'))
  })
})
