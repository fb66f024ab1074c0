/**
 * The number if it is finite, otherwise null. Kernels return through it, because a division by zero, an
 * overflow or a value outside the domain must not become NaN or Infinity in a response. A zero has no sign, because
 * which of -0 and 0 is first, in the middle or last depends on the order of equal values.
 */
export function finiteOrNull(result: number): number | null {
  return Number.isFinite(result) ? result + 0 : null
}

/** Whether all values are finite. Rank methods check this first, because NaN has no order. Cost: O(n). */
export function everyFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) return false
  }
  return true
}
