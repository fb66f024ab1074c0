import { expect, test } from 'vitest'
import { derived } from '../../../fixtures/derive.ts'
import { alertsOf, type Market, rowOf } from './flow-rules.ts'
import {
  averagesSql,
  DAY,
  type Fill,
  fill,
  type Known,
  MINUTE,
  tickersSql,
  tradesSql,
} from './flow-trades.ts'

/** Thousands of pseudo-random trades, on values that meet the rules' bounds often, against one loop a rule. */

const RULES = [
  'FloorTradeLargeCap',
  'FloorTradeMidCap',
  'FloorTradeSmallCap',
  'LowHistoricVolumeFloor',
  'OtmEarningsFloor',
  'RepeatedHits',
  'RepeatedHitsAscendingFill',
  'RepeatedHitsDescendingFill',
  'SweepsFollowedByFloor',
]
const CAPS = [null, 9.99e9, 10e9, 50e9, 60e9, 100e9, 500e9, 600e9]
const EARNINGS = [null, '2024-01-02', DAY, '2024-01-12', '2024-01-17', '2024-01-18']
const DETAILS = ['auto', 'auto', 'auto', 'isoi', 'isoi', 'slft', 'mlft', 'tfsl', 'slcn', null]
const SWEPT = ['isoi', 'isoi', 'isoi', 'isoi', 'slft', 'mlft', 'auto']
const PREMIUMS = [
  1_000, 1_666.67, 2_000, 8_000, 10_000, 17_000, 24_999.99, 25_000, 50_000, 99_999.99, 100_000, 250_000,
]

/** A generator after Marsaglia's xorshift32: below(n) is a whole number from 0 to n − 1. */
function below(seed: number) {
  let state = seed
  return (count: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % count
  }
}

function randomMarket(seed: number, count: number): Market {
  const next = below(seed)
  const pick = <T>(values: readonly T[]) => values[next(values.length)] as T
  const known: Known[] = CAPS.flatMap((marketcap, index) => {
    const now = { ticker: `T${index}`, marketcap, earnings: pick(EARNINGS) }
    const then = { ticker: `T${index}`, marketcap: pick(CAPS), earnings: pick(EARNINGS) }
    return [
      { ...then, date: '2023-06-01' },
      { ...now, date: pick(['2023-12-29', DAY]) },
      { ...then, date: '2024-01-04' },
    ]
  })
  const contracts = Array.from({ length: 24 }, (_, index) => ({
    contract: `C${index}`,
    ticker: `T${index % 9}`,
    type: pick(['call', 'put'] as const),
    strike: pick([95, 100, 105]),
    expiry: pick([DAY, '2024-01-12', '2024-01-17', '2024-02-16']),
    openInterest: pick([null, 0, 1, 5, 40, 400]),
    // The first contracts trade in tight bursts, the others all day.
    pace: index < 16 ? [0, 1, 20_000, 100_000, 100_000, 100_001, 500_000] : [0, MINUTE / 2, MINUTE],
    step: pick([[0], [0, 1], [0, -1], [-1, 0, 1]]),
    at: 0,
    price: 500,
    volume: 0,
  }))
  const fills = Array.from({ length: count }, (): Fill => {
    const own = pick(contracts)
    own.at += pick(own.pace)
    own.price = next(12) === 0 ? 500 : own.price + pick(own.step)
    const size = 1 + next(30)
    const canceled = next(25) === 0
    own.volume += canceled ? 0 : size
    const { pace: _pace, step: _step, ...contract } = own
    return fill({
      ...contract,
      price: own.price / 100,
      size,
      premium: pick(own.pace.length > 3 ? PREMIUMS.slice(0, 8) : PREMIUMS),
      volume: Math.max(own.volume, size),
      underlying: pick([null, 94.5, 100, 100, 105.25]),
      side: pick(['ask', 'bid', 'mid']),
      canceled,
      multi: next(30) === 0,
      detail: pick(own.pace.length === 3 ? SWEPT : next(8) > 0 ? ['auto'] : DETAILS),
      order: next(6) === 0 ? next(40) : null,
      iv: pick([null, 0.25, 0.3125]),
      date: next(40) === 0 ? pick(['2024-01-02', '2024-01-04']) : DAY,
    })
  })
  // Ids against the order of the tape in half of the days, so that ties in time come either way.
  const numbers = fills.map(each => each.id)
  const renumbered =
    seed % 2 ? fills.map((each, index) => ({ ...each, id: numbers.at(-1 - index) as number })) : fills
  const averages = new Map(contracts.map(({ contract }) => [contract, pick([null, 0, 2, 3, 5.2])]))
  return { fills: renumbered, known, averages }
}

test('Every rule returns the same alerts, field by field, as one loop per rule over the trades', {
  tags: 'slow',
}, async () => {
  const found = new Map<string, number>()
  for (const seed of [1, 2, 3, 4]) {
    const market = randomMarket(seed, 3_000)
    const next = below(seed + 100)
    const shuffled = market.fills
      .map(each => [next(1 << 30), each] as const)
      .sort(([a], [b]) => a - b)
      .map(([, each]) => each)
    const rows = await derived(
      'flow_alerts',
      { from: DAY, to: DAY },
      {
        option_trades: tradesSql(shuffled),
        tickers: tickersSql(market.known),
        contract_days: averagesSql(market.averages),
      },
    )
    const alerts = alertsOf(market, DAY)
    const expected = alerts.map(each => rowOf(each, market))
    expected.sort((a, b) => String(a.id).localeCompare(String(b.id)))
    expect(rows).toEqual(expected)
    for (const { rule } of alerts) found.set(rule, (found.get(rule) ?? 0) + 1)
  }
  expect([...found.keys()].sort()).toEqual(RULES)
  // Each rule matches often enough for an error in it to show.
  expect(Math.min(...found.values())).toBeGreaterThanOrEqual(10)
})
