import { centre } from './centre.ts'

/**
 * Deviations from the mean: d_i = x_i - m, in a new array, for use in more than one sum.
 *
 * Computed in two steps, from a centre near the mean and then from the mean of the differences: x_i - m with
 * a mean rounded to a double would be off by half a unit in the mean's last place, always in one direction.
 *
 * Domain: finite numbers. Unit: that of the values. Cost: O(n), three passes.
 * No values: an empty array. A constant series: exact zeros.
 */
export function deviations(values: Float64Array): Float64Array {
  const n = values.length
  const result = new Float64Array(n)
  if (n === 0) return result
  const drift = subtract(values, centre(values), result)
  subtract(result, drift / n, result)
  return result
}

/** Writes the values minus the subtrahend, and returns their sum. */
function subtract(values: Float64Array, subtrahend: number, into: Float64Array): number {
  const n = values.length
  const blocked = n & 0x3ffffffc
  let sum = 0
  let i = 0
  for (; i < blocked; i += 4) {
    const a = (values[i] as number) - subtrahend
    const b = (values[i + 1] as number) - subtrahend
    const c = (values[i + 2] as number) - subtrahend
    const d = (values[i + 3] as number) - subtrahend
    into[i] = a
    into[i + 1] = b
    into[i + 2] = c
    into[i + 3] = d
    sum += a + b + (c + d)
  }
  for (; i < n; i++) {
    const d = (values[i] as number) - subtrahend
    into[i] = d
    sum += d
  }
  return sum
}
