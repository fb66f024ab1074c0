import type { Float64, Vector } from 'apache-arrow'
import { finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * Minimum: the smallest of the values.
 *
 * Domain: finite numbers; nulls are skipped. Unit: that of the values. Cost: O(n).
 * No values, or a NaN among them: null.
 */
export function minimum(vector: Vector<Float64>): number | null {
  return finiteOrNull(lowest(presentValues(vector)))
}

/** The smallest value of an array: Infinity for none, NaN if a NaN is among them. Cost: O(n). */
export function lowest(values: Float64Array): number {
  const n = values.length
  // Blocks of eight are skipped by one condition, as a new minimum is rare; the mask as in `centre`.
  const blocked = n & 0x3ffffff8
  let low = Infinity
  let i = 0
  for (; i < blocked; i += 8) {
    if (
      (values[i] as number) >= low &&
      (values[i + 1] as number) >= low &&
      (values[i + 2] as number) >= low &&
      (values[i + 3] as number) >= low &&
      (values[i + 4] as number) >= low &&
      (values[i + 5] as number) >= low &&
      (values[i + 6] as number) >= low &&
      (values[i + 7] as number) >= low
    ) {
      continue
    }
    for (let j = i; j < i + 8; j++) low = Math.min(low, values[j] as number)
  }
  for (; i < n; i++) low = Math.min(low, values[i] as number)
  return low
}
