import { contractOf, type Derived } from '../option-tape.ts'
import type { Row } from '../rows-as-sql.ts'

/**
 * contract_days once more, written from its schema alone: loops over whole numbers and not a line of SQL. Money is
 * counted in hundredths of a cent; what is divided comes as a number, rounded by nobody.
 */

const FLOOR = ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl']
const CROSS = ['slcn', 'slci', 'mlct', 'tlct']

const numberOf = (value: unknown) => (value === null || value === undefined ? null : Number(value))
const cents = (value: unknown) => Math.round(Number(value) * 10_000)
const sum = (rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0)
const sizes = (rows: readonly Row[], ...conditions: string[]) =>
  sum(rows, row => (conditions.includes(String(row.upstream_condition_detail)) ? Number(row.size) : 0))
const after = (a: Row, b: Row) => (`${a.executed_at} ${a.id}` < `${b.executed_at} ${b.id}` ? -1 : 1)

function changes(rows: readonly Row[], column: string): number {
  let count = 0
  for (let place = 1; place < rows.length; place++) {
    const before = rows[place - 1]?.[column] ?? null
    const now = rows[place]?.[column] ?? null
    if (before !== null && now !== null && before !== now) count++
  }
  return count
}

const share = (sides: readonly string[], side: string) => {
  const traded = sides.filter(each => each !== 'none')
  return traded.length === 0 ? null : traded.filter(each => each === side).length / traded.length
}

const quotient = (above: number | null, below: number | null) =>
  above === null || below === null || below === 0 ? null : above / below
const less = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one - other

/** What the row says of itself: shares of its volume and changes of its prices. */
function computedByHand(row: Derived): Derived {
  const value = (name: string) => numberOf(row[name])
  const [volume, ask, bid] = [Number(row.volume), Number(row.ask_side_volume), Number(row.bid_side_volume)]
  const share = (part: number) => (volume === 0 ? null : part / volume)
  const isCall = row.option_type === 'call'
  const distance = less(Number(row.strike), value('stock_price'))
  const change = (from: string) => quotient(less(value('close'), value(from)), value(from))
  const quotes = [value('ask'), value('bid')] as const
  return {
    diff: quotient(distance === null || isCall ? distance : -distance, value('stock_price')),
    ask_perc: share(ask),
    bid_perc: share(bid),
    skew_perc: share(Math.max(ask, bid)),
    bull_perc: share(isCall ? ask : bid),
    bear_perc: share(isCall ? bid : ask),
    bid_ask_vol: ask - bid,
    bull_bear_vol: isCall ? ask - bid : bid - ask,
    multileg_volume_ratio: share(Number(row.multileg_volume)),
    total_multileg_volume_ratio: share(Number(row.multileg_volume) + Number(row.stock_multi_leg_volume)),
    floor_volume_ratio: share(Number(row.floor_volume)),
    sweep_volume_ratio: share(Number(row.sweep_volume)),
    volume_oi_ratio: quotient(volume, value('open_interest') === 0 ? 1 : value('open_interest')),
    oi_change: less(value('open_interest'), value('prev_oi')),
    oi_change_perc: quotient(less(value('open_interest'), value('prev_oi')), value('prev_oi')),
    perc_change: change('chain_prev_close'),
    daily_perc_change: change('open'),
    from_high_perc: change('high'),
    from_low_perc: change('low'),
    spread: quotient(
      less(...quotes),
      quotes.includes(null) ? null : (Number(quotes[0]) + Number(quotes[1])) / 2,
    ),
  }
}

function margin(type: string, strike: number, stock: number): number {
  if (type === 'call') return Math.max(0.2 * stock - Math.max(strike - stock, 0), 0.1 * stock)
  return Math.max(0.2 * stock - Math.max(stock - strike, 0), 0.1 * strike)
}

export interface Given {
  readonly tape: readonly Row[]
  readonly chain: readonly Row[]
  /** The day before, by contract; undefined on the first day. */
  readonly before: ReadonlyMap<string, Derived> | undefined
  readonly stockCloses: Readonly<Record<string, number>>
}

/** One contract's row; numbers where the lake has decimals. */
export function contractDayByHand(symbol: string, date: string, given: Given): Derived {
  const contract = contractOf(symbol)
  const trades = given.tape.filter(row => row.option_chain_id === symbol && !row.canceled).sort(after)
  const chain = given.chain.find(row => row.option_symbol === symbol)
  const before = given.before?.get(symbol)
  const [first, last] = [trades[0], trades.at(-1)]
  const prices = trades.map(row => Number(row.price))
  const volume = sum(trades, row => Number(row.size))
  const premium = sum(trades, row => cents(row.premium)) / 10_000
  const ask = sum(trades, row => Number(row.ask_vol))
  const bid = sum(trades, row => Number(row.bid_vol))
  const side = volume === 0 ? 'none' : ask > bid ? 'ask' : ask < bid ? 'bid' : 'even'
  const sides = [...((before?.recent_sides as string[]) ?? []), side].slice(-7)
  const earlier = ((before?.recent_volumes as string[]) ?? []).map(Number)
  const interest = numberOf(chain?.open_interest ?? first?.open_interest)
  const previous = numberOf(before?.open_interest)
  const stock = numberOf(
    chain?.underlying_price ?? last?.underlying_price ?? given.stockCloses[contract.underlying_symbol],
  )
  const price = volume === 0 ? null : premium / (volume * 100)
  const shown = (ofChain: string, ofTrade: string) => numberOf(chain ? chain[ofChain] : last?.[ofTrade])
  const rises = interest !== null && previous !== null && interest > previous
  const row = {
    date,
    option_symbol: symbol,
    ...contract,
    multiplier: 100,
    dte: (Date.parse(contract.expiry) - Date.parse(date)) / 86_400_000,
    volume,
    trades: trades.length,
    premium,
    ask_side_volume: ask,
    bid_side_volume: bid,
    mid_volume: sum(trades, row => Number(row.mid_vol)),
    no_side_volume: sum(trades, row => Number(row.no_side_vol)),
    sweep_volume: sizes(trades, 'isoi'),
    floor_volume: sizes(trades, ...FLOOR),
    cross_volume: sizes(trades, ...CROSS),
    multileg_volume: sum(trades, row => Number(row.multi_vol)),
    stock_multi_leg_volume: sum(trades, row => Number(row.stock_multi_vol)),
    ask_side_premium: sum(trades, row => (Number(row.ask_vol) > 0 ? cents(row.premium) : 0)) / 10_000,
    bid_side_premium: sum(trades, row => (Number(row.bid_vol) > 0 ? cents(row.premium) : 0)) / 10_000,
    total_ask_changes: changes(trades, 'nbbo_ask'),
    total_bid_changes: changes(trades, 'nbbo_bid'),
    avg_price: price,
    open: numberOf(first?.price),
    high: prices.length === 0 ? null : Math.max(...prices),
    low: prices.length === 0 ? null : Math.min(...prices),
    close: numberOf(last?.price),
    last_fill: last === undefined ? null : String(last.executed_at),
    chain_prev_close: numberOf(before?.close ?? before?.chain_prev_close),
    open_interest: interest,
    prev_oi: previous,
    bid: shown('bid', 'nbbo_bid'),
    ask: shown('ask', 'nbbo_ask'),
    stock_price: stock,
    iv: shown('implied_volatility', 'implied_volatility'),
    delta: shown('delta', 'delta'),
    roc:
      price === null || stock === null ? null : price / margin(contract.option_type, contract.strike, stock),
    contract_30_d_avg_volume: earlier.length === 0 ? null : earlier.reduce((a, b) => a + b) / earlier.length,
    days_of_oi_increases: rises ? Number(before?.days_of_oi_increases) + 1 : 0,
    days_of_vol_greater_than_oi:
      volume > (interest ?? 0) ? Number(before?.days_of_vol_greater_than_oi ?? 0) + 1 : 0,
    ask_side_perc_7_day: share(sides, 'ask'),
    bid_side_perc_7_day: share(sides, 'bid'),
    is_new: given.before !== undefined && before === undefined,
    recent_volumes: [...earlier, volume].slice(-30),
    recent_sides: sides,
  }
  return { ...row, ...computedByHand(row) }
}
