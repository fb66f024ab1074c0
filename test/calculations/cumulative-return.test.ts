import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cumulativeReturn } from '../../src/calculations/cumulative-return.ts'
import { exactly } from './oracle.ts'
import { onEveryLayout, presentOf, sparsePrices, vectorOf } from './series.ts'

it.each([
  [[], null],
  [[null, null], null],
  [[100], 0],
  [[null, 100, null], 0],
  [[100, 100], 0],
  [[100, 50], -0.5],
  // from 80 to 100, whatever is between: a quarter more
  [[null, 80, 300, null, 1, 100, null], 0.25],
  [[0, 5], null],
  [[5, 0], -1],
])('of %j is %j', (prices, expected) => {
  expect(onEveryLayout(prices, cumulativeReturn)).toBe(expected)
})

it('is the last price over the first, less 1', () => {
  fc.assert(
    fc.property(sparsePrices, prices => {
      const present = presentOf(prices)
      fc.pre(present.length > 0)
      const exact = exactly(present.at(-1) as number)
        .div(exactly(present[0] as number))
        .minus(1)
      const error = exactly(onEveryLayout(prices, cumulativeReturn) as number)
        .minus(exact)
        .abs()
      expect(error.lessThanOrEqualTo(exact.abs().times(2.3e-16))).toBe(true)
    }),
  )
})

it('is null where an end is no number', () => {
  expect(cumulativeReturn(vectorOf([Number.NaN, 1]))).toBeNull()
  expect(cumulativeReturn(vectorOf([1, 2, Number.NaN]))).toBeNull()
})
