import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { variance } from '../../src/calculations/variance.ts'
import { agreeingDigits, exactVariance } from './oracle.ts'
import { anyDouble, measurements, onEveryLayout, presentOf, sparseValues, vectorOf } from './series.ts'

it.each([
  [[], null],
  [[null], null],
  [[7], 0],
  [[null, 7, null], 0],
  // mean 2, deviations -1 and 1: (1 + 1) / 2
  [[1, 3], 1],
  // mean 5, deviations -3 -1 -1 -1 0 0 2 4: (9 + 1 + 1 + 1 + 4 + 16) / 8
  [[2, 4, 4, 4, 5, 5, 7, 9], 4],
  // mean 2, deviations -1 0 1: (1 + 0 + 1) / 3
  [[null, 1, null, 2, 3, null], 2 / 3],
])('of %j is %j', (values, expected) => {
  expect(onEveryLayout(values, variance)).toBe(expected)
})

it.each([2, 3, 10, 999])('of %d equal values is exactly 0', count => {
  for (const value of [0.1, 0.7, 1 / 3, 1e17 / 3])
    expect(variance(vectorOf(Array(count).fill(value)))).toBe(0)
})

it('keeps its digits far from zero', () => {
  // 0, 1, 2 above 2^52: variance 2/3, where the sum of squares less the squared mean has no digit left.
  const base = 2 ** 52
  expect(variance(vectorOf([base, base + 1, base + 2]))).toBe(2 / 3)
  // A mean that no double holds: 2^53 and 2^53 + 2, mean 2^53 + 2/3 of three values; variance 8/9.
  expect(agreeingDigits(variance(vectorOf([2 ** 53, 2 ** 53, 2 ** 53 + 2])), 8 / 9)).toBeGreaterThan(14.9)
})

it('sums the squares with compensation', () => {
  // Deviations of +-1 (mean exactly 0) beside two of +-2^28: the squares 1 vanish beside 2^56.
  const ones = Array.from({ length: 4096 }, (_, i) => (i % 4 < 2 ? 1 : -1))
  const values = [2 ** 28, -(2 ** 28), ...ones]
  expect(agreeingDigits(variance(vectorOf(values)), exactVariance(values))).toBeGreaterThan(14.9)
})

it('is the exact variance to 14 digits', () => {
  fc.assert(
    fc.property(measurements, values => {
      fc.pre(values.length > 0)
      expect(agreeingDigits(onEveryLayout(values, variance), exactVariance(values))).toBeGreaterThan(14)
    }),
  )
})

it('agrees with simple-statistics', () => {
  fc.assert(
    fc.property(sparseValues, values => {
      const present = presentOf(values)
      const ours = onEveryLayout(values, variance)
      if (present.length === 0) expect(ours).toBeNull()
      else expect(agreeingDigits(ours, simple.variance(present))).toBeGreaterThan(13)
    }),
  )
})

it('is never negative nor NaN, whatever the doubles', () => {
  fc.assert(
    fc.property(fc.array(anyDouble, { minLength: 1 }), values => {
      const result = variance(vectorOf(values))
      if (result !== null) expect(result).toBeGreaterThanOrEqual(0)
    }),
  )
})

it('is null where a value is no number or a square is beyond the doubles', () => {
  expect(variance(vectorOf([1, Number.NaN]))).toBeNull()
  expect(variance(vectorOf([1e200, -1e200]))).toBeNull()
})
