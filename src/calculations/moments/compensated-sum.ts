/**
 * Compensated sum: the sum as if it were computed in twice the precision of a double and rounded once.
 *
 * s = sum of x_i, with the rounding error of each addition collected in a second sum that is added at
 * the end: the Kahan-Babuska algorithm in Neumaier's form (A. Neumaier, "Rundungsfehleranalyse einiger
 * Verfahren zur Summation endlicher Summen", ZAMM 54, 1974, 39-51). Where Neumaier compares to find the
 * larger addend, this computes the same error by Knuth's two-sum (The Art of Computer Programming 2,
 * 4.2.2, theorem B), which needs no branch. Two sums run interleaved, because each addition waits for the
 * one before it. |error| <= u |s| + O(n^2 u^2) sum |x_i|, u = 2^-53.
 *
 * Domain: finite numbers. Unit: that of the values. Cost: O(n), seven operations per value.
 * No values: 0. A sum beyond the doubles, or a NaN among the values: NaN.
 */
export function compensatedSum(values: Float64Array): number {
  const n = values.length
  let even = 0
  let evenError = 0
  let odd = 0
  let oddError = 0
  let i = 0
  for (const last = n - 1; i < last; i += 2) {
    const x = values[i] as number
    const evenSum = even + x
    const xRounded = evenSum - even
    evenError += even - (evenSum - xRounded) + (x - xRounded)
    even = evenSum
    const y = values[i + 1] as number
    const oddSum = odd + y
    const yRounded = oddSum - odd
    oddError += odd - (oddSum - yRounded) + (y - yRounded)
    odd = oddSum
  }
  if (i < n) {
    const x = values[i] as number
    const evenSum = even + x
    const xRounded = evenSum - even
    evenError += even - (evenSum - xRounded) + (x - xRounded)
    even = evenSum
  }
  const sum = even + odd
  const oddRounded = sum - even
  const sumError = even - (sum - oddRounded) + (odd - oddRounded)
  return sum + (sumError + (evenError + oddError))
}
