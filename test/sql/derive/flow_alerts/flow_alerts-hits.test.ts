import { expect, test } from 'vitest'
import { derived } from '../../../fixtures/derive.ts'
import { burst, DAY, type Fill, fill, MILLISECOND, tickersSql, tradesSql, uuid } from './flow-trades.ts'

/** Repeated hits. Each case is a contract of its own; one trade of 20 contracts at 1 dollar is 2,000 dollars. */

const FLAT = [1, 1, 1, 1, 1, 1]

async function alerts(fills: readonly Fill[], tickers?: string) {
  const rows = await derived(
    'flow_alerts',
    { from: DAY, to: DAY },
    { option_trades: tradesSql(fills), ...(tickers && { tickers }) },
  )
  return Object.fromEntries(
    rows.map(row => [row.option_chain as string, `${row.alert_rule} ${row.trade_count}`]),
  )
}

test('Repeated hits end after a pause of a contract of more than 100 ms, to the microsecond', async () => {
  const within = burst(FLAT, 100 * MILLISECOND, { contract: 'WITHIN', size: 20 })
  const beyond = burst(FLAT, 100 * MILLISECOND + 1, { contract: 'BEYOND', size: 20 })
  // Six trades, a rest of 101 ms, six trades: two runs of the same contract.
  const twice = [0, 1].flatMap(half =>
    burst(FLAT, 100 * MILLISECOND, { contract: 'TWICE', size: 20, at: half * 601 * MILLISECOND }),
  )
  const rows = await derived(
    'flow_alerts',
    { from: DAY, to: DAY },
    { option_trades: tradesSql([...within, ...beyond, ...twice]) },
  )
  expect(rows.map(row => [row.option_chain, row.trade_ids]).sort()).toEqual([
    ['TWICE', twice.slice(0, 6).map(each => uuid(each.id))],
    ['TWICE', twice.slice(6).map(each => uuid(each.id))],
    ['WITHIN', within.map(each => uuid(each.id))],
  ])
})

test('A run may have any length, start anywhere in a second, and is ordered by id where times are equal', async () => {
  // 300 trades every 100 ms: half a minute.
  const long = burst(Array(300).fill(1), 100 * MILLISECOND, { contract: 'LONG' })
  // 500 ms from the first to the last trade, across the borders of half seconds or just on them.
  const across = [0, 1, 250_000, 499_999, 500_000, 999_999].map((at, index) =>
    burst(FLAT, 100 * MILLISECOND, { contract: `ACROSS${index}`, size: 20, at }),
  )
  // One instant, prices rising with the ids, given in the reverse order.
  const instant = burst([1, 2, 3, 4, 5, 6], 0, { contract: 'INSTANT', size: 10 }).reverse()
  expect(await alerts([...long, ...across.flat(), ...instant])).toEqual({
    LONG: 'RepeatedHits 300',
    ...Object.fromEntries(across.map((_, index) => [`ACROSS${index}`, 'RepeatedHits 6'])),
    INSTANT: 'RepeatedHitsAscendingFill 6',
  })
})

test('More than 5 trades make a run; canceled, floor and multi-leg trades are not among them', async () => {
  const given = { size: 100 } as const
  const fourthIs = (fourth: Partial<Fill>, contract: string, prices = FLAT) =>
    burst(prices, 50 * MILLISECOND, { ...given, contract }).map((each, index) =>
      index === 3 ? { ...each, ...fourth } : each,
    )
  expect(
    await alerts([
      ...burst(FLAT, 0, { ...given, contract: 'SIX' }),
      ...burst(FLAT.slice(1), 0, { ...given, contract: 'FIVE' }),
      ...[0, 200].flatMap(rest =>
        burst(FLAT.slice(1), 0, { ...given, contract: 'FIVE TWICE', at: rest * MILLISECOND }),
      ),
      ...fourthIs({ canceled: true }, 'CANCELED'),
      ...fourthIs({ multi: true }, 'MULTI'),
      ...['slft', 'mlft', 'mfsl', 'tlft', 'tfsl'].flatMap(detail => fourthIs({ detail }, detail)),
      ...fourthIs({ detail: 'slcn' }, 'CROSS'),
      ...fourthIs({ detail: null }, 'UNNAMED'),
      // Six of seven are left, 100 ms apart at the widest.
      ...fourthIs({ canceled: true }, 'BRIDGED', [...FLAT, 1]),
    ]),
  ).toEqual({
    SIX: 'RepeatedHits 6',
    CROSS: 'RepeatedHits 6',
    UNNAMED: 'RepeatedHits 6',
    BRIDGED: 'RepeatedHits 6',
  })
})

test('Premium must exceed 10k, 50k above a market cap of 50B, 100k above 500B', async () => {
  // Five trades of one contract at 1 dollar are 500 dollars, the last trade takes the rest.
  const worth = (contract: string, ticker: string, premium: number) =>
    burst(FLAT, 0, { contract, ticker, premium: 100 }).map((each, index) =>
      index === 5 ? { ...each, premium: premium - 500 } : each,
    )
  const cases: [string, number | null, number][] = [
    ['NONE', null, 10_000],
    ['SMALL', 50e9, 10_000],
    ['MIDDLE', 50e9 + 0.01, 50_000],
    ['STILL', 500e9, 50_000],
    ['LARGE', 500e9 + 0.01, 100_000],
  ]
  const known = cases.map(([ticker, marketcap]) => ({
    ticker,
    marketcap,
    date: '2023-12-01',
    earnings: null,
  }))
  const fills = [...cases, ['UNKNOWN', null, 10_000] as const].flatMap(([ticker, , threshold]) => [
    ...worth(`${ticker} at`, ticker, threshold),
    ...worth(`${ticker} above`, ticker, threshold + 0.01),
  ])
  expect(Object.keys(await alerts(fills, tickersSql(known))).sort()).toEqual(
    ['LARGE', 'MIDDLE', 'NONE', 'SMALL', 'STILL', 'UNKNOWN'].map(ticker => `${ticker} above`),
  )
})

test('Fills that never fall and end higher ascend, the reverse descend, others just repeat', async () => {
  const paths: Record<string, number[]> = {
    RISING: [1, 1.01, 1.02, 1.03, 1.04, 1.05],
    STEP: [1, 1, 1, 1, 1, 1.01],
    FIRST_STEP: [1, 1.01, 1.01, 1.01, 1.01, 1.01],
    FLAT,
    HIGHER_AFTER_A_FALL: [1, 1.05, 1.04, 1.06, 1.07, 1.08],
    BACK_WHERE_IT_WAS: [1, 1.01, 1.02, 1.02, 1.01, 1],
    FALLING: [1.05, 1.04, 1.03, 1.02, 1.01, 1],
    DROP: [1, 1, 1, 1, 1, 0.99],
    LOWER_AFTER_A_RISE: [1, 0.95, 0.96, 0.94, 0.93, 0.9],
  }
  const fills = Object.entries(paths).flatMap(([contract, prices]) => [
    // A trade 200 ms before belongs to no run: its step is not the run's, which would go both ways with it.
    fill({ contract, price: (prices.at(-1) ?? 0) < 1.01 ? 0.01 : 9, at: 800 * MILLISECOND }),
    ...burst(prices, 0, { contract, size: 100, at: 1_000 * MILLISECOND }),
  ])
  expect(await alerts(fills)).toEqual({
    RISING: 'RepeatedHitsAscendingFill 6',
    STEP: 'RepeatedHitsAscendingFill 6',
    FIRST_STEP: 'RepeatedHitsAscendingFill 6',
    FLAT: 'RepeatedHits 6',
    HIGHER_AFTER_A_FALL: 'RepeatedHits 6',
    BACK_WHERE_IT_WAS: 'RepeatedHits 6',
    FALLING: 'RepeatedHitsDescendingFill 6',
    DROP: 'RepeatedHitsDescendingFill 6',
    LOWER_AFTER_A_RISE: 'RepeatedHits 6',
  })
})
