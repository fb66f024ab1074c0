import type { Float64, Vector } from 'apache-arrow'
import { coefficient } from './moments/coefficient.ts'
import { sortCountingInversions } from './order/inversions.ts'
import { type Ranking, ranking } from './order/ranking.ts'
import { everyFinite } from './values/finite.ts'
import { presentPairs } from './values/present-pairs.ts'

/**
 * Kendall's rank correlation coefficient, tau-b: (C - D) / sqrt((n0 - n1)(n0 - n2)), with C and D the
 * concordant and discordant pairs, n0 = n (n - 1) / 2 all pairs, n1 and n2 those tied in x
 * and in y (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945, 239-251).
 *
 * By Knight's method (Journal of the American Statistical Association 61, 1966, 436-439).
 *
 * Domain: finite numbers, in pairs; a pair with a null on either side is skipped. Unit: none, within
 * [-1, 1]. Cost: O(n log n).
 * Fewer than 2 pairs, a constant series on either side, or a value that is not finite: null.
 * Vectors of different lengths: RangeError.
 */
export function kendall(x: Vector<Float64>, y: Vector<Float64>): number | null {
  const pairs = presentPairs(x, y)
  if (!(everyFinite(pairs.x) && everyFinite(pairs.y))) return null
  return kendallOfRankings(ranking(pairs.x), ranking(pairs.y))
}

/** Kendall's tau-b of two rankings of equal length. */
export function kendallOfRankings(x: Ranking, y: Ranking): number | null {
  const n = x.order.length
  const yRanks = new Int32Array(n)
  for (let i = 0; i < n; i++) yRanks[i] = y.ranks[x.order[i] as number] as number
  const tiedInBoth = sortWithinTies(x, yRanks)
  const discordant = sortCountingInversions(yRanks)
  const allPairs = (n * (n - 1)) / 2
  // C + D are the pairs tied in neither; those tied in both were subtracted twice.
  const untied = allPairs - x.tiedPairs - y.tiedPairs + tiedInBoth
  return coefficient(untied - 2 * discordant, allPairs - x.tiedPairs, allPairs - y.tiedPairs)
}

/**
 * Sorts the y ranks where x is tied, so that such pairs count no inversion, and counts the pairs that are
 * tied in both.
 */
function sortWithinTies(x: Ranking, yRanks: Int32Array): number {
  if (x.tiedPairs === 0) return 0
  const n = yRanks.length
  let tiedInBoth = 0
  for (let start = 0; start < n; ) {
    const rank = x.ranks[x.order[start] as number]
    let end = start + 1
    while (end < n && x.ranks[x.order[end] as number] === rank) end++
    if (end > start + 1) {
      sortCountingInversions(yRanks.subarray(start, end))
      tiedInBoth += equalNeighbours(yRanks, start, end)
    }
    start = end
  }
  return tiedInBoth
}

/** The number of pairs of equal values in a sorted range. */
function equalNeighbours(sorted: Int32Array, start: number, end: number): number {
  let pairs = 0
  let equalBefore = 0
  for (let i = start + 1; i < end; i++) {
    equalBefore = sorted[i] === sorted[i - 1] ? equalBefore + 1 : 0
    pairs += equalBefore
  }
  return pairs
}
