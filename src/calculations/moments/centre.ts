/**
 * Whether all values are the same number; true for none or one. Compares the values instead of the
 * variance: the mean of equal values may round to another number, which leaves a variance above zero.
 *
 * Cost: O(1) if the first values differ, O(n) for a constant series.
 */
export function isConstant(values: Float64Array): boolean {
  const first = values[0]
  for (let i = 1; i < values.length; i++) {
    if (values[i] !== first) return false
  }
  return true
}

/**
 * A number near the mean, to shift values by before their squares and products are summed. It need not
 * be the mean: the caller corrects for the remaining difference (Chan, Golub and LeVeque, "Algorithms for
 * computing the sample variance", The American Statistician 37, 1983, 242-247). So plain sums are enough, of
 * which four run interleaved.
 *
 * For a constant series it is the value itself, which makes every deviation exactly 0.
 *
 * Domain: finite numbers, at least one. Unit: that of the values. Cost: O(n).
 */
export function centre(values: Float64Array): number {
  if (isConstant(values)) return values[0] as number
  const n = values.length
  // Whole blocks of eight. With the mask V8 also knows that no index overflows, which avoids a check for each.
  const blocked = n & 0x3ffffff8
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let i = 0
  for (; i < blocked; i += 8) {
    a += values[i] as number
    b += values[i + 1] as number
    c += values[i + 2] as number
    d += values[i + 3] as number
    a += values[i + 4] as number
    b += values[i + 5] as number
    c += values[i + 6] as number
    d += values[i + 7] as number
  }
  for (; i < n; i++) a += values[i] as number
  return (a + b + (c + d)) / n
}
