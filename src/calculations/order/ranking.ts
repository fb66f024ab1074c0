import { ascendingOrder } from './ascending-order.ts'

/** The data of one series for Kendall's tau. */
export interface Ranking {
  /** The positions in ascending order of their values. */
  readonly order: Int32Array
  /** For each position, the number of distinct values below its own. */
  readonly ranks: Int32Array
  /** The number of pairs of equal values: the sum of t (t - 1) / 2 over groups of t equal values. */
  readonly tiedPairs: number
}

/**
 * Ranks a series, with equal values sharing a rank ("dense ranking").
 *
 * Domain: no NaN. Cost: O(n log n). No values: empty arrays.
 */
export function ranking(values: Float64Array): Ranking {
  const n = values.length
  const order = ascendingOrder(values)
  const ranks = new Int32Array(n)
  let tiedPairs = 0
  let rank = 0
  let equalBefore = 0
  for (let i = 1; i < n; i++) {
    const position = order[i] as number
    if (values[position] === values[order[i - 1] as number]) {
      equalBefore++
      tiedPairs += equalBefore
    } else {
      rank++
      equalBefore = 0
    }
    ranks[position] = rank
  }
  return { order, ranks, tiedPairs }
}
