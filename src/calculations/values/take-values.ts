import type { Float64, Vector } from 'apache-arrow'
import { float64Vector } from './float64-vector.ts'
import { presentValues } from './present.ts'

/**
 * The vector's values at `indices`, in their order. Nulls stay null.
 *
 * Cost: O(indices). An index that the vector does not have: RangeError.
 */
export function takeValues(vector: Vector<Float64>, indices: Int32Array): Vector<Float64> {
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] as number
    if (index < 0 || index >= vector.length)
      throw new RangeError(`no value ${index} in a vector of ${vector.length}`)
  }
  const taken = new Float64Array(indices.length)
  if (vector.nullCount === 0) {
    const values = presentValues(vector)
    for (let i = 0; i < indices.length; i++) taken[i] = values[indices[i] as number] as number
    return float64Vector(taken)
  }
  const validity = new Uint8Array((indices.length + 7) >> 3)
  for (let i = 0; i < indices.length; i++) {
    const value = vector.get(indices[i] as number)
    if (value === null) continue
    taken[i] = value
    validity[i >> 3] = (validity[i >> 3] as number) | (1 << (i & 7))
  }
  return float64Vector(taken, validity)
}
