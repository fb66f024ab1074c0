import type { Float64, Vector } from 'apache-arrow'
import { mean } from '../../calculations/mean.ts'
import { float64Vector } from '../../calculations/values/float64-vector.ts'
import { presentValues } from '../../calculations/values/present.ts'

/** How far rounding of the prices may move a return r, relative to 1 + |r|: four units in the last place of a double. */
const ROUNDING = 4 * 2 ** -52

/**
 * The returns as measures of variation use them: all equal to their mean if none differs from it by more than rounding
 * does. Prices that grow by the same factor have returns that differ in their last digits, which are no variance.
 */
export function withoutRounding(returns: Vector<Float64>): Vector<Float64> {
  const level = mean(returns)
  if (level === null || !presentValues(returns).every(value => isWithinRounding(value, level))) return returns
  const equal = new Float64Array(returns.length).fill(level)
  return returns.nullCount === 0 ? float64Vector(equal) : float64Vector(equal, returns.data[0]?.nullBitmap)
}

const isWithinRounding = (value: number, level: number) =>
  Math.abs(value - level) <= ROUNDING * (1 + Math.abs(value))

/** One return does not vary, whatever it is. */
export function canVary(returns: Vector<Float64>): boolean {
  return returns.length - returns.nullCount > 1
}
