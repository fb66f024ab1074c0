import type { Float64, Vector } from 'apache-arrow'
import { centre } from './moments/centre.ts'
import { coefficient } from './moments/coefficient.ts'
import { presentPairs } from './values/present-pairs.ts'

/**
 * Pearson's correlation coefficient: r = sum of (x_i - m_x)(y_i - m_y), over the square root of
 * sum (x_i - m_x)^2 times sum (y_i - m_y)^2. All three sums by the corrected two-pass algorithm of
 * `variance`, with compensation.
 *
 * Domain: finite numbers, in pairs; a pair with a null on either side is skipped. Unit: none, within
 * [-1, 1]; exactly 1 of a series with itself. Cost: O(n), two passes.
 * Fewer than 2 pairs, no variance on either side, an overflow, or a NaN: null.
 * Vectors of different lengths: RangeError.
 */
export function pearson(x: Vector<Float64>, y: Vector<Float64>): number | null {
  const pairs = presentPairs(x, y)
  return pearsonOfPairs(pairs.x, pairs.y)
}

/** Pearson's coefficient of two arrays of equal length. */
export function pearsonOfPairs(x: Float64Array, y: Float64Array): number | null {
  const n = x.length
  if (n < 2) return null
  const xCentre = centre(x)
  const yCentre = centre(y)
  const even = n & 0x3ffffffe
  let xDrift = 0
  let yDrift = 0
  let xx = 0
  let yy = 0
  let xy = 0
  let xxError = 0
  let yyError = 0
  let xyError = 0
  let i = 0
  for (; i < even; i += 2) {
    const d = (x[i] as number) - xCentre
    const e = (y[i] as number) - yCentre
    const nextD = (x[i + 1] as number) - xCentre
    const nextE = (y[i + 1] as number) - yCentre
    xDrift += d + nextD
    yDrift += e + nextE
    const xxBlock = d * d + nextD * nextD
    const xxSum = xx + xxBlock
    xxError += xxBlock - (xxSum - xx)
    xx = xxSum
    const yyBlock = e * e + nextE * nextE
    const yySum = yy + yyBlock
    yyError += yyBlock - (yySum - yy)
    yy = yySum
    const xyBlock = d * e + nextD * nextE
    const xySum = xy + xyBlock
    xyError += xyBlock - (xySum - xy)
    xy = xySum
  }
  for (; i < n; i++) {
    const d = (x[i] as number) - xCentre
    const e = (y[i] as number) - yCentre
    xDrift += d
    yDrift += e
    xxError += d * d
    yyError += e * e
    xyError += d * e
  }
  return coefficient(
    xy + (xyError - (xDrift * yDrift) / n),
    xx + (xxError - (xDrift * xDrift) / n),
    yy + (yyError - (yDrift * yDrift) / n),
  )
}
