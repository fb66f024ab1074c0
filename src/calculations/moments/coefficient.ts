import { finiteOrNull } from '../values/finite.ts'

/**
 * Correlation coefficient: a co-moment over the geometric mean of the two moments, within [-1, 1].
 * Pearson's r is that of deviations, Spearman's rho of ranks, Kendall's tau of signs (H. E. Daniels,
 * "The relation between measures of correlation in the universe of sample permutations", Biometrika 33,
 * 1944, 129-135).
 *
 * The square root of a product is exact if both moments are equal, so that r is exactly 1 of a series
 * with itself and -1 with its negative. Two roots are taken only if the product is out of range.
 *
 * Domain: moments at least 0. Unit: none. Cost: O(1). A moment of 0 (no variance), an overflow
 * or a NaN: null.
 */
export function coefficient(coMoment: number, xMoment: number, yMoment: number): number | null {
  if (!(xMoment > 0 && yMoment > 0)) return null
  const scale = geometricMean(xMoment, yMoment)
  return scale === Infinity ? null : finiteOrNull(Math.max(-1, Math.min(1, coMoment / scale)))
}

function geometricMean(a: number, b: number): number {
  const product = a * b
  if (product > 1e-280 && product < Infinity) return Math.sqrt(product)
  return a === b ? a : Math.sqrt(a) * Math.sqrt(b)
}
