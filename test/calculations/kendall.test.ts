import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kendall } from '../../src/calculations/kendall.ts'
import { pairwiseKendall } from './oracle.ts'
import { anyDouble, onEveryLayoutPair, pairsOf, presentPairsOf, vectorOf } from './series.ts'

it.each([
  [[1, 2], [5, 9], 1],
  [[1, 2], [9, 5], -1],
  // of 3 pairs two are ordered alike, one oppositely
  [[1, 2, 3], [1, 3, 2], 1 / 3],
  // (1,1) (2,3) (2,2) (3,2): alike 3, opposite 1 (the 2nd with the 4th), tied in x 1, in y 1: 2 / sqrt(5 * 5)
  [[1, 2, 2, 3], [1, 3, 2, 2], 0.4],
  // (1,1) (1,1) (2,2): one pair tied in both, two alike: 2 / sqrt(2 * 2)
  [[1, 1, 2], [1, 1, 2], 1],
  // (1,2) (1,1) (2,1): tied in x, opposite, tied in y: -1 / sqrt(2 * 2)
  [[1, 1, 2], [2, 1, 1], -0.5],
  [[null, 1, 2, 5, 3], [0, 1, 3, null, 2], 1 / 3],
])('of %j and %j is %d', (xs, ys, expected) => {
  expect(onEveryLayoutPair(xs, ys, kendall)).toBe(expected)
})

it('is that of the example in the literature', () => {
  // M. G. Kendall, Rank Correlation Methods: ten boys ranked in mathematics and music, 33 pairs alike and 12 not.
  const music = [5, 7, 9, 3, 8, 6, 4, 10, 1, 2].map(rank => 11 - rank)
  const mathematics = [7, 4, 3, 10, 6, 2, 9, 8, 1, 5]
  expect(kendall(vectorOf(mathematics), vectorOf(music))).toBe(pairwiseKendall(mathematics, music))
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
    [1, 2, -Infinity],
  ],
])('of %j and %j is null', (xs, ys) => {
  expect(onEveryLayoutPair(xs, ys, kendall)).toBeNull()
})

it.each([
  ['many ties', fc.option(fc.integer({ min: 0, max: 3 }), { freq: 9 })],
  ['some ties', fc.option(fc.integer({ min: -30, max: 30 }), { freq: 9 })],
  ['hardly any ties', fc.option(fc.integer(), { freq: 9 })],
])('agrees with comparing every pair of points: %s', (_, value) => {
  fc.assert(
    fc.property(pairsOf<number | null>(value, 90), ([xs, ys]) => {
      const pairs = presentPairsOf(xs, ys)
      const slow = pairwiseKendall(
        pairs.map(p => p[0]),
        pairs.map(p => p[1]),
      )
      const ours = onEveryLayoutPair(xs, ys, kendall)
      if (slow === null) expect(ours).toBeNull()
      else expect(ours).toBeCloseTo(slow, 14)
    }),
  )
})

it('is the same with the series exchanged, and exactly 1 of a series with itself', () => {
  fc.assert(
    fc.property(pairsOf(anyDouble), ([xs, ys]) => {
      const [x, y] = [vectorOf(xs), vectorOf(ys)]
      expect(kendall(x, y)).toBe(kendall(y, x))
      if (new Set(xs).size > 1) expect(kendall(x, x)).toBe(1)
    }),
  )
})

it('counts pairs beyond 32 bits', () => {
  const n = 70_000
  const rising = vectorOf(Array.from({ length: n }, (_, i) => i))
  const falling = vectorOf(Array.from({ length: n }, (_, i) => -i))
  expect(kendall(rising, falling)).toBe(-1)
})

it('refuses vectors of different lengths', () => {
  expect(() => kendall(vectorOf([1, 2]), vectorOf([1]))).toThrow(RangeError)
})
