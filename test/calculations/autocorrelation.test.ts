import fc from 'fast-check'
import { expect, it } from 'vitest'
import { autocorrelation } from '../../src/calculations/autocorrelation.ts'
import { exactAutocorrelation, exactly } from './oracle.ts'
import { measurements, onEveryLayout, presentOf, sparseValues, vectorOf } from './series.ts'

const lagged = (lag: number) => (vector: ReturnType<typeof vectorOf>) => autocorrelation(vector, lag)

it.each([
  // mean 2.5, deviations -1.5 -0.5 0.5 1.5, squares 5; lag 1: 0.75 - 0.25 + 0.75; lag 2: -0.75 - 0.75
  [[1, 2, 3, 4], 1, 0.25],
  [[1, 2, 3, 4], 2, -0.3],
  [[1, 2, 3, 4], 3, -0.45],
  [[null, 1, 2, null, 3, 4, null], 1, 0.25],
  // mean 0: -1 -1 -1 over 4
  [[1, -1, 1, -1], 1, -0.75],
  // two points: deviations -0.5 and 0.5, -0.25 over 0.5
  [[1, 2], 1, -0.5],
])('of %j at lag %d is %d', (values, lag, expected) => {
  expect(onEveryLayout(values, lagged(lag))).toBe(expected)
})

it.each([
  [[], 1],
  [[1], 1],
  [[1, 2], 2],
  [[1, null, 2], 2],
  [[1, 2, 3], 1000],
  [[5, 5, 5, 5], 1],
  [Array(50).fill(0.1), 1],
  [Array(7).fill(1 / 3), 2],
])('of %j at lag %d is null', (values, lag) => {
  expect(onEveryLayout(values, lagged(lag))).toBeNull()
})

it('is the exact autocorrelation to 13 decimals', () => {
  fc.assert(
    fc.property(measurements, fc.integer({ min: 1, max: 20 }), (values, lag) => {
      const exact = exactAutocorrelation(values, lag)
      const ours = onEveryLayout(values, lagged(lag))
      if (exact === null) expect(ours).toBeNull()
      else
        expect(
          exactly(ours as number)
            .minus(exact)
            .abs()
            .toNumber(),
        ).toBeLessThan(1e-13)
    }),
  )
})

it('joins the neighbours of a null', () => {
  fc.assert(
    fc.property(sparseValues, fc.integer({ min: 1, max: 5 }), (values, lag) => {
      const dense = autocorrelation(vectorOf(presentOf(values)), lag)
      expect(onEveryLayout(values, lagged(lag))).toBe(dense)
    }),
  )
})

it('is null where a value is no number', () => {
  expect(autocorrelation(vectorOf([1, Number.NaN, 3]), 1)).toBeNull()
  expect(autocorrelation(vectorOf([1, Infinity, 3]), 1)).toBeNull()
})

it.each([0, -1, 1.5, Number.NaN])('refuses the lag %d', lag => {
  expect(() => autocorrelation(vectorOf([1, 2, 3]), lag)).toThrow(RangeError)
})
