import type { Json } from '@duckdb/node-api'
import { type Days, derived } from '../../fixtures/derive.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

export type Side = 'ask' | 'bid' | 'mid' | 'no_side'
export type Derived = Record<string, Json>

/** What an OSI symbol says: `ACME240119C00100000` is ACME's call at 100 that expires on 2024-01-19. */
export function contractOf(symbol: string) {
  const [, root, year, month, day, letter, strike] =
    /^([A-Z]+\d?)(\d\d)(\d\d)(\d\d)([CP])(\d{8})$/.exec(symbol) ?? []
  if (root === undefined) throw new Error(`${symbol} is no contract`)
  return {
    underlying_symbol: root,
    option_type: letter === 'C' ? 'call' : 'put',
    strike: Number(strike) / 1000,
    expiry: `20${year}-${month}-${day}`,
  }
}

/** A UUID that ends in the number, so that ids sort as the numbers do. */
export const numbered = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`

/** A trade of a contract; `at` is `YYYY-MM-DD HH:MM:SS` in UTC, the price in dollars a unit, the premium follows. */
export function trade(
  symbol: string,
  id: number,
  at: string,
  price: number,
  size: number,
  side: Side,
  more: Row = {},
): Row {
  const multiplier = Number(more.multiplier ?? 100)
  return {
    id: numbered(id),
    date: at.slice(0, 10),
    option_chain_id: symbol,
    ...contractOf(symbol),
    multiplier,
    executed_at: at,
    price,
    size,
    premium: (Math.round(price * 10_000) * size * multiplier) / 10_000,
    canceled: false,
    ask_vol: side === 'ask' ? size : 0,
    bid_vol: side === 'bid' ? size : 0,
    mid_vol: side === 'mid' ? size : 0,
    no_side_vol: side === 'no_side' ? size : 0,
    multi_vol: 0,
    stock_multi_vol: 0,
    ...more,
  }
}

/** A contract as the chain of a day lists it. */
export const listing = (symbol: string, date: string, more: Row = {}): Row => ({
  date,
  option_symbol: symbol,
  ...contractOf(symbol),
  multiplier: 100,
  settlement: 'PM',
  ...more,
})

/** Runs a derivation over rows; what has none is empty. */
export const derivedFrom = (
  name: string,
  days: Days,
  inputs: Readonly<Record<string, readonly Row[]>>,
): Promise<Derived[]> =>
  derived(
    name,
    days,
    Object.fromEntries(
      Object.entries(inputs).flatMap(([input, rows]) => (rows.length > 0 ? [[input, rowsAsSql(rows)]] : [])),
    ),
  )

/** The contract_days of one day. */
export const contractDays = (date: string, inputs: Readonly<Record<string, readonly Row[]>>) =>
  derivedFrom('contract_days', { from: date, to: date }, inputs)
