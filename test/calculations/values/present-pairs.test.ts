import fc from 'fast-check'
import { expect, it } from 'vitest'
import { presentPairs } from '../../../src/calculations/values/present-pairs.ts'
import { onEveryLayoutPair, pairsOf, presentPairsOf, vectorOf } from '../series.ts'

it('leaves out a pair with a null on either side', () => {
  // Kept are the positions 2 and 5: 0 and 3 lack x, 1 and 3 lack y, 4 lacks y.
  const xs = [null, 1, 2, null, 4, 5]
  const ys = [10, null, 12, null, null, 15]
  const pairs = onEveryLayoutPair(xs, ys, presentPairs)
  expect([...pairs.x]).toEqual([2, 5])
  expect([...pairs.y]).toEqual([12, 15])
})

it('keeps pairs together in every layout', () => {
  fc.assert(
    fc.property(pairsOf(fc.option(fc.integer({ min: -9, max: 9 }))), ([xs, ys]) => {
      const pairs = onEveryLayoutPair(xs, ys, presentPairs)
      expect([...pairs.x].map((x, i) => [x, pairs.y[i]])).toEqual(presentPairsOf(xs, ys))
    }),
  )
})

it('refuses vectors of different lengths', () => {
  expect(() => presentPairs(vectorOf([1, 2]), vectorOf([1]))).toThrow(RangeError)
})
