import { createHash } from 'node:crypto'
import { type Fill, instant, type Known, MILLISECOND, MINUTE, uuid } from './flow-trades.ts'

/**
 * The nine rules of flow alerts over arrays of trades, one loop a rule, as the specification words them; the SQL
 * that the product runs is held to it. Money is compared in ten-thousandths of a dollar, as integers.
 */

/** The inputs of a day: trades of any day, what is known of tickers, the contracts' 30-day averages. */
export interface Market {
  readonly fills: readonly Fill[]
  readonly known: readonly Known[]
  readonly averages: ReadonlyMap<string, number | null>
}

export interface Alert {
  readonly rule: string
  /** In the order of the tape. */
  readonly fills: readonly Fill[]
}

const FLOOR = ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl']
const BILLION = 1_000_000_000
const DAY_MS = 24 * 3600 * 1000
const NAMESPACE = '1a5737e380a8582cb4a5dd1ca371b78d'

const isFloor = ({ detail }: Fill) => detail !== null && FLOOR.includes(detail)
const units = (dollars: number) => Math.round(dollars * 10_000)
const premiumOf = (fills: readonly Fill[]) => fills.reduce((sum, each) => sum + units(each.premium), 0)
const byTape = (a: Fill, b: Fill) => a.at - b.at || a.id - b.id
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** What is known of a ticker on a day: the latest row up to it. */
export const knownOn = (known: readonly Known[], ticker: string, day: string): Known | undefined =>
  known
    .filter(each => each.ticker === ticker && each.date <= day)
    .sort((a, b) => a.date.localeCompare(b.date))
    .at(-1)

/** Every alert of a day. */
export function alertsOf({ fills, known, averages }: Market, day: string): Alert[] {
  const valid = fills.filter(each => each.date === day && !each.canceled).sort(byTape)
  const contracts = new Map<string, Fill[]>()
  for (const each of valid) contracts.set(each.contract, [...(contracts.get(each.contract) ?? []), each])
  const capOf = (each: Fill) => knownOn(known, each.ticker, day)?.marketcap ?? 0
  return [...contracts.values()].flatMap(tape => [
    ...repeatedHits(tape, capOf),
    ...tape.filter(isFloor).flatMap(floor => {
      const earnings = knownOn(known, floor.ticker, day)?.earnings ?? null
      const average = averages.get(floor.contract) ?? null
      const sweeps = tape.filter(
        ({ detail, at }) => detail === 'isoi' && at <= floor.at && floor.at - at <= 10 * MINUTE,
      )
      return [
        ...floorTrade(floor, capOf(floor)),
        ...(isOutOfTheMoney(floor) && isSoon(earnings, floor) && atLeast(floor, 25_000)
          ? [{ rule: 'OtmEarningsFloor', fills: [floor] }]
          : []),
        ...(average !== null && floor.size > 5 * average && atLeast(floor, 25_000)
          ? [{ rule: 'LowHistoricVolumeFloor', fills: [floor] }]
          : []),
        ...(sweeps.length >= 10 && atLeast(floor, 100_000)
          ? [{ rule: 'SweepsFollowedByFloor', fills: [...sweeps, floor] }]
          : []),
      ]
    }),
  ])
}

const atLeast = (floor: Fill, dollars: number) => units(floor.premium) >= units(dollars)

function repeatedHits(tape: readonly Fill[], capOf: (each: Fill) => number): Alert[] {
  const runs: Fill[][] = []
  let last: Fill | undefined
  for (const each of tape) {
    if (isFloor(each) || each.multi) continue
    if (last === undefined || each.at - last.at > 100 * MILLISECOND) runs.push([])
    runs.at(-1)?.push(each)
    last = each
  }
  return runs
    .filter(run => run.length > 5 && run.some(first => premiumOf(run) > units(hitThreshold(capOf(first)))))
    .map(run => ({ rule: hitName(run.map(each => each.price)), fills: run }))
}

function hitThreshold(cap: number): number {
  if (cap > 500 * BILLION) return 100_000
  return cap > 50 * BILLION ? 50_000 : 10_000
}

function hitName(prices: readonly number[]): string {
  const [first = 0] = prices
  const last = prices.at(-1) ?? 0
  const steps = prices.slice(1).map((price, index) => price - (prices[index] ?? 0))
  if (steps.every(step => step >= 0) && last > first) return 'RepeatedHitsAscendingFill'
  if (steps.every(step => step <= 0) && last < first) return 'RepeatedHitsDescendingFill'
  return 'RepeatedHits'
}

function floorTrade(floor: Fill, cap: number): Alert[] {
  const [rule, threshold] =
    cap < 10 * BILLION
      ? ['FloorTradeSmallCap', 50_000]
      : cap < 100 * BILLION
        ? ['FloorTradeMidCap', 100_000]
        : ['FloorTradeLargeCap', 250_000]
  return atLeast(floor, threshold as number) ? [{ rule: rule as string, fills: [floor] }] : []
}

function isOutOfTheMoney({ type, strike, underlying }: Fill): boolean {
  if (underlying === null) return false
  return type === 'call' ? strike > underlying : strike < underlying
}

const isSoon = (earnings: string | null, { date, expiry }: Fill) =>
  earnings !== null &&
  earnings <= expiry &&
  daysBetween(date, earnings) >= 0 &&
  daysBetween(date, earnings) <= 14

/** An alert's row as the lake stores it. `fills` are all of the day: an order counts with all its legs. */
export function rowOf({ rule, fills: own }: Alert, { fills, known }: Market): Record<string, unknown> {
  const first = own[0] as Fill
  const last = own.at(-1) as Fill
  const facts = knownOn(known, last.ticker, last.date)
  const orders = own.map(each => each.order).filter(order => order !== null)
  const legs = fills.filter(
    each => each.date === last.date && !each.canceled && orders.includes(each.order ?? -1),
  )
  const volume = Math.max(...own.map(each => each.volume))
  const sideOf = (side: string) => premiumOf(own.filter(each => each.side === side))
  const out = last.underlying === null ? null : units(last.strike) - units(last.underlying)
  return {
    id: uuid5([rule, last.contract, ...own.map(each => uuid(each.id))].join(' ')),
    date: last.date,
    alert_rule: rule,
    created_at: instant(last.date, last.at),
    start_time: instant(first.date, first.at),
    ticker: last.ticker,
    option_chain: last.contract,
    type: last.type,
    strike: last.strike.toFixed(3),
    expiry: last.expiry,
    expiry_count: new Set([last.expiry, ...legs.map(each => each.expiry)]).size,
    dte: daysBetween(last.date, last.expiry),
    issue_type: facts ? 'ETF' : null,
    price: last.price.toFixed(4),
    bid: (last.price - 0.1).toFixed(4),
    ask: (last.price + 0.1).toFixed(4),
    underlying_price: last.underlying?.toFixed(4) ?? null,
    diff: out === null ? null : ratio(last.type === 'call' ? out : -out, units(last.underlying as number)),
    open_interest: last.openInterest?.toString() ?? null,
    volume: volume.toString(),
    volume_oi_ratio: ratio(volume, last.openInterest || 1),
    total_size: own.reduce((sum, each) => sum + each.size, 0).toString(),
    trade_count: own.length,
    total_premium: dollars(premiumOf(own)),
    total_ask_side_prem: dollars(sideOf('ask')),
    total_bid_side_prem: dollars(sideOf('bid')),
    all_opening_trades: own.every(each => each.size > (each.openInterest ?? 0) - (each.volume - each.size)),
    has_floor: own.some(isFloor),
    has_sweep: own.some(each => each.detail === 'isoi'),
    has_multileg: own.some(each => each.multi),
    has_singleleg: own.some(each => !each.multi),
    iv_start: first.iv?.toFixed(10) ?? null,
    iv_end: last.iv?.toFixed(10) ?? null,
    marketcap: facts?.marketcap?.toFixed(2) ?? null,
    sector: facts ? 'Energy' : null,
    next_earnings_date: facts?.earnings ?? null,
    er_time: facts ? 'premarket' : null,
    ex_dividend_date: facts ? '2024-02-01' : null,
    trade_ids: own.map(each => uuid(each.id)),
    ...sharesOf(last.type, sideOf('ask'), sideOf('bid'), premiumOf(own)),
    iv_change:
      first.iv && last.iv ? ratio(tenthOfBillionths(last.iv - first.iv), tenthOfBillionths(first.iv)) : null,
    size_vol_ratio: ratio(
      own.reduce((sum, each) => sum + each.size, 0),
      volume,
    ),
    // The quotes of the fills are 0.1 above and below the price, whose 0.2 are divided by it.
    spread: ratio(2000, units(last.price)),
    days_between_expiry_and_earnings: facts?.earnings ? daysBetween(facts.earnings, last.expiry) : null,
  }
}

/** The premium of both sides as shares of the whole, by side and by what each says of the underlying. */
function sharesOf(type: string, ask: number, bid: number, whole: number) {
  const [onAsk, onBid] = [ratio(ask, whole), ratio(bid, whole)]
  return {
    ask_perc: onAsk,
    bid_perc: onBid,
    leading_side: ask === bid ? 'neither' : ask > bid ? 'ask' : 'bid',
    bull_perc: type === 'call' ? onAsk : onBid,
    bear_perc: type === 'call' ? onBid : onAsk,
    skew: ask > bid ? onAsk : onBid,
  }
}

const tenthOfBillionths = (value: number) => Math.round(value * 10_000_000_000)

const dollars = (tenThousandths: number) => (tenThousandths / 10_000).toFixed(4)

/** numerator / denominator to 10 places, half to even, in exact integers. */
function ratio(numerator: number, denominator: number): string {
  const units = BigInt(Math.abs(numerator)) * 10n ** 10n
  const below = units / BigInt(denominator)
  const twice = 2n * (units % BigInt(denominator))
  const isUp = twice > BigInt(denominator) || (twice === BigInt(denominator) && below % 2n === 1n)
  const magnitude = isUp ? below + 1n : below
  const digits = magnitude.toString().padStart(11, '0')
  return `${numerator < 0 ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`
}

/** RFC 9562, section 5.5. */
function uuid5(name: string): string {
  const bytes = createHash('sha1').update(Buffer.from(NAMESPACE, 'hex')).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
