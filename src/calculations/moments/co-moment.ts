/**
 * Co-moment: the sum of a_i b_i over two arrays of deviations of equal length, in blocks with compensation, as
 * `variance` sums squares. For an array with itself it is the second moment, computed by the same operations, so
 * that the correlation of a series with itself is exactly 1.
 *
 * Domain: finite numbers. Unit: the product of both. Cost: O(n).
 * No values: 0. An overflow, or a NaN among the values: NaN or infinite.
 */
export function coMoment(a: Float64Array, b: Float64Array): number {
  const n = a.length
  const blocked = n & 0x3ffffffc
  let products = 0
  let error = 0
  let i = 0
  for (; i < blocked; i += 4) {
    const block =
      (a[i] as number) * (b[i] as number) +
      (a[i + 1] as number) * (b[i + 1] as number) +
      ((a[i + 2] as number) * (b[i + 2] as number) + (a[i + 3] as number) * (b[i + 3] as number))
    const sum = products + block
    error += block - (sum - products)
    products = sum
  }
  for (; i < n; i++) error += (a[i] as number) * (b[i] as number)
  return products + error
}
