import { expect, test } from 'vitest'
import { dataset } from '../../src/lake/store/datasets.ts'
import { loadSlice } from '../../src/stream/frag-tape.ts'
import { trade } from '../sql/derive/option-tape.ts'
import type { Row } from '../sql/derive/rows-as-sql.ts'
import { fragsOf, storedRows } from './frag-lake.ts'

const CALL = 'ACME240119C00100000'
const PUT = 'ACME240119P00100000'
const more = (values: Row): Row => ({ open_interest: 50, underlying_price: 99.5, ...values })

test('an update counts what its contract did so far: in its interval, and on the day before it', async () => {
  const trades = [
    // The interval before: not in the slice.
    trade(CALL, 1, '2024-01-02 14:34:59', 9, 100, 'ask', more({})),
    trade(CALL, 2, '2024-01-02 14:35:00', 2, 3, 'ask', more({ delta: 0.5, gamma: 0.01 })),
    trade(PUT, 3, '2024-01-02 14:35:01', 1, 7, 'no_side', more({})),
    // A later id at the same moment comes later.
    trade(CALL, 5, '2024-01-02 14:36:00', 1, 1, 'bid', more({ upstream_condition_detail: 'isoi' })),
    trade(
      CALL,
      4,
      '2024-01-02 14:36:00',
      4,
      2,
      'mid',
      more({ upstream_condition_detail: 'mlft', multi_vol: 2 }),
    ),
    trade(CALL, 6, '2024-01-02 14:37:00', 50, 1000, 'ask', more({ canceled: true })),
    // The interval after: not in the slice.
    trade(CALL, 7, '2024-01-02 14:40:00', 8, 100, 'ask', more({})),
  ]
  // Of the stored frags only what totals have more than their interval is read: 100 contracts and 90,000 dollars.
  const frag = (symbol: string, values: Row): Row => ({
    date: '2024-01-02',
    underlying_symbol: 'ACME',
    option_symbol: symbol,
    start_time: '2024-01-02 14:35:00',
    ...Object.fromEntries(
      dataset('chain_frags')
        .columns.filter(({ name }) => /volume|_vol$|premium/.test(name))
        .map(({ name }) => [name, 0]),
    ),
    ...values,
  })
  const call = frag(CALL, {
    ...{ volume: 6, total_volume: 106, premium: 1500, total_premium: 91_500 },
    ...{ ask_side_volume: 3, total_ask_side_volume: 103, mid_volume: 2, total_mid_volume: 2 },
    ...{ bid_side_volume: 1, total_bid_side_volume: 1, total_neutral_volume: 6 },
    ...{ multileg_volume: 2, total_multileg_volume: 9 },
  })
  const put = frag(PUT, { volume: 7, total_volume: 7, no_side_vol: 7, total_neutral_volume: 7 })
  const { snapshot, engine } = await storedRows({ option_trades: trades, chain_frags: [call, put] })
  const [fromMs, toMs] = [Date.UTC(2024, 0, 2, 14, 35), Date.UTC(2024, 0, 2, 14, 40)]
  const messages = await loadSlice(
    { date: '2024-01-02', ticker: 'ACME', updates: true },
    { fromMs, toMs, messages: 4 },
    snapshot,
    engine,
    new AbortController().signal,
  )
  await engine.close()
  const updates = fragsOf(messages)
  expect([...messages.dueMs]).toEqual([fromMs, fromMs + 1000, fromMs + 60_000, fromMs + 60_000])
  expect(updates.map(({ optionSymbol, close }) => [optionSymbol, close])).toEqual([
    [CALL, '2.0000'],
    [PUT, '1.0000'],
    [CALL, '4.0000'],
    [CALL, '1.0000'],
  ])
  const [first, second, third, last] = updates
  expect(second).toMatchObject({ noSideVol: 7, totalNeutralVolume: 7, totalVolume: 7n, askSideVolume: 0 })
  expect(first).toMatchObject({
    ...{ startTime: BigInt(fromMs), tapeTime: BigInt(fromMs), volume: 3n, totalVolume: 103n },
    ...{ premium: '600.0000', totalPremium: '90600.0000', avgPrice: '2.0000000000', trades: 1 },
    ...{ high: '2.0000', low: '2.0000', open: '2.0000', askSideVolume: 3, totalAskSideVolume: 103 },
    ...{ delta: '0.5000000000', gamma: '0.0100000000', openInterest: 50, underlyingPrice: '99.5000' },
    ...{ totalNeutralVolume: 4, totalMultilegVolume: 7 },
  })
  // (2 × 3 + 4 × 2) / 5 = 2.8; the greeks are those of the latest trade, which has none.
  expect(third).toMatchObject({
    ...{ volume: 5n, totalVolume: 105n, premium: '1400.0000', avgPrice: '2.8000000000', trades: 2 },
    ...{ high: '4.0000', low: '2.0000', open: '2.0000', midVolume: 2, totalMidVolume: 2, floorVolume: 2 },
    ...{ multilegVolume: 2, totalMultilegVolume: 9, totalNeutralVolume: 6, sweepVolume: 0 },
  })
  expect(third?.delta).toBeUndefined()
  // (2 × 3 + 4 × 2 + 1 × 1) / 6 = 2.5
  expect(last).toMatchObject({
    ...{ volume: 6n, totalVolume: 106n, premium: '1500.0000', totalPremium: '91500.0000' },
    ...{ avgPrice: '2.5000000000', trades: 3, high: '4.0000', low: '1.0000', open: '2.0000' },
    ...{ bidSideVolume: 1, totalBidSideVolume: 1, sweepVolume: 1, floorVolume: 2, crossVolume: 0 },
  })
})
