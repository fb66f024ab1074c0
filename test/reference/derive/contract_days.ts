import { type Decimal, decimal, isDecimal, plus, quotient, rounded, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Row } from '../parquet.ts'
import { groups, total } from '../rows.ts'

const FLOOR = ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl']
const CROSS = ['slcn', 'slci', 'mlct', 'tlct']
const SWEEP = ['isoi']

/** What the trades of a day say of a contract: the columns of these names, of contracts that traded. */
export function derive(lake: Lake): Row[] {
  const trades = lake.rows('option_trades').filter(row => row.canceled === false && Number(row.size) > 0)
  const tickers = groups(trades, row => `${row.date} ${row.underlying_symbol}`)
  return [...groups(trades, row => `${row.date} ${row.option_chain_id}`).values()].map(day => {
    const fills = ordered(
      day,
      ascending(row => row.executed_at ?? null),
      ascending(row => row.id ?? null),
    )
    const [first, last] = [day[0], fills.at(-1)]
    const volume = total(fills, 'size')
    const premium = dollars(fills)
    const prices = fills.map(({ price }) => price as Decimal)
    return {
      date: first.date ?? null,
      option_symbol: first.option_chain_id ?? null,
      volume,
      trades: fills.length,
      premium,
      ask_side_volume: total(fills, 'ask_vol'),
      bid_side_volume: total(fills, 'bid_vol'),
      mid_volume: total(fills, 'mid_vol'),
      no_side_volume: total(fills, 'no_side_vol'),
      sweep_volume: ofKinds(fills, SWEEP),
      floor_volume: ofKinds(fills, FLOOR),
      cross_volume: ofKinds(fills, CROSS),
      multileg_volume: total(fills, 'multi_vol'),
      stock_multi_leg_volume: total(fills, 'stock_multi_vol'),
      ask_side_premium: dollars(fills.filter(({ ask_vol: size }) => Number(size) > 0)),
      bid_side_premium: dollars(fills.filter(({ bid_vol: size }) => Number(size) > 0)),
      total_ask_changes: changes(fills, 'nbbo_ask'),
      total_bid_changes: changes(fills, 'nbbo_bid'),
      avg_price: quotient(premium, decimal(volume * Number(first.multiplier))),
      open: fills[0]?.price ?? null,
      high: extreme(prices, 1n),
      low: extreme(prices, -1n),
      close: last?.price ?? null,
      last_fill: last?.executed_at ?? null,
      ticker_vol: total(tickers.get(`${first.date} ${first.underlying_symbol}`) ?? [], 'size'),
    }
  })
}

const dollars = (fills: readonly Row[]): Decimal =>
  rounded(fills.map(({ premium }) => premium as Decimal).reduce(plus, ZERO), 4)

const ofKinds = (fills: readonly Row[], kinds: readonly string[]) =>
  total(
    fills.filter(fill => kinds.includes(String(fill.upstream_condition_detail))),
    'size',
  )

/** The number of trades whose quote differs from that of the previous trade. One without a quote does not differ. */
const changes = (fills: readonly Row[], column: string) =>
  fills.filter((fill, at) => {
    const [before, now] = [fills[at - 1]?.[column], fill[column]]
    return isDecimal(before) && isDecimal(now) && before.units !== now.units
  }).length

/** The highest price, or with −1 the lowest. All have the scale of their column. */
const extreme = (prices: readonly Decimal[], sign: bigint): Decimal | null =>
  prices.reduce<Decimal | null>(
    (best, price) => (best === null || price.units * sign > best.units * sign ? price : best),
    null,
  )
