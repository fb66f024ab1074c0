import type { Float64, Vector } from 'apache-arrow'
import { everyFinite } from './values/finite.ts'
import { presentPosition, presentValues } from './values/present.ts'

export interface Drawdown {
  /** The fall as a fraction of the peak: -0.25 is a fall by a quarter, 0 is no fall. */
  readonly depth: number
  /** Index in the vector of the peak; null without a fall. */
  readonly peak: number | null
  /** Index in the vector of the trough; null without a fall. */
  readonly trough: number | null
}

/**
 * Maximum drawdown: the least of P(t) / max over s <= t of P(s) - 1, with its peak and trough
 * (M. Magdon-Ismail and A. F. Atiya, "Maximum drawdown", Risk 17, 2004, 99-102).
 *
 * Falls are compared by their quotients, which are more often equal for falls that are mathematically equal. The
 * depth is computed as (P(t) - peak) / peak, which keeps more digits (see `cumulativeReturn`). The first of equal
 * falls counts: the trough is the first price of the deepest fall, and the peak is the FIRST of the equal running
 * maxima before it, even if the price returned to it later.
 *
 * Domain: prices above 0; nulls are skipped, but counted in the indices. Unit: none, a fraction.
 * Cost: O(n). One price, or prices that never fall: depth 0, indices null.
 * No prices, a fall from a price of 0, or a NaN among the prices: null.
 */
export function maxDrawdown(prices: Vector<Float64>): Drawdown | null {
  const present = presentValues(prices)
  const n = present.length
  if (n === 0 || !everyFinite(present)) return null
  let least = 1
  let peak = 0
  let trough = 0
  let running = 0
  let runningPrice = present[0] as number
  for (let i = 1; i < n; i++) {
    const price = present[i] as number
    if (price > runningPrice) {
      runningPrice = price
      running = i
      continue
    }
    const left = price / runningPrice
    if (left < least) {
      least = left
      peak = running
      trough = i
    }
  }
  if (trough === 0) return { depth: 0, peak: null, trough: null }
  const from = present[peak] as number
  const depth = ((present[trough] as number) - from) / from
  if (!Number.isFinite(depth)) return null
  return { depth, peak: presentPosition(prices, peak), trough: presentPosition(prices, trough) }
}
