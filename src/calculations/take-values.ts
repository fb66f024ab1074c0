import type { Float64, Vector } from 'apache-arrow'
import { float64Vector } from './float64-vector.ts'

/**
 * The vector's values at `indices`, in their order. Nulls stay null.
 *
 * Cost: O(indices). An index that the vector does not have: RangeError.
 */
export function takeValues(vector: Vector<Float64>, indices: Int32Array): Vector<Float64> {
  const taken = new Float64Array(indices.length)
  const validity = vector.nullCount === 0 ? undefined : new Uint8Array((indices.length + 7) >> 3)
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] as number
    if (index < 0 || index >= vector.length)
      throw new RangeError(`no value ${index} in a vector of ${vector.length}`)
    const value = vector.get(index)
    if (value === null) continue
    taken[i] = value
    if (validity !== undefined) validity[i >> 3] = (validity[i >> 3] as number) | (1 << (i & 7))
  }
  return float64Vector(taken, validity)
}
