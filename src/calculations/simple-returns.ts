import type { Float64, Vector } from 'apache-arrow'
import { float64Vector } from './values/float64-vector.ts'
import { presentValues } from './values/present.ts'

/**
 * Simple returns: r_t = P(t) / P(t-1) - 1 over the prices that are not null.
 *
 * Computed in this form, quotient first. (P(t) - P(t-1)) / P(t-1) would keep more digits of a small change,
 * but its rounding separates returns that are mathematically equal: the quotients of 10 to 10.1 and of 20 to
 * 20.2 are equal more often than the differences, and rank methods (Kendall, Spearman) depend on ties.
 *
 * Domain: prices above 0. Unit: none, a fraction (0.01 is one percent). Cost: O(n).
 * n prices have n - 1 returns; 0 or 1 price, an empty vector. A return that is not finite (from a price of 0)
 * is null.
 */
export function simpleReturns(prices: Vector<Float64>): Vector<Float64> {
  const present = presentValues(prices)
  const returns = new Float64Array(Math.max(0, present.length - 1))
  let allFinite = true
  for (let i = 0; i < returns.length; i++) {
    const before = present[i] as number
    const change = (present[i + 1] as number) / before - 1
    if (!Number.isFinite(change)) allFinite = false
    returns[i] = change
  }
  return allFinite ? float64Vector(returns) : float64Vector(returns, finiteBits(returns))
}

/** Arrow's validity bitmap with a set bit for each finite value. */
function finiteBits(values: Float64Array): Uint8Array {
  const bits = new Uint8Array((values.length + 7) >> 3)
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7))
  }
  return bits
}
