import type { Float64, Vector } from 'apache-arrow'

/**
 * The values that are not null, contiguous and in order.
 *
 * Where the vector is one chunk without nulls this is the vector's own memory, not a copy: read it only.
 * A sliced chunk's buffer begins at the slice, but may run on past its end, hence the cut to length.
 *
 * Cost: O(1) for one chunk without nulls, else O(n).
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
 * Where the value numbered `ordinal` (from 0) among the non-null ones stands in the vector itself.
 *
 * Cost: O(1) without nulls, else O(n). There being no such value is the caller's mistake: RangeError.
 */
export function presentPosition(vector: Vector<Float64>, ordinal: number): number {
  if (vector.nullCount === 0 && ordinal < vector.length) return ordinal
  let before = 0
  for (let i = 0; i < vector.length; i++) {
    if (vector.isValid(i) && before++ === ordinal) return i
  }
  throw new RangeError(`the vector has no non-null value number ${ordinal}`)
}
