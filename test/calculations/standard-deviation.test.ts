import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { standardDeviation } from '../../src/calculations/standard-deviation.ts'
import { agreeingDigits } from './oracle.ts'
import { onEveryLayout, presentOf, sparseValues, vectorOf } from './series.ts'

it.each([
  [[], null],
  [[null], null],
  [[7], 0],
  [[0.1, 0.1, 0.1], 0],
  [[1, 3], 1],
  // variance 4, as worked out for the variance
  [[2, 4, null, 4, 4, 5, 5, 7, 9], 2],
])('of %j is %j', (values, expected) => {
  expect(onEveryLayout(values, standardDeviation)).toBe(expected)
})

it('agrees with simple-statistics', () => {
  fc.assert(
    fc.property(sparseValues, values => {
      const present = presentOf(values)
      const ours = onEveryLayout(values, standardDeviation)
      if (present.length === 0) expect(ours).toBeNull()
      else expect(agreeingDigits(ours, simple.standardDeviation(present))).toBeGreaterThan(13)
    }),
  )
})

it('is null where the variance is', () => {
  expect(standardDeviation(vectorOf([1, Number.NaN]))).toBeNull()
})
