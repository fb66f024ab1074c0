import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { spearman } from '../../src/calculations/spearman.ts'
import { countedRanks, exactly, exactPearson } from './oracle.ts'
import { anyDouble, onEveryLayoutPair, pairsOf, presentPairsOf, vectorOf } from './series.ts'

it.each([
  [[1, 2], [5, 9], 1],
  // any rising curve
  [[1, 2, 3, 4], [1, 10, 100, 1000], 1],
  [[1, 2, 3, 4], [9, 3, 2, -50], -1],
  // ranks 1 2 3 and 1 3 2: 1 - 6 (0 + 1 + 1) / (3 * 8)
  [[10, 20, 30], [1, 9, 4], 0.5],
  // ranks 1 2.5 2.5 4 and 1 3 2 4: co-moment 4.5, moments 4.5 and 5
  [[1, 2, 2, 4], [10, 30, 20, 40], 4.5 / Math.sqrt(22.5)],
  // ranked after the pairs with a null are skipped
  [[null, 10, 20, 5, 30], [7, 1, 9, null, 4], 0.5],
])('of %j and %j is %d', (xs, ys, expected) => {
  expect(onEveryLayoutPair(xs, ys, spearman)).toBe(expected)
})

it.each([
  [[], []],
  [[1], [2]],
  [
    [1, null],
    [2, 3],
  ],
  [
    [4, 4, 4],
    [1, 2, 3],
  ],
  [
    [1, 2, 3],
    [0.1, 0.1, 0.1],
  ],
  [
    [1, Number.NaN, 3],
    [1, 2, 3],
  ],
  [
    [1, 2, 3],
    [1, 2, Infinity],
  ],
])('of %j and %j is null', (xs, ys) => {
  expect(onEveryLayoutPair(xs, ys, spearman)).toBeNull()
})

it('is the exact coefficient of counted ranks, with ties and nulls', () => {
  fc.assert(
    fc.property(pairsOf(fc.option(fc.integer({ min: -6, max: 6 }), { freq: 8 })), ([xs, ys]) => {
      const pairs = presentPairsOf(xs, ys)
      const exact = exactPearson(countedRanks(pairs.map(p => p[0])), countedRanks(pairs.map(p => p[1])))
      const ours = onEveryLayoutPair(xs, ys, spearman)
      if (exact === null) expect(ours).toBeNull()
      else
        expect(
          exactly(ours as number)
            .minus(exact)
            .abs()
            .toNumber(),
        ).toBeLessThan(1e-14)
    }),
  )
})

it('agrees with simple-statistics where nothing is tied', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.integer(), fc.integer()), { minLength: 2, selector: p => p[0] }),
      pairs => {
        const xs = pairs.map(p => p[0])
        const ys = pairs.map(p => p[1])
        fc.pre(new Set(ys).size === ys.length)
        const ours = onEveryLayoutPair(xs, ys, spearman) as number
        expect(Math.abs(ours - simple.sampleRankCorrelation(xs, ys))).toBeLessThan(1e-12)
      },
    ),
  )
})

it('is exactly 1 of a series with itself', () => {
  fc.assert(
    fc.property(fc.array(anyDouble, { minLength: 2 }), values => {
      fc.pre(new Set(values).size > 1)
      expect(spearman(vectorOf(values), vectorOf(values))).toBe(1)
    }),
  )
})

it('refuses vectors of different lengths', () => {
  expect(() => spearman(vectorOf([1, 2]), vectorOf([1]))).toThrow(RangeError)
})
