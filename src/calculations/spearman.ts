import type { Float64, Vector } from 'apache-arrow'
import { meanRanks } from './order/mean-ranks.ts'
import { pearsonOfPairs } from './pearson.ts'
import { everyFinite } from './values/finite.ts'
import { presentPairs } from './values/present-pairs.ts'

/**
 * Spearman's rank correlation coefficient: rho = Pearson's r of the mean ranks (C. Spearman, "The proof
 * and measurement of association between two things", American Journal of Psychology 15, 1904, 72-101).
 *
 * Domain: finite numbers, in pairs; a pair with a null on either side is skipped before ranking.
 * Unit: none, within [-1, 1]. Cost: O(n log n).
 * Fewer than 2 pairs, a constant series on either side, or a value that is not finite: null.
 * Vectors of different lengths: RangeError.
 */
export function spearman(x: Vector<Float64>, y: Vector<Float64>): number | null {
  const pairs = presentPairs(x, y)
  if (!(everyFinite(pairs.x) && everyFinite(pairs.y))) return null
  return pearsonOfPairs(meanRanks(pairs.x), meanRanks(pairs.y))
}
