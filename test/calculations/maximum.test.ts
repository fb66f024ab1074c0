import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { highest, maximum } from '../../src/calculations/maximum.ts'
import { anyDouble, onEveryLayout, presentOf, sparseValues, vectorOf } from './series.ts'

it.each([
  [[], null],
  [[null, null], null],
  [[3], 3],
  [[null, 3, null], 3],
  [[3, 3, 3], 3],
  [[-0, 0], 0],
  [[0, -0], 0],
  [[-0], 0],
  [[5, -7, 42, null, 0], 42],
  [[null, 42, -7], 42],
])('of %j is %j', (values, expected) => {
  expect(onEveryLayout(values, maximum)).toBe(expected)
})

it('finds it at any position', () => {
  for (let n = 1; n <= 40; n++) {
    for (let at = 0; at < n; at++) {
      const values = Float64Array.from({ length: n }, (_, i) => (i === at ? 42 : i % 5))
      expect(highest(values)).toBe(42)
    }
  }
})

it('agrees with simple-statistics', () => {
  fc.assert(
    fc.property(fc.array(anyDouble, { minLength: 1, maxLength: 100 }), values => {
      expect(onEveryLayout(values, maximum)).toBe(simple.max(values) + 0)
    }),
  )
})

it('is the largest of what is present', () => {
  fc.assert(
    fc.property(sparseValues, values => {
      const present = presentOf(values)
      expect(onEveryLayout(values, maximum)).toBe(present.length === 0 ? null : Math.max(...present) + 0)
    }),
  )
})

it('is null where a value is no number, in a block of eight or after it', () => {
  for (let at = 0; at < 12; at++) {
    const values = Array.from({ length: 12 }, (_, i) => (i === at ? Number.NaN : i))
    expect(maximum(vectorOf(values))).toBeNull()
  }
  expect(maximum(vectorOf([-Infinity]))).toBeNull()
})
