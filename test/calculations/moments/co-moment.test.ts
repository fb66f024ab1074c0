import fc from 'fast-check'
import { expect, it } from 'vitest'
import { coMoment } from '../../../src/calculations/moments/co-moment.ts'
import { exactly } from '../oracle.ts'
import { pairsOf } from '../series.ts'

function of(a: number[], b: number[]): number {
  return coMoment(Float64Array.from(a), Float64Array.from(b))
}

it('is the sum of the products', () => {
  expect(of([], [])).toBe(0)
  expect(of([3], [4])).toBe(12)
  expect(of([1, 2], [3, 4])).toBe(11)
  // 4 + 10 + 18
  expect(of([1, 2, 3], [4, 5, 6])).toBe(32)
})

it('keeps small products beside large ones', () => {
  // Blocks of four ones vanish beside 2^57, where doubles are 32 apart.
  const ones = Array(9600).fill(1)
  expect(of([2 ** 56, 2 ** 56, ...ones], Array(9602).fill(1))).toBe(2 ** 57 + 9600)
})

it('is exact within the rounding of the products', () => {
  fc.assert(
    fc.property(pairsOf(fc.double({ noNaN: true, min: -1e6, max: 1e6 })), ([a, b]) => {
      const products = a.map((value, i) => exactly(value).times(exactly(b[i] as number)))
      const size = products.reduce((sum, product) => sum.plus(product.abs()), exactly(0))
      const exact = products.reduce((sum, product) => sum.plus(product), exactly(0))
      const error = exactly(of(a, b)).minus(exact).abs()
      expect(error.lessThanOrEqualTo(size.times(5e-16).plus(1e-300))).toBe(true)
    }),
  )
})
