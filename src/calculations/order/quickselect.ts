/**
 * Selection: the value that a sort would put at index k. Reorders the array IN PLACE: values before k are then
 * not above it, and values after k not below it.
 *
 * Hoare's find (C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4, 1961, 321-322) with the
 * median of three as the pivot. After 2 log2 n rounds the rest is sorted, which avoids quadratic time.
 *
 * Domain: no NaN; 0 <= k < n. Cost: O(n) on average, O(n log n) at worst.
 */
export function quickselect(values: Float64Array, k: number): number {
  let low = 0
  let high = values.length - 1
  for (let rounds = 2 * Math.ceil(Math.log2(values.length)); low < high; rounds--) {
    if (rounds < 0) {
      values.subarray(low, high + 1).sort()
      break
    }
    const pivot = medianOfThree(
      values[low] as number,
      values[(low + high) >> 1] as number,
      values[high] as number,
    )
    let i = low
    let j = high
    while (i <= j) {
      while ((values[i] as number) < pivot) i++
      while ((values[j] as number) > pivot) j--
      if (i > j) break
      const swapped = values[i] as number
      values[i++] = values[j] as number
      values[j--] = swapped
    }
    // The values between j and i equal the pivot.
    if (k <= j) high = j
    else if (k >= i) low = i
    else break
  }
  return values[k] as number
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
