import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { covariance } from '../../src/calculations/covariance.ts'
import { variance } from '../../src/calculations/variance.ts'
import { agreeingDigits, exactCovariance, exactly, exactVariance } from './oracle.ts'
import { measurements, onEveryLayoutPair, pairsOf, presentPairsOf, vectorOf } from './series.ts'

it.each([
  [[], [], null],
  [[null, 1], [2, null], null],
  [[3], [4], 0],
  [[null, 3, 1], [2, 4, null], 0],
  // means 1.5 and 15: (-0.5 * -5 + 0.5 * 5) / 2
  [[1, 2], [10, 20], 2.5],
  // means 2 and 5, (-1)(1) + 0(-2) + 1(1) = 0
  [[1, 2, 3], [6, 3, 6], 0],
  // means 2.5 and 5: (-1.5)(3) + (-0.5)(1) + 0.5(-1) + 1.5(-3) = -10, by 4
  [[1, 2, 3, 4], [8, 6, 4, 2], -2.5],
  // the pairs (1, 8), (3, 4), means 2 and 6: (-1)(2) + (1)(-2), by 2
  [[1, null, 3, 9], [8, 5, 4, null], -2],
])('of %j and %j is %j', (xs, ys, expected) => {
  expect(onEveryLayoutPair(xs, ys, covariance)).toBe(expected)
})

it('is exactly 0 with a constant series', () => {
  const moving = [1, 5, 2, 8, 3.3, 0.1, 7]
  expect(covariance(vectorOf(Array(7).fill(0.1)), vectorOf(moving))).toBe(0)
  expect(covariance(vectorOf(moving), vectorOf(Array(7).fill(1 / 3)))).toBe(0)
})

it('of a series with itself is its variance', () => {
  fc.assert(
    fc.property(measurements, values => {
      fc.pre(values.length > 0)
      const vector = vectorOf(values)
      expect(agreeingDigits(covariance(vector, vector), exactVariance(values))).toBeGreaterThan(14)
      expect(agreeingDigits(covariance(vector, vector), variance(vector) as number)).toBeGreaterThan(14)
    }),
  )
})

it('keeps its digits far from zero', () => {
  const base = 2 ** 52
  expect(covariance(vectorOf([base, base + 1, base + 2]), vectorOf([base + 4, base + 2, base]))).toBe(-4 / 3)
  // Means that no double holds: 2^53 + 2/3 twice; (4/9 + 4/9 + 16/9) / 3 = 8/9
  const odd = vectorOf([2 ** 53, 2 ** 53, 2 ** 53 + 2])
  expect(agreeingDigits(covariance(odd, odd), 8 / 9)).toBeGreaterThan(14.9)
})

it('sums the products with compensation', () => {
  // Deviations of +-1 (mean exactly 0) beside two of +-2^28, in one order: their products 1 vanish beside 2^56.
  const ones = Array.from({ length: 4096 }, (_, i) => (i % 4 < 2 ? 1 : -1))
  const values = [2 ** 28, -(2 ** 28), ...ones]
  expect(
    agreeingDigits(covariance(vectorOf(values), vectorOf(values)), exactVariance(values)),
  ).toBeGreaterThan(14.9)
})

it('is the exact covariance, to the size of its terms', () => {
  fc.assert(
    fc.property(
      pairsOf(fc.integer({ min: -1e6, max: 1e6 })),
      fc.constantFrom(0, 1e6, 1e9),
      ([as, bs], offset) => {
        fc.pre(as.length > 0)
        const xs = as.map(a => offset + a / 1e4)
        const ys = bs.map(b => b / 1e4 - offset)
        const size = Math.sqrt(exactVariance(xs).times(exactVariance(ys)).toNumber())
        const error = exactly(onEveryLayoutPair(xs, ys, covariance) as number).minus(exactCovariance(xs, ys))
        expect(error.abs().toNumber()).toBeLessThanOrEqual(1e-14 * size)
      },
    ),
  )
})

it('agrees with simple-statistics, which divides by n - 1', () => {
  fc.assert(
    fc.property(pairsOf(fc.option(fc.integer({ min: -50, max: 50 }))), ([xs, ys]) => {
      const pairs = presentPairsOf(xs, ys)
      fc.pre(pairs.length > 1)
      const theirs = simple.sampleCovariance(
        pairs.map(pair => pair[0]),
        pairs.map(pair => pair[1]),
      )
      const ours = onEveryLayoutPair(xs, ys, covariance) as number
      expect(Math.abs(ours - (theirs * (pairs.length - 1)) / pairs.length)).toBeLessThan(1e-11)
    }),
  )
})

it('refuses vectors of different lengths', () => {
  expect(() => covariance(vectorOf([1, 2]), vectorOf([1]))).toThrow(RangeError)
})

it('is null where a value is no number', () => {
  expect(covariance(vectorOf([1, Number.NaN, 3]), vectorOf([1, 2, 4]))).toBeNull()
  expect(covariance(vectorOf([1, 2, 3]), vectorOf([1, 2, Infinity]))).toBeNull()
})
