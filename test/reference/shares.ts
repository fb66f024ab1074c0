import { type Decimal, decimal, isDecimal, minus, plus, quotient, times } from './decimal.ts'
import type { Value } from './lake.ts'

/** Figures of several values, each null where one of them is. Whole numbers count as decimals. */

type Number_ = Value | undefined

const exact = (value: Number_): Decimal | null =>
  isDecimal(value) ? value : typeof value === 'number' ? decimal(value) : null

function withBoth(one: Number_, other: Number_, figure: (one: Decimal, other: Decimal) => Decimal | null) {
  const [left, right] = [exact(one), exact(other)]
  return left === null || right === null ? null : figure(left, right)
}

/** one / other, 10 places. */
export const ratio = (one: Number_, other: Number_): Decimal | null =>
  withBoth(one, other, (above, below) => quotient(above, below))

/** one / other − 1, 10 places. */
export const change = (one: Number_, other: Number_): Decimal | null =>
  withBoth(one, other, (now, before) => quotient(minus(now, before), before))

export const difference = (one: Number_, other: Number_): Decimal | null => withBoth(one, other, minus)

/** (ask − bid) / mid, mid being their mean, 10 places. */
export const spreadOf = (ask: Number_, bid: Number_): Decimal | null =>
  withBoth(ask, bid, (high, low) => quotient(times(decimal(2), minus(high, low)), plus(high, low)))

/** How far out of the money: (strike − stock) / stock, negated for puts, 10 places. */
export const moneyness = (type: Number_, strike: Number_, stock: Number_): Decimal | null =>
  type === 'call'
    ? change(strike, stock)
    : withBoth(strike, stock, (at, price) => quotient(minus(price, at), price))
