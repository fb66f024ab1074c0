import type { Float64, Vector } from 'apache-arrow'
import { finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * Cumulative return: P(last) / P(first) - 1, computed as (P(last) - P(first)) / P(first): the difference of
 * similar prices is exact, while their quotient is rounded near 1 and loses digits.
 *
 * Domain: prices above 0; nulls are skipped, at the ends too. Unit: none, a fraction. Cost: O(1) without
 * nulls. One price: 0. No prices, or a first price of 0: null.
 */
export function cumulativeReturn(prices: Vector<Float64>): number | null {
  const present = presentValues(prices)
  const first = present[0]
  const last = present.at(-1)
  if (first === undefined || last === undefined) return null
  return finiteOrNull((last - first) / first)
}
