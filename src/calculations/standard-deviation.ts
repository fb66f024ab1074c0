import type { Float64, Vector } from 'apache-arrow'
import { variance } from './variance.ts'

/**
 * Population standard deviation: the square root of the population variance (divided by n).
 *
 * Domain: finite numbers; nulls are skipped. Unit: that of the values. Cost: that of the variance, O(n).
 * One value, or a constant series: exactly 0. No values, an overflow, or a NaN among them: null.
 */
export function standardDeviation(vector: Vector<Float64>): number | null {
  const squared = variance(vector)
  return squared === null ? null : Math.sqrt(squared)
}
