import type { Float64, Vector } from 'apache-arrow'

/**
 * The values that are not null, contiguous and in order.
 *
 * If the vector is one chunk without nulls, this is the vector's own memory, not a copy: do not write to it.
 * The buffer of a sliced chunk starts at the slice but may extend past its end, so it is cut to length.
 *
 * Cost: O(1) for one chunk without nulls, otherwise O(n).
 */
export function presentValues(vector: Vector<Float64>): Float64Array {
  const [only] = vector.data
  if (only !== undefined && vector.data.length === 1 && only.nullCount === 0) {
    return only.values.length === only.length ? only.values : only.values.subarray(0, only.length)
  }
  const present = new Float64Array(vector.length - vector.nullCount)
  let filled = 0
  for (const chunk of vector.data) {
    if (chunk.nullCount === 0) {
      present.set(chunk.values.subarray(0, chunk.length), filled)
      filled += chunk.length
      continue
    }
    for (let i = 0; i < chunk.length; i++) {
      if (chunk.getValid(i)) present[filled++] = chunk.values[i] as number
    }
  }
  return present
}

/**
 * The index in the vector of the non-null value number `ordinal` (from 0).
 *
 * Cost: O(1) without nulls, otherwise O(n). No such value: RangeError.
 */
export function presentPosition(vector: Vector<Float64>, ordinal: number): number {
  if (vector.nullCount === 0 && ordinal < vector.length) return ordinal
  let before = 0
  for (let i = 0; i < vector.length; i++) {
    if (vector.isValid(i) && before++ === ordinal) return i
  }
  throw new RangeError(`the vector has no non-null value number ${ordinal}`)
}
