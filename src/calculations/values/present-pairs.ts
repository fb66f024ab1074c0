import type { Float64, Vector } from 'apache-arrow'
import { presentValues } from './present.ts'

/** Two series of equal length: `x[i]` and `y[i]` are a pair. */
export interface Pairs {
  readonly x: Float64Array
  readonly y: Float64Array
}

/**
 * The pairs without nulls, as two arrays of equal length, in order. Without nulls these may be the vectors'
 * own memory, as with `presentValues`: do not write to them.
 *
 * Cost: O(1) for single chunks without nulls, otherwise O(n). Vectors of different lengths: RangeError.
 */
export function presentPairs(x: Vector<Float64>, y: Vector<Float64>): Pairs {
  if (x.length !== y.length)
    throw new RangeError(`vectors must have equal lengths, not ${x.length} and ${y.length}`)
  if (x.nullCount === 0 && y.nullCount === 0) return { x: presentValues(x), y: presentValues(y) }
  const xs = new Float64Array(x.length)
  const ys = new Float64Array(x.length)
  let filled = 0
  for (let i = 0; i < x.length; i++) {
    const left = x.get(i)
    const right = y.get(i)
    if (left === null || right === null) continue
    xs[filled] = left
    ys[filled++] = right
  }
  return { x: xs.subarray(0, filled), y: ys.subarray(0, filled) }
}
