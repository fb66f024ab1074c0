import { ascendingOrder } from './ascending-order.ts'

/**
 * Mean ranks: each value's position in ascending order, from 1; equal values share the mean of their positions
 * ("fractional ranking", for Spearman's coefficient: M. G. Kendall, Rank Correlation Methods).
 *
 * Domain: no NaN. Unit: positions, whole or half. Cost: O(n log n). No values: an empty array.
 */
export function meanRanks(values: Float64Array): Float64Array {
  const n = values.length
  const order = ascendingOrder(values)
  const ranks = new Float64Array(n)
  for (let start = 0; start < n; ) {
    const value = values[order[start] as number]
    let end = start + 1
    while (end < n && values[order[end] as number] === value) end++
    // The mean of the positions from start + 1 to end, inclusive.
    const rank = (start + 1 + end) / 2
    for (let i = start; i < end; i++) ranks[order[i] as number] = rank
    start = end
  }
  return ranks
}
