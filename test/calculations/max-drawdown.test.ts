import fc from 'fast-check'
import { expect, it } from 'vitest'
import { maxDrawdown } from '../../src/calculations/max-drawdown.ts'
import { pairwiseDrawdown } from './oracle.ts'
import { onEveryLayout, sparsePrices, vectorOf } from './series.ts'

it.each([
  // 120 to 90 is a quarter, 130 to 104 a fifth
  [[100, 120, 90, 130, 104, 143], { depth: -0.25, peak: 1, trough: 2 }],
  // 8 to 4 is a half, though 10 to 6 is a longer way down
  [[8, 4, 10, 6], { depth: -0.5, peak: 0, trough: 1 }],
  // the deepest fall goes on over a rally: 10 to 2, not 6 to 2
  [[10, 5, 6, 2, 9], { depth: -0.8, peak: 0, trough: 3 }],
  // two equal falls: the first; a trough reached twice: its first time
  [[100, 50, 100, 50], { depth: -0.5, peak: 0, trough: 1 }],
  [[100, 50, 50], { depth: -0.5, peak: 0, trough: 1 }],
  // a peak that is reached again: its first time, also when the fall comes after the second
  [[100, 100, 50], { depth: -0.5, peak: 0, trough: 2 }],
  [[100, 90, 100, 80], { depth: -0.2, peak: 0, trough: 3 }],
  // indices count the nulls
  [[null, 8, null, 4, null], { depth: -0.5, peak: 1, trough: 3 }],
  [[null, null, 3, 10, null, null, 5, 9, null], { depth: -0.5, peak: 3, trough: 6 }],
  [[2, 0], { depth: -1, peak: 0, trough: 1 }],
])('of %j is %j', (prices, expected) => {
  expect(onEveryLayout(prices, maxDrawdown)).toEqual(expected)
})

it.each([[[5]], [[null, 5, null]], [[1, 2]], [[5, 5, 5]], [[1, 2, 2, 3]]])('of %j is no fall', prices => {
  expect(onEveryLayout(prices, maxDrawdown)).toEqual({ depth: 0, peak: null, trough: null })
})

it.each([[[]], [[null]], [[null, null]]])('of %j is null', prices => {
  expect(onEveryLayout(prices, maxDrawdown)).toBeNull()
})

it('takes the first of falls that are equal on paper', () => {
  // A tenth, twice: as doubles (9 - 10) / 10 is the deeper one.
  const drawdown = onEveryLayout([8, 7.2, 10, 9], maxDrawdown)
  expect(drawdown?.depth).toBeCloseTo(-0.1, 15)
  expect([drawdown?.peak, drawdown?.trough]).toEqual([0, 1])
})

it('agrees with trying every pair of prices', () => {
  fc.assert(
    fc.property(sparsePrices, prices => {
      const positions = prices.flatMap((price, i) => (price === null ? [] : [i]))
      const deepest = pairwiseDrawdown(positions.map(i => prices[i] as number))
      const ours = onEveryLayout(prices, maxDrawdown)
      if (positions.length === 0) expect(ours).toBeNull()
      else if (deepest === null) expect(ours).toEqual({ depth: 0, peak: null, trough: null })
      else {
        const { depth, peak, trough } = deepest
        expect(ours).toEqual({ depth, peak: positions[peak], trough: positions[trough] })
      }
    }),
  )
})

it('is null where a price is no number, or falls from 0', () => {
  expect(maxDrawdown(vectorOf([2, Number.NaN, 1]))).toBeNull()
  expect(maxDrawdown(vectorOf([Infinity, 1]))).toBeNull()
  expect(maxDrawdown(vectorOf([0, -1]))).toBeNull()
})
