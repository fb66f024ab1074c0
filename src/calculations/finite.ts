/**
 * A result that can be shown: the number if it is finite, else null. Kernels end with it, because a
 * division by zero, an overflow or a value from outside the domain must not leave as NaN or Infinity.
 */
export function finiteOrNull(result: number): number | null {
  return Number.isFinite(result) ? result : null
}

/** Whether all values are finite. Rank methods ask first: NaN has no place in an order. Cost: O(n). */
export function everyFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) return false
  }
  return true
}
