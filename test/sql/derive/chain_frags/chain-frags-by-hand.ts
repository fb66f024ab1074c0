import type { Derived } from '../option-tape.ts'

/** A trade as a table answers it: BIGINT and DECIMAL as text, or the same as numbers. */
export type Trade = Derived

const KINDS = {
  floor_volume: ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl'],
  sweep_volume: ['isoi'],
  cross_volume: ['slcn', 'slci', 'mlct', 'tlct'],
}

/** What a trade adds to the sums of its interval, in whole contracts, or in ten-thousandths of a dollar. */
const ADDENDS: Readonly<Record<string, (trade: Trade) => bigint>> = {
  volume: trade => whole(trade.size),
  premium: trade => units(trade.premium, 4),
  priceBySize: trade => units(trade.price, 4) * whole(trade.size),
  ask_side_volume: trade => whole(trade.ask_vol),
  bid_side_volume: trade => whole(trade.bid_vol),
  mid_volume: trade => whole(trade.mid_vol),
  no_side_vol: trade => whole(trade.no_side_vol),
  multileg_volume: trade => whole(trade.multi_vol),
  stock_multi_leg_volume: trade => whole(trade.stock_multi_vol),
  trades: () => 1n,
  ...Object.fromEntries(
    Object.entries(KINDS).map(([name, conditions]) => [
      name,
      (trade: Trade) =>
        conditions.includes(String(trade.upstream_condition_detail)) ? whole(trade.size) : 0n,
    ]),
  ),
}

/** What the day adds up so far, by the interval's own figures. */
const TOTALS: Readonly<Record<string, readonly string[]>> = {
  total_volume: ['volume'],
  total_premium: ['premium'],
  total_ask_side_volume: ['ask_side_volume'],
  total_bid_side_volume: ['bid_side_volume'],
  total_mid_volume: ['mid_volume'],
  total_stock_multi_leg_volume: ['stock_multi_leg_volume'],
  total_neutral_volume: ['mid_volume', 'no_side_vol'],
  total_multileg_volume: ['multileg_volume'],
}

/**
 * The chain_frags of one day, computed trade by trade in whole numbers: in the order of start_time and option_symbol,
 * each value as a table of the dataset answers it.
 */
export function chainFragsByHand(date: string, trades: readonly Trade[]): Derived[] {
  const counted = trades.filter(trade => trade.date === date && !trade.canceled && whole(trade.size) > 0n)
  const tape = counted.toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  const rows: Derived[] = []
  for (const [symbol, ofContract] of groups(tape, trade => String(trade.option_chain_id))) {
    const day = new Map<string, bigint>()
    for (const [start, inside] of groups(ofContract, trade => markBefore(String(trade.executed_at)))) {
      const sums = Object.fromEntries(
        Object.entries(ADDENDS).map(([name, addend]) => [
          name,
          inside.reduce((sum, trade) => sum + addend(trade), 0n),
        ]),
      )
      for (const [total, parts] of Object.entries(TOTALS))
        for (const part of parts) day.set(total, (day.get(total) ?? 0n) + (sums[part] ?? 0n))
      rows.push(frag(date, symbol, start, inside, sums, Object.fromEntries(day)))
    }
  }
  const keyOf = (row: Derived) => `${row.start_time} ${row.option_symbol}`
  return rows.toSorted((one, other) => compare(keyOf(one), keyOf(other)))
}

function frag(
  date: string,
  symbol: string,
  start: string,
  inside: readonly Trade[],
  { priceBySize = 0n, premium = 0n, ...counts }: Readonly<Record<string, bigint>>,
  { total_premium = 0n, ...totals }: Readonly<Record<string, bigint>>,
): Derived {
  const latest = inside.at(-1) ?? {}
  const prices = inside.map(trade => units(trade.price, 4)).toSorted((one, other) => (one < other ? -1 : 1))
  const known = (value: Derived[string] | undefined, places: number) =>
    value === null || value === undefined ? null : decimal(units(value, places), places)
  return {
    date,
    underlying_symbol: latest.underlying_symbol ?? null,
    option_symbol: symbol,
    start_time: start,
    tape_time: latest.executed_at ?? null,
    ...Object.fromEntries(Object.entries({ ...counts, ...totals }).map(([name, sum]) => [name, `${sum}`])),
    premium: decimal(premium, 4),
    total_premium: decimal(total_premium, 4),
    open: known(inside[0]?.price, 4),
    high: decimal(prices.at(-1) ?? 0n, 4),
    low: decimal(prices[0] ?? 0n, 4),
    close: known(latest.price, 4),
    // Ten-thousandths to ten places.
    avg_price: decimal(halfEven(priceBySize * 1_000_000n, counts.volume ?? 0n), 10),
    open_interest: latest.open_interest === null ? null : `${whole(latest.open_interest)}`,
    underlying_price: known(latest.underlying_price, 4),
    iv: known(latest.implied_volatility, 10),
    delta: known(latest.delta, 10),
    gamma: known(latest.gamma, 10),
  }
}

const whole = (value: Derived[string] | undefined): bigint => BigInt(String(value))

/** A decimal in units of its last place; more places than requested are an error of the test. */
function units(value: Derived[string] | undefined, places: number): bigint {
  const [, sign, integer = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? []
  if (sign === undefined || fraction.length > places) throw new Error(`${value} has not ${places} places`)
  return BigInt(`${sign}${integer}${fraction.padEnd(places, '0')}`)
}

function decimal(value: bigint, places: number): string {
  const digits = `${value < 0n ? -value : value}`.padStart(places + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The quotient of two positive integers, a half going to the even neighbour. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const twice = 2n * (dividend % divisor)
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient
}

/** `YYYY-MM-DD HH:MM:SS…` with its minutes brought down to a multiple of five. */
const markBefore = (at: string) =>
  `${at.slice(0, 14)}${String(Number(at.slice(14, 16)) - (Number(at.slice(14, 16)) % 5)).padStart(2, '0')}:00`

/** The position of a trade on the tape, as text in sort order: fractions of a second have 6 digits. */
function placeOf(trade: Trade): string {
  const [seconds, fraction = ''] = String(trade.executed_at).split('.')
  return `${seconds}.${fraction.padEnd(6, '0')} ${trade.id}`
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function groups(trades: readonly Trade[], keyOf: (trade: Trade) => string): Map<string, Trade[]> {
  const found = new Map<string, Trade[]>()
  for (const trade of trades) {
    const key = keyOf(trade)
    const group = found.get(key)
    if (group) group.push(trade)
    else found.set(key, [trade])
  }
  return found
}
