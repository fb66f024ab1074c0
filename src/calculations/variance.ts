import type { Float64, Vector } from 'apache-arrow'
import { centre } from './moments/centre.ts'
import { finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * Population variance: (1/n) sum of (x_i - m)^2, divided by n and not by n - 1.
 *
 * Corrected two-pass algorithm: with d_i = x_i - c for a c near the mean,
 * n V = sum d_i^2 - (sum d_i)^2 / n (Chan, Golub and LeVeque, The American Statistician 37, 1983,
 * 242-247); the squares are summed with compensation.
 *
 * Domain: finite numbers; nulls are skipped. Unit: that of the values, squared. Cost: O(n), two passes.
 * One value, or a constant series: exactly 0. No values, an overflow, or a NaN among them: null.
 */
export function variance(vector: Vector<Float64>): number | null {
  const values = presentValues(vector)
  if (values.length === 0) return null
  return finiteOrNull(squaredDeviations(values) / values.length)
}

/**
 * The sum of (x_i - m)^2, in blocks of four: the squares of a block are added without compensation, which costs
 * two roundings whatever n is, and the blocks with compensation.
 *
 * The error of an addition s + b is computed as b - ((s + b) - s) (Babuska): it is exact once s exceeds b, and
 * before that no worse than the rounding of b itself, so that the costlier two-sum of `compensatedSum` is not needed.
 */
function squaredDeviations(values: Float64Array): number {
  const n = values.length
  const centred = centre(values)
  const blocked = n & 0x3ffffffc
  let drift = 0
  let squares = 0
  let error = 0
  let i = 0
  for (; i < blocked; i += 4) {
    const a = (values[i] as number) - centred
    const b = (values[i + 1] as number) - centred
    const c = (values[i + 2] as number) - centred
    const d = (values[i + 3] as number) - centred
    drift += a + b + (c + d)
    const block = a * a + b * b + (c * c + d * d)
    const sum = squares + block
    error += block - (sum - squares)
    squares = sum
  }
  for (; i < n; i++) {
    const d = (values[i] as number) - centred
    drift += d
    error += d * d
  }
  // At least 0, whatever the rounding, because its square root is taken.
  return Math.max(0, squares + (error - (drift * drift) / n))
}
