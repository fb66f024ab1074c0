import { expect, it } from 'vitest'
import { float64Vector } from '../../../src/calculations/values/float64-vector.ts'

it('is a view of the array, not a copy', () => {
  const values = Float64Array.of(1.5, -2, 0)
  const vector = float64Vector(values)
  expect(vector.data[0]?.values).toBe(values)
  expect(vector.toJSON()).toEqual([1.5, -2, 0])
  expect(vector.nullCount).toBe(0)
})

it('takes an empty array', () => {
  const vector = float64Vector(new Float64Array(0))
  expect(vector.length).toBe(0)
  expect(vector.nullCount).toBe(0)
})

it('takes a part of a larger buffer', () => {
  expect(float64Vector(Float64Array.of(1, 2, 3, 4).subarray(1, 3)).toJSON()).toEqual([2, 3])
})

it('reads the validity bitmap from the lowest bit on', () => {
  // 0b101: values 0 and 2 are valid; the ninth value is bit 0 of the second byte.
  const vector = float64Vector(Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), Uint8Array.of(0b101, 0b1))
  expect(vector.toJSON()).toEqual([1, null, 3, null, null, null, null, null, 9])
  expect(vector.nullCount).toBe(6)
})
