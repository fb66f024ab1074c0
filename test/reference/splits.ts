import { type Decimal, decimal, quotient, rounded, times, ZERO } from './decimal.ts'
import type { Lake } from './lake.ts'
import type { Value } from './parquet.ts'

/** Types of securities whose units a split of the ticker changes. */
const SPLIT_TYPES = ['Share', 'Fund', 'Option']

/** Converts units and prices of an earlier date to the basis of a later one. */
export interface Basis {
  /** Fractions of a unit are paid out in cash. */
  units(units: number, from: string, to: string): number
  price(price: Value, from: string, to: string, places: number): Value
  volume(shares: number, from: string, to: string): Decimal
}

export function basisOf(lake: Lake, ticker: string, type: string): Basis {
  const splits = lake.find('stock_splits', { ticker })
  const between = (from: string, to: string) =>
    splits.filter(({ date }) => String(date) > from && String(date) <= to)
  const product = (from: string, to: string, column: string): bigint =>
    between(from, to).reduce((all, row) => all * BigInt(Number(row[column])), 1n)
  return {
    units: (units, from, to) =>
      SPLIT_TYPES.includes(type)
        ? Number((BigInt(units) * product(from, to, 'new_shares')) / product(from, to, 'old_shares'))
        : units,
    price: (price, from, to, places) =>
      price === null
        ? null
        : between(from, to).length === 0
          ? rounded(price as Decimal, places)
          : quotient(
              times(price as Decimal, decimal(product(from, to, 'old_shares'))),
              decimal(product(from, to, 'new_shares')),
              places,
            ),
    volume: (shares, from, to) =>
      quotient(
        times(decimal(shares), decimal(product(from, to, 'new_shares'))),
        decimal(product(from, to, 'old_shares')),
      ) ?? ZERO,
  }
}
