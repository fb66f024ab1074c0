import { jsonRows } from '../json-rows.ts'

/** Option trades, tickers and averages as the tests of flow alerts write them, and as SQL for the derivation. */

/** A trade. Its uuid ends in `id`, so that ids order as numbers do. */
export interface Fill {
  readonly id: number
  readonly date: string
  /** Microseconds after 15:00:00 UTC of its date. */
  readonly at: number
  readonly ticker: string
  readonly contract: string
  readonly type: 'call' | 'put'
  readonly expiry: string
  /** Dollars. */
  readonly strike: number
  /** Dollars a unit. */
  readonly price: number
  readonly size: number
  /** Dollars. Default: price × size × 100. */
  readonly premium: number
  readonly volume: number
  readonly openInterest: number | null
  readonly underlying: number | null
  readonly side: 'ask' | 'bid' | 'mid'
  readonly canceled: boolean
  readonly multi: boolean
  readonly detail: string | null
  readonly order: number | null
  readonly iv: number | null
}

/** What is known of a ticker from a day on. */
export interface Known {
  readonly ticker: string
  readonly date: string
  /** Dollars. */
  readonly marketcap: number | null
  readonly earnings: string | null
}

export const DAY = '2024-01-03'
export const MILLISECOND = 1000
export const MINUTE = 60_000 * MILLISECOND

let ids = 0

/** A trade with whatever the case at hand does not care about: one contract at 1 dollar on the ask. */
export function fill(given: Partial<Fill> & { readonly contract: string }): Fill {
  ids += 1
  const { price = 1, size = 1 } = given
  return {
    id: ids,
    date: DAY,
    at: 0,
    ticker: 'AAA',
    type: 'call',
    expiry: '2024-01-19',
    strike: 100,
    price,
    size,
    premium: price * size * 100,
    volume: size,
    openInterest: 0,
    underlying: 100,
    side: 'ask',
    canceled: false,
    multi: false,
    detail: 'auto',
    order: null,
    iv: null,
    ...given,
  }
}

/** Trades one after another, `gapUs` microseconds apart, alike but for their prices. */
export const burst = (
  prices: readonly number[],
  gapUs: number,
  given: Partial<Fill> & { contract: string },
): Fill[] => prices.map((price, index) => fill({ ...given, price, at: (given.at ?? 0) + index * gapUs }))

/** `number` as the last 12 digits of a UUID. */
export const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`

/** Time of a trade as the lake prints it, UTC: the fewest digits that lose nothing, as DuckDB does. */
export function instant(date: string, at: number): string {
  const seconds = 15 * 3600 + Math.floor(at / 1_000_000)
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(part =>
    Math.floor(part).toString().padStart(2, '0'),
  )
  const fraction = (at % 1_000_000).toString().padStart(6, '0').replace(/0+$/, '')
  return `${date} ${clock.join(':')}${fraction && `.${fraction}`}`
}

const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`)

/** Trades as a SELECT. Best bid and offer are 10 cents around the price. */
export const tradesSql = (fills: readonly Fill[]): string =>
  jsonRows(
    fills.map(each => ({
      id: uuid(each.id),
      date: each.date,
      executed_at: instant(each.date, each.at),
      underlying_symbol: each.ticker,
      option_chain_id: each.contract,
      option_type: each.type,
      expiry: each.expiry,
      strike: each.strike.toFixed(3),
      price: each.price.toFixed(4),
      size: each.size,
      premium: each.premium.toFixed(4),
      volume: each.volume,
      open_interest: each.openInterest,
      underlying_price: each.underlying?.toFixed(4) ?? null,
      ask_vol: each.side === 'ask' ? each.size : 0,
      bid_vol: each.side === 'bid' ? each.size : 0,
      canceled: each.canceled,
      multi_vol: each.multi ? each.size : 0,
      upstream_condition_detail: each.detail,
      multi_leg_id: each.order === null ? null : uuid(each.order),
      implied_volatility: each.iv?.toFixed(10) ?? null,
      nbbo_bid: (each.price - 0.1).toFixed(4),
      nbbo_ask: (each.price + 0.1).toFixed(4),
    })),
  )

export const tickersSql = (known: readonly Known[]): string =>
  `SELECT * FROM (VALUES ${known
    .map(
      each =>
        `(${text(each.ticker)}, ${text(each.date)}, ${each.marketcap ?? 'NULL'}, ${text(each.earnings)},
         'ETF', 'Energy', 'premarket', '2024-02-01')`,
    )
    .join(
      ', ',
    )}) AS tickers (ticker, date, marketcap, next_earnings_date, issue_type, sector, er_time, ex_dividend_date)`

/** Averages of contracts' volumes, in the day's rows. */
export const averagesSql = (averages: ReadonlyMap<string, number | null>, date = DAY): string =>
  `SELECT * FROM (VALUES ${[...averages]
    .map(([contract, average]) => `(${text(contract)}, ${text(date)}, ${average ?? 'NULL'})`)
    .join(', ')}) AS contract_days (option_symbol, date, contract_30_d_avg_volume)`
