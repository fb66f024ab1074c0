import type { Float64, Vector } from 'apache-arrow'
import { isConstant } from './moments/centre.ts'
import { compensatedSum } from './moments/compensated-sum.ts'
import { finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * Arithmetic mean: m = (sum of x_i) / n, by the compensated sum.
 *
 * For a constant series it is the value itself, which a division of the rounded sum may miss by one bit.
 *
 * Domain: finite numbers; nulls are skipped. Unit: that of the values. Cost: O(n).
 * No values, a sum that overflows, or a NaN among the values: null.
 */
export function mean(vector: Vector<Float64>): number | null {
  const values = presentValues(vector)
  if (values.length === 0) return null
  const result = isConstant(values) ? (values[0] as number) : compensatedSum(values) / values.length
  return finiteOrNull(result)
}
