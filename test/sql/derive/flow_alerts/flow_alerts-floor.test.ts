import { expect, test } from 'vitest'
import { derived } from '../../../fixtures/derive.ts'
import {
  averagesSql,
  burst,
  DAY,
  type Fill,
  fill,
  type Known,
  MINUTE,
  tickersSql,
  tradesSql,
  uuid,
} from './flow-trades.ts'

/** Floor trades. Each case is a contract of its own, named after what it shows. */

const known = (ticker: string, given: Partial<Known> = {}): Known => ({
  ticker,
  date: '2023-12-01',
  marketcap: null,
  earnings: null,
  ...given,
})

const floor = (given: Partial<Fill> & { contract: string }) => fill({ detail: 'slft', ...given })

async function matches(fills: readonly Fill[], tickers: readonly Known[] = [], averages?: string) {
  const rows = await derived(
    'flow_alerts',
    { from: DAY, to: DAY },
    {
      option_trades: tradesSql(fills),
      ...(tickers.length > 0 && { tickers: tickersSql(tickers) }),
      ...(averages && { contract_days: averages }),
    },
  )
  return rows.map(row => `${row.option_chain}: ${row.alert_rule}`).sort()
}

test('A floor trade alerts from 50k, 100k or 250k on, by the tier of the market cap', async () => {
  const tiers: [string, number | null, number, string][] = [
    ['NONE', null, 50_000, 'Small'],
    ['SMALL', 10e9 - 0.01, 50_000, 'Small'],
    ['MID', 10e9, 100_000, 'Mid'],
    ['UPPER', 100e9 - 0.01, 100_000, 'Mid'],
    ['LARGE', 100e9, 250_000, 'Large'],
  ]
  const fills = [...tiers, ['UNKNOWN', null, 50_000, 'Small'] as const].flatMap(([ticker, , premium]) => [
    floor({ contract: `${ticker} at`, ticker, premium }),
    floor({ contract: `${ticker} below`, ticker, premium: premium - 0.01 }),
  ])
  const tickers = tiers.map(([ticker, marketcap]) => known(ticker, { marketcap }))
  expect(await matches(fills, tickers)).toEqual(
    [...tiers, ['UNKNOWN', null, 50_000, 'Small'] as const]
      .map(([ticker, , , tier]) => `${ticker} at: FloorTrade${tier}Cap`)
      .sort(),
  )
})

test('Every code of the floor counts, no other code and no canceled trade does', async () => {
  const codes = ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl', 'isoi', 'slcn', 'mlct', 'auto', 'slan', null]
  const fills = codes.map(detail => fill({ contract: `${detail}`, detail, premium: 50_000 }))
  const canceled = floor({ contract: 'canceled', premium: 50_000, canceled: true })
  expect(await matches([...fills, canceled])).toEqual(
    ['mfsl', 'mlft', 'slft', 'tfsl', 'tlft'].map(code => `${code}: FloorTradeSmallCap`),
  )
})

test('Out of the money with earnings ahead: 25k, moneyness, 14 days and the expiry, each to its edge', async () => {
  const tickers = [
    known('TODAY', { earnings: '2024-01-03' }),
    known('PAST', { earnings: '2024-01-02' }),
    known('FAR', { earnings: '2024-01-17' }), // 14 days after the day
    known('TOO', { earnings: '2024-01-18' }), // 15 days
    known('NONE'),
  ]
  const given = { premium: 25_000, strike: 101, underlying: 100, expiry: '2024-01-17' } as const
  const fills = [
    floor({ ...given, contract: 'today', ticker: 'TODAY' }),
    floor({ ...given, contract: 'past', ticker: 'PAST' }),
    floor({ ...given, contract: 'day 14, expiry too', ticker: 'FAR' }),
    floor({ ...given, contract: 'expired before', ticker: 'FAR', expiry: '2024-01-16' }),
    floor({ ...given, contract: 'day 15', ticker: 'TOO', expiry: '2024-02-16' }),
    floor({ ...given, contract: 'none', ticker: 'NONE' }),
    floor({ ...given, contract: 'unknown ticker', ticker: 'WHO' }),
    floor({ ...given, contract: 'too small', ticker: 'TODAY', premium: 24_999.99 }),
    floor({ ...given, contract: 'call at the money', ticker: 'TODAY', strike: 100 }),
    floor({ ...given, contract: 'call just out', ticker: 'TODAY', strike: 100.001 }),
    floor({ ...given, contract: 'put in', ticker: 'TODAY', type: 'put' }),
    floor({ ...given, contract: 'put at the money', ticker: 'TODAY', type: 'put', strike: 100 }),
    floor({ ...given, contract: 'put just out', ticker: 'TODAY', type: 'put', strike: 99.999 }),
    floor({ ...given, contract: 'no price', ticker: 'TODAY', underlying: null }),
    floor({ ...given, contract: 'no floor', ticker: 'TODAY', detail: 'auto' }),
  ]
  expect(await matches(fills, tickers)).toEqual(
    ['call just out', 'day 14, expiry too', 'put just out', 'today'].map(each => `${each}: OtmEarningsFloor`),
  )
})

test('A ticker has the attributes known on the day', async () => {
  const tickers = [
    known('AAA', { date: '2023-06-01', marketcap: 200e9 }),
    known('AAA', { date: DAY, marketcap: 5e9 }),
    known('AAA', { date: '2024-01-04', marketcap: 200e9 }),
    known('BBB', { date: '2024-01-04', marketcap: 200e9 }),
  ]
  const fills = ['AAA', 'BBB'].map(ticker => floor({ contract: ticker, ticker, premium: 60_000 }))
  expect(await matches(fills, tickers)).toEqual(['AAA: FloorTradeSmallCap', 'BBB: FloorTradeSmallCap'])
})

test('A size above 5 times the 30-day average volume is unusual from 25k on', async () => {
  const averages = averagesSql(
    new Map([
      ['five times', 10],
      ['one more', 10],
      ['a fraction', 10.0001],
      ['too small', 10],
      ['never traded', 0],
      ['first day', null],
    ]),
  )
  const given = { premium: 25_000 }
  const fills = [
    floor({ ...given, contract: 'five times', size: 50 }),
    floor({ ...given, contract: 'one more', size: 51 }),
    floor({ ...given, contract: 'a fraction', size: 50 }), // 5 × 10.0001 is 50.0005
    floor({ contract: 'too small', size: 51, premium: 24_999.99 }),
    floor({ ...given, contract: 'never traded', size: 1 }),
    floor({ ...given, contract: 'first day', size: 1_000_000 }),
    floor({ ...given, contract: 'not in the lake', size: 1_000_000 }),
    fill({ ...given, contract: 'one more', size: 51 }),
  ]
  expect(await matches(fills, [], averages)).toEqual(
    ['never traded', 'one more'].map(each => `${each}: LowHistoricVolumeFloor`),
  )
  const dayBefore = averagesSql(new Map([['one more', 10]]), '2024-01-02')
  expect(await matches(fills, [], dayBefore)).toEqual([])
})

test('Ten sweeps of the contract within the 10 minutes up to a floor trade of 100k', async () => {
  const sweeps = (contract: string, count: number, at: number, given: Partial<Fill> = {}) =>
    burst(Array(count).fill(1), 0, { contract, at, detail: 'isoi', ...given })
  const end = (contract: string, given: Partial<Fill> = {}) =>
    floor({ contract, at: 10 * MINUTE, premium: 100_000, ...given })
  const fills = [
    ...[...sweeps('edge', 10, 0), end('edge')],
    ...[...sweeps('a microsecond late', 1, 0), ...sweeps('a microsecond late', 9, 1)],
    end('a microsecond late', { at: 10 * MINUTE + 1 }),
    ...[...sweeps('nine', 9, 0), end('nine')],
    ...[
      ...sweeps('nine and a canceled one', 9, 0),
      ...sweeps('nine and a canceled one', 1, 0, { canceled: true }),
    ],
    end('nine and a canceled one'),
    ...[...sweeps('nine and no sweep', 9, 0), ...sweeps('nine and no sweep', 1, 0, { detail: 'auto' })],
    end('nine and no sweep'),
    ...[...sweeps('one after', 9, 0), ...sweeps('one after', 1, 10 * MINUTE + 1), end('one after')],
    ...[...sweeps('too small', 10, 0), end('too small', { premium: 99_999.99 })],
    ...[...sweeps('canceled floor', 10, 0), end('canceled floor', { canceled: true })],
    ...[...sweeps('no floor', 10, 0), end('no floor', { detail: 'auto' })],
    ...[...sweeps('another contract', 10, 0), end('the other contract')],
  ]
  const found = await matches(fills)
  expect(found.filter(each => each.endsWith('SweepsFollowedByFloor'))).toEqual([
    'edge: SweepsFollowedByFloor',
  ])
})

test('Each floor trade after ten sweeps alerts with them and is last, even at one instant', async () => {
  const last = floor({ contract: 'AAA', at: MINUTE, premium: 100_000, price: 7, size: 5 })
  const sweeps = burst(Array(12).fill(2), 0, { contract: 'AAA', at: MINUTE, detail: 'isoi', size: 3 })
  const first = sweeps[0] as Fill
  const before = { ...first, id: first.id + 500, at: 0 }
  const later = floor({ contract: 'AAA', at: 10 * MINUTE + 1, premium: 100_000, price: 8 })
  const rows = await derived(
    'flow_alerts',
    { from: DAY, to: DAY },
    { option_trades: tradesSql([...sweeps.reverse(), last, later, before]) },
  )
  const ids = sweeps.map(each => uuid(each.id)).sort()
  const alerts = rows.filter(row => row.alert_rule === 'SweepsFollowedByFloor')
  expect(
    alerts
      .map(row => [row.trade_ids, row.price, row.total_size, row.start_time, row.created_at])
      .sort((a, b) => String(a[1]).localeCompare(String(b[1]))),
  ).toEqual([
    // 13 sweeps of 3 contracts and the floor trade's 5
    [[uuid(before.id), ...ids, uuid(last.id)], '7.0000', '44', `${DAY} 15:00:00`, `${DAY} 15:01:00`],
    // the first sweep is more than 10 minutes earlier: 12 sweeps of 3 contracts and 1
    [[...ids, uuid(later.id)], '8.0000', '37', `${DAY} 15:01:00`, `${DAY} 15:10:00.000001`],
  ])
})

test('A trade that matches several rules raises an alert for each, under ids of their own', async () => {
  const one = floor({ contract: 'AAA', premium: 100_000, strike: 120, underlying: 100, size: 51, at: 1 })
  const sweeps = burst(Array(10).fill(1), 0, { contract: 'AAA', detail: 'isoi', size: 20 })
  const rows = await derived(
    'flow_alerts',
    { from: DAY, to: DAY },
    {
      option_trades: tradesSql([one, ...sweeps]),
      tickers: tickersSql([known('AAA', { earnings: '2024-01-10' })]),
      contract_days: averagesSql(new Map([['AAA', 10]])),
    },
  )
  expect(rows.map(row => row.alert_rule).sort()).toEqual([
    'FloorTradeSmallCap',
    'LowHistoricVolumeFloor',
    'OtmEarningsFloor',
    'RepeatedHits',
    'SweepsFollowedByFloor',
  ])
  expect(new Set(rows.map(row => row.id)).size).toBe(5)
})
