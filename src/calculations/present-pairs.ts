import type { Float64, Vector } from 'apache-arrow'
import { presentValues } from './present.ts'

/** Two series of one length: `x[i]` and `y[i]` were seen together. */
export interface Pairs {
  readonly x: Float64Array
  readonly y: Float64Array
}

/**
 * The positions at which neither vector is null, as two arrays of one length, in order. Without nulls
 * these are the vectors' own memory where `presentValues` gives it: read them only.
 *
 * Cost: O(1) for single chunks without nulls, else O(n). Vectors of different lengths: RangeError.
 */
export function presentPairs(x: Vector<Float64>, y: Vector<Float64>): Pairs {
  if (x.length !== y.length) throw new RangeError(`pairs need equal lengths, not ${x.length} and ${y.length}`)
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
