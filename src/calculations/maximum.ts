import type { Float64, Vector } from 'apache-arrow'
import { finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * Maximum: the largest of the values.
 *
 * Domain: finite numbers; nulls are skipped. Unit: that of the values. Cost: O(n).
 * No values, or a NaN among them: null.
 */
export function maximum(vector: Vector<Float64>): number | null {
  return finiteOrNull(highest(presentValues(vector)))
}

/** The largest value of an array: -Infinity for none, NaN if a NaN is among them. Cost: O(n). */
export function highest(values: Float64Array): number {
  const n = values.length
  // Blocks of eight are skipped by one condition, as a new maximum is rare; the mask as in `centre`.
  const blocked = n & 0x3ffffff8
  let high = -Infinity
  let i = 0
  for (; i < blocked; i += 8) {
    if (
      (values[i] as number) <= high &&
      (values[i + 1] as number) <= high &&
      (values[i + 2] as number) <= high &&
      (values[i + 3] as number) <= high &&
      (values[i + 4] as number) <= high &&
      (values[i + 5] as number) <= high &&
      (values[i + 6] as number) <= high &&
      (values[i + 7] as number) <= high
    ) {
      continue
    }
    for (let j = i; j < i + 8; j++) high = Math.max(high, values[j] as number)
  }
  for (; i < n; i++) high = Math.max(high, values[i] as number)
  return high
}
