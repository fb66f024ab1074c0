import type { Json } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { amount } from '../../fixtures/tier.ts'
import { type MadeMarket, makeMarket } from './made-market.ts'

/** Each flow rule in its plain words, on trades in the order of the tape: whether it finds something on a day. */

interface Trade {
  readonly contract: string
  readonly ticker: string
  readonly us: number
  readonly price: number
  readonly size: number
  readonly premium: number
  readonly floor: boolean
  readonly sweep: boolean
  readonly multi: boolean
  readonly otm: boolean
  readonly marketcap: number
  readonly earnings: number | null
  readonly day: number
  readonly expiry: number
  /** Mean volume of the sessions before; null on the market's first day. */
  readonly usual: number | null
}

const FLOOR = ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl']

const tradesOf = ({ rows }: MadeMarket, day: string) =>
  rows(`
    SELECT option_chain_id, underlying_symbol, epoch_us(executed_at)::DOUBLE AS us, price::DOUBLE AS price, size::DOUBLE AS size,
      premium::DOUBLE AS premium, upstream_condition_detail AS detail, multi_vol > 0 AS multi,
      CASE option_type WHEN 'call' THEN strike > underlying_price ELSE strike < underlying_price END AS otm,
      marketcap::DOUBLE AS marketcap, epoch(next_earnings_date) / 86400 AS earnings, epoch(trades.date) / 86400 AS day,
      epoch(expiry) / 86400 AS expiry,
      (SELECT avg(volume) FROM option_chain_days AS c WHERE c.option_symbol = option_chain_id AND c.date < trades.date AND c.date >= '2024-12-27') AS usual
    FROM option_trades AS trades
    ASOF JOIN tickers ON trades.underlying_symbol = tickers.ticker AND trades.date >= tickers.date
    WHERE trades.date = '${day}' AND NOT canceled
    ORDER BY executed_at, id`)

const tradeOf = (row: Record<string, Json>): Trade => ({
  contract: String(row.option_chain_id),
  ticker: String(row.underlying_symbol),
  us: Number(row.us),
  price: Number(row.price),
  size: Number(row.size),
  premium: Number(row.premium),
  floor: FLOOR.includes(String(row.detail)),
  sweep: row.detail === 'isoi',
  multi: row.multi === true,
  otm: row.otm === true,
  marketcap: Number(row.marketcap),
  earnings: row.earnings === null ? null : Number(row.earnings),
  day: Number(row.day),
  expiry: Number(row.expiry),
  usual: row.usual === null ? null : Number(row.usual),
})

/** Runs of more than 5 trades of a contract with at most 100 ms between them, and premium above the tier's threshold. */
function bursts(trades: readonly Trade[]): Trade[][] {
  const runs: Trade[][] = []
  const latest = new Map<string, Trade[]>()
  for (const trade of trades.filter(({ floor, multi }) => !floor && !multi)) {
    const run = latest.get(trade.contract)
    const last = run?.at(-1)
    if (run && last && trade.us - last.us <= 100_000) run.push(trade)
    else {
      const begun = [trade]
      latest.set(trade.contract, begun)
      runs.push(begun)
    }
  }
  return runs.filter(run => {
    const { marketcap = 0 } = run[0] ?? {}
    const threshold = marketcap > 500e9 ? 100_000 : marketcap > 50e9 ? 50_000 : 10_000
    return run.length > 5 && run.reduce((sum, { premium }) => sum + premium, 0) > threshold
  })
}

const never = (run: readonly Trade[], wrong: (step: number) => boolean) =>
  run.every((trade, index) => index === 0 || !wrong(trade.price - (run[index - 1]?.price ?? 0)))
const change = (run: readonly Trade[]) => (run.at(-1)?.price ?? 0) - (run[0]?.price ?? 0)
const rises = (run: readonly Trade[]) => never(run, step => step < 0) && change(run) > 0
const falls = (run: readonly Trade[]) => never(run, step => step > 0) && change(run) < 0

const RULES: Readonly<Record<string, (trades: readonly Trade[]) => number>> = {
  AscendingFill: trades => bursts(trades).filter(rises).length,
  DescendingFill: trades => bursts(trades).filter(falls).length,
  RepeatedHits: trades => bursts(trades).filter(run => !rises(run) && !falls(run)).length,
  FloorTradeSmallCap: trades => trades.filter(t => t.floor && t.premium >= 50e3 && t.marketcap < 10e9).length,
  FloorTradeMidCap: trades =>
    trades.filter(t => t.floor && t.premium >= 100e3 && t.marketcap >= 10e9 && t.marketcap < 100e9).length,
  FloorTradeLargeCap: trades =>
    trades.filter(t => t.floor && t.premium >= 250e3 && t.marketcap >= 100e9).length,
  OtmEarningsFloor: trades =>
    trades.filter(
      t =>
        t.floor &&
        t.otm &&
        t.premium >= 25e3 &&
        t.earnings !== null &&
        t.earnings <= t.expiry &&
        t.earnings - t.day <= 14,
    ).length,
  LowHistoricVolumeFloor: trades =>
    trades.filter(t => t.floor && t.premium >= 25e3 && t.usual !== null && t.size > 5 * t.usual).length,
  SweepsFollowedByFloor: trades =>
    trades.filter(
      t =>
        t.floor &&
        t.premium >= 100e3 &&
        trades.filter(s => s.sweep && s.contract === t.contract && s.us <= t.us && t.us - s.us <= 600e6)
          .length >= 10,
    ).length,
}

const OF_EVERY_DAY = Object.keys(RULES).filter(rule => rule !== 'LowHistoricVolumeFloor')

const SEEDS = Array.from({ length: amount({ test: 2, prove: 8, long: 100 }) }, (_, index) => index + 1)

describe.each(SEEDS)('on every day of the market of seed %i', seed => {
  let made: MadeMarket
  const days: Trade[][] = []
  beforeAll(async () => {
    made = await makeMarket({ seed, days: 3, tickers: 20, tradesPerDay: 5000 })
    for (const day of made.market.days) days.push((await tradesOf(made, day)).map(tradeOf))
  })
  afterAll(() => made.writer.close())

  test.each(OF_EVERY_DAY)('%s finds something', rule => {
    expect(days.map(trades => (RULES[rule]?.(trades) ?? 0) > 0)).toEqual([true, true, true])
  })

  // On the first day no contract has a usual volume.
  test('LowHistoricVolumeFloor finds something, from the second day on', () => {
    expect(days.map(trades => (RULES.LowHistoricVolumeFloor?.(trades) ?? 0) > 0)).toEqual([false, true, true])
  })

  test('unusual contracts are traded: opening, out of the money, on the ask', async () => {
    const unusual = await made.rows(`
      SELECT date FROM option_trades AS t
      GROUP BY date, option_chain_id
      HAVING sum(size) > any_value(open_interest) AND sum(ask_vol) >= sum(size) / 2 AND sum(premium) >= 10000
        AND any_value(expiry) <= date + 60
        AND bool_and(CASE option_type WHEN 'call' THEN strike > underlying_price ELSE strike < underlying_price END)`)
    expect(new Set(unusual.map(({ date }) => date)).size).toBe(3)
  })
})
