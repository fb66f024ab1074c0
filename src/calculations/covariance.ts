import type { Float64, Vector } from 'apache-arrow'
import { centre } from './moments/centre.ts'
import { finiteOrNull } from './values/finite.ts'
import { presentPairs } from './values/present-pairs.ts'

/**
 * Population covariance: (1/n) sum of (x_i - m_x)(y_i - m_y), divided by n and not by n - 1.
 *
 * The corrected two-pass algorithm of `variance`, for two series: with d = x - c_x and e = y - c_y,
 * n C = sum d_i e_i - (sum d_i)(sum e_i) / n.
 *
 * Domain: finite numbers, in pairs; a pair with a null on either side is skipped. Unit: the product of
 * both units. Cost: O(n), two passes.
 * One pair, or a constant series on either side: exactly 0. No pairs, an overflow, or a NaN: null.
 * Vectors of different lengths: RangeError.
 */
export function covariance(x: Vector<Float64>, y: Vector<Float64>): number | null {
  const pairs = presentPairs(x, y)
  const n = pairs.x.length
  if (n === 0) return null
  return finiteOrNull(deviationProducts(pairs.x, pairs.y) / n)
}

/** The sum of (x_i - m_x)(y_i - m_y), without arrays of deviations, which would cost more than the sum itself. */
function deviationProducts(x: Float64Array, y: Float64Array): number {
  const n = x.length
  const xCentre = centre(x)
  const yCentre = centre(y)
  const blocked = n & 0x3ffffffc
  let xDrift = 0
  let yDrift = 0
  let products = 0
  let error = 0
  let i = 0
  for (; i < blocked; i += 4) {
    const d0 = (x[i] as number) - xCentre
    const e0 = (y[i] as number) - yCentre
    const d1 = (x[i + 1] as number) - xCentre
    const e1 = (y[i + 1] as number) - yCentre
    const d2 = (x[i + 2] as number) - xCentre
    const e2 = (y[i + 2] as number) - yCentre
    const d3 = (x[i + 3] as number) - xCentre
    const e3 = (y[i + 3] as number) - yCentre
    xDrift += d0 + d1 + (d2 + d3)
    yDrift += e0 + e1 + (e2 + e3)
    const block = d0 * e0 + d1 * e1 + (d2 * e2 + d3 * e3)
    const sum = products + block
    error += block - (sum - products)
    products = sum
  }
  for (; i < n; i++) {
    const d = (x[i] as number) - xCentre
    const e = (y[i] as number) - yCentre
    xDrift += d
    yDrift += e
    error += d * e
  }
  return products + (error - (xDrift * yDrift) / n)
}
