import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { pearson } from '../../src/calculations/pearson.ts'
import { agreeingDigits, exactly, exactPearson } from './oracle.ts'
import { anyDouble, measurements, onEveryLayoutPair, pairsOf, presentPairsOf, vectorOf } from './series.ts'

it.each([
  [[1, 2], [10, 20], 1],
  [[1, 2], [20, 10], -1],
  // a triangle over a line: co-moment 0
  [[1, 2, 3], [6, 3, 6], 0],
  // means 2 and 2: co-moment (-1)(-1) + 0(1) + 1(0) = 1, moments 2 and 2
  [[1, 2, 3], [1, 3, 2], 0.5],
  // the same with pairs to skip at the start, in between and at the end
  [[null, 1, 7, 2, 3, 9], [4, 1, null, 3, 2, null], 0.5],
])('of %j and %j is %d', (xs, ys, expected) => {
  expect(onEveryLayoutPair(xs, ys, pearson)).toBe(expected)
})

it.each([
  [[], []],
  [[1], [2]],
  [
    [1, null, 3],
    [null, 2, 3],
  ],
  [
    [1, 2],
    [3, 3],
  ],
  [
    [5, 5, 5],
    [1, 2, 3],
  ],
  [Array(30).fill(0.1), Array.from({ length: 30 }, (_, i) => i)],
  [Array.from({ length: 30 }, (_, i) => i), Array(30).fill(1 / 3)],
])('of %j and %j is null', (xs, ys) => {
  expect(onEveryLayoutPair(xs, ys, pearson)).toBeNull()
})

it('is exactly 1 of a series with itself and -1 with its negative', () => {
  fc.assert(
    fc.property(measurements, values => {
      fc.pre(new Set(values).size > 1)
      expect(onEveryLayoutPair(values, values, pearson)).toBe(1)
      const negative = values.map(value => -value)
      expect(onEveryLayoutPair(values, negative, pearson)).toBe(-1)
    }),
  )
})

it('is the exact coefficient to 13 decimals', () => {
  fc.assert(
    fc.property(
      pairsOf(fc.integer({ min: -1e6, max: 1e6 })),
      fc.constantFrom(0, 1e6, 1e9),
      ([as, bs], offset) => {
        const xs = as.map(a => offset + a / 1e4)
        const ys = bs.map((b, i) => b / 1e4 + (as[i] as number) - offset)
        const exact = exactPearson(xs, ys)
        const ours = onEveryLayoutPair(xs, ys, pearson)
        if (exact === null) expect(ours).toBeNull()
        else
          expect(
            exactly(ours as number)
              .minus(exact)
              .abs()
              .toNumber(),
          ).toBeLessThan(1e-13)
      },
    ),
  )
})

it('holds to means that no double holds', () => {
  // Means 2^53 + 2/3; deviations -2/3 -2/3 4/3 and -2/3 4/3 -2/3: co-moment -12/9, moments 24/9.
  const base = 2 ** 53
  const r = pearson(vectorOf([base, base, base + 2]), vectorOf([base, base + 2, base]))
  expect(r).toBeCloseTo(-0.5, 14)
})

it('sums with compensation', () => {
  // As for the covariance; here the small deviations oppose each other, by half and half.
  const ones = Array.from({ length: 4096 }, (_, i) => (i % 4 < 2 ? 1 : -1))
  const xs = [2 ** 28, -(2 ** 28), ...ones]
  const ys = [2 ** 28, -(2 ** 28), ...ones.map((one, i) => (i % 8 < 4 ? one : -one))]
  const exact = exactPearson(xs, ys)
  if (exact === null) throw new Error('there is variance')
  expect(agreeingDigits(pearson(vectorOf(xs), vectorOf(ys)), exact)).toBeGreaterThan(14.9)
  expect(agreeingDigits(pearson(vectorOf(ys), vectorOf(xs)), exact)).toBeGreaterThan(14.9)
})

it('agrees with simple-statistics', () => {
  fc.assert(
    fc.property(pairsOf(fc.option(fc.integer({ min: -50, max: 50 }))), ([xs, ys]) => {
      const pairs = presentPairsOf(xs, ys)
      const [x, y] = [pairs.map(pair => pair[0]), pairs.map(pair => pair[1])]
      fc.pre(new Set(x).size > 1 && new Set(y).size > 1)
      const ours = onEveryLayoutPair(xs, ys, pearson) as number
      expect(Math.abs(ours - simple.sampleCorrelation(x, y))).toBeLessThan(1e-12)
    }),
  )
})

it('is null or within -1 and 1, whatever the doubles', () => {
  fc.assert(
    fc.property(pairsOf(anyDouble), ([xs, ys]) => {
      const result = pearson(vectorOf(xs), vectorOf(ys))
      if (result !== null) expect(Math.abs(result)).toBeLessThanOrEqual(1)
    }),
  )
})

it('is null where a value is no number', () => {
  expect(pearson(vectorOf([1, Number.NaN, 3]), vectorOf([1, 2, 4]))).toBeNull()
  expect(pearson(vectorOf([1, 2, 3]), vectorOf([1, 2, Infinity]))).toBeNull()
})

it('refuses vectors of different lengths', () => {
  expect(() => pearson(vectorOf([1, 2]), vectorOf([1]))).toThrow(RangeError)
})
