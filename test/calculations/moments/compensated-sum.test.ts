import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compensatedSum } from '../../../src/calculations/moments/compensated-sum.ts'
import { exactly, exactSum } from '../oracle.ts'

function sum(...values: number[]): number {
  return compensatedSum(Float64Array.from(values))
}

it.each([
  [[], 0],
  [[5], 5],
  [[1, 2], 3],
  [[1, 2, 3], 6],
  [[1, 2, 3, 4, 5], 15],
])('%j sum up to %d', (values, expected) => {
  expect(sum(...values)).toBe(expected)
})

it('keeps what a larger number swallows for a while', () => {
  // Neumaier's example, on which Kahan's own algorithm answers 0; and the same within one of the two sums.
  expect(sum(1, 1e100, 1, -1e100)).toBe(2)
  expect(sum(1, 0, 1e100, 0, 1, 0, -1e100)).toBe(2)
  expect(sum(0, 1, 0, 1e100, 0, 1, 0, -1e100)).toBe(2)
  expect(sum(1e100, 1, -1e100)).toBe(1)
  expect(sum(1e100, -1e100, 1)).toBe(1)
  // Two halves of the last place, one lost in a sum and one when both sums are joined.
  expect(sum(2 ** 53, 1, 1, 0)).toBe(2 ** 53 + 2)
})

it('is right where a plain sum drifts', () => {
  // Ten thousand times the double 0.1, which is 5.55e-18 above a tenth: 1000.0000000000000555, so 1000.
  expect(compensatedSum(new Float64Array(10_000).fill(0.1))).toBe(1000)
})

it('is the exact sum within its bound', () => {
  const wild = fc.double({ noNaN: true, min: -1e200, max: 1e200 })
  fc.assert(
    fc.property(fc.array(wild, { maxLength: 80 }), values => {
      const exact = exactSum(values)
      const size = exactSum(values.map(Math.abs))
      const n = values.length
      const bound = exact
        .abs()
        .times(2 ** -53)
        .plus(size.times(4 * n * n).times(2 ** -106))
      const error = exactly(compensatedSum(Float64Array.from(values)))
        .minus(exact)
        .abs()
      expect(error.lessThanOrEqualTo(bound.plus(exactly(Number.MIN_VALUE)))).toBe(true)
    }),
  )
})

it('is no number where a value is none or the sum is beyond the doubles', () => {
  expect(sum(1, Number.NaN)).toBeNaN()
  expect(sum(Number.MAX_VALUE, 1, Number.MAX_VALUE)).toBeNaN()
})
