import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { mean } from '../../src/calculations/mean.ts'
import { agreeingDigits, exactly, exactMean } from './oracle.ts'
import { measurements, onEveryLayout, presentOf, sparseValues, vectorOf } from './series.ts'

it.each([
  [[], null],
  [[null], null],
  [[4], 4],
  [[1, 2], 1.5],
  [[null, 1, null, 2, 6, null], 3],
  [[-1, 1], 0],
])('of %j is %j', (values, expected) => {
  expect(onEveryLayout(values, mean)).toBe(expected)
})

it.each([2, 3, 7, 100, 1001])('of %d equal values is that value', count => {
  for (const value of [0.1, 0.7, 1 / 3, -1e-300]) expect(mean(vectorOf(Array(count).fill(value)))).toBe(value)
})

it('loses nothing beside a larger number', () => {
  expect(mean(vectorOf([1e16, 1, 1, -1e16]))).toBe(0.5)
})

it('is the exact mean to the last digits', () => {
  fc.assert(
    fc.property(measurements, values => {
      fc.pre(values.length > 0)
      const exact = exactMean(values)
      const error = exactly(onEveryLayout(values, mean) as number)
        .minus(exact)
        .abs()
      // Two roundings: that of the sum and that of the division.
      expect(error.lessThanOrEqualTo(exact.abs().times(2.5e-16).plus(1e-25))).toBe(true)
    }),
  )
})

it('agrees with simple-statistics', () => {
  fc.assert(
    fc.property(sparseValues, values => {
      const present = presentOf(values)
      const ours = onEveryLayout(values, mean)
      if (present.length === 0) expect(ours).toBeNull()
      else expect(agreeingDigits(ours, simple.mean(present))).toBeGreaterThan(14.9)
    }),
  )
})

it('is null where a value is no number or the sum is beyond the doubles', () => {
  expect(mean(vectorOf([1, Number.NaN]))).toBeNull()
  expect(mean(vectorOf([Number.NaN]))).toBeNull()
  expect(mean(vectorOf([1, Infinity]))).toBeNull()
  expect(mean(vectorOf([Number.MAX_VALUE, 1, Number.MAX_VALUE]))).toBeNull()
})
