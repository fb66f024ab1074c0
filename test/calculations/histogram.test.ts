import fc from 'fast-check'
import { expect, it } from 'vitest'
import { histogram } from '../../src/calculations/histogram.ts'
import { scannedCounts } from './oracle.ts'
import { measurements, onEveryLayout, presentOf, sparseValues, vectorOf } from './series.ts'

const binned = (bins: number) => (vector: ReturnType<typeof vectorOf>) => histogram(vector, bins)

it.each([
  // width 2: [0, 2) [2, 4) [4, 6) [6, 8) [8, 10]
  [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5, [2, 2, 2, 2, 3], [0, 2, 4, 6, 8, 10]],
  [[null, 1, null, 2, 4, null], 3, [1, 1, 1], [1, 2, 3, 4]],
  [[1, 2], 1, [2], [1, 2]],
  [[2, 1], 2, [1, 1], [1, 1.5, 2]],
  // The third edge is 3 * 0.1 / 5 = 0.06000000000000001, so 0.06 is in the bin before it; division puts
  // 0.02, 0.04 and 0.08 a bin too low and 0.06 a bin too high.
  [[0, 0.02, 0.04, 0.06, 0.08, 0.1], 5, [1, 1, 2, 0, 2], [0, 0.02, 0.04, 0.06000000000000001, 0.08, 0.1]],
])('of %j in %d bins is %j over %j', (values, bins, counts, edges) => {
  expect(onEveryLayout(values, binned(bins))).toEqual({ counts, edges })
})

it.each([
  [[3], 4, [0, 0, 1, 0], [2.5, 2.75, 3, 3.25, 3.5]],
  [[3, null, 3], 5, [0, 0, 2, 0, 0], [2.5, 2.7, 2.9, 3.1, 3.3, 3.5]],
  [[0, 0, 0], 1, [3], [-0.5, 0.5]],
])('of equal values %j in %d bins is %j over %j', (values, bins, counts, edges) => {
  const result = onEveryLayout(values, binned(bins))
  expect(result?.counts).toEqual(counts)
  expect(result?.edges.length).toBe(edges.length)
  for (const [i, edge] of (result?.edges ?? []).entries()) expect(edge).toBeCloseTo(edges[i] as number, 14)
  expect([result?.edges[0], result?.edges.at(-1)]).toEqual([edges[0], edges.at(-1)])
})

it('keeps equal values within their bin, whatever they are', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.integer({ min: 1, max: 1000 }),
      (value, bins) => {
        const { counts, edges } = histogram(vectorOf([value, value]), bins) as {
          counts: number[]
          edges: number[]
        }
        const bin = Math.floor(bins / 2)
        expect(counts).toEqual(Array.from({ length: bins }, (_, i) => (i === bin ? 2 : 0)))
        expect(edges[bin]).toBeLessThanOrEqual(value)
        expect(edges[bin + 1]).toBeGreaterThanOrEqual(value)
        expect([edges[0], edges[bins]]).toEqual([value - 0.5, value + 0.5])
      },
    ),
  )
})

it.each([[[]], [[null]], [[null, null]]])('of %j is null', values => {
  expect(onEveryLayout(values, binned(10))).toBeNull()
})

const bins = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1000 }))

function checkAgainstScan(values: readonly number[], count: number): void {
  const result = onEveryLayout(values, binned(count))
  if (result === null) throw new Error('a histogram is due')
  const [min, max] = [Math.min(...values), Math.max(...values)]
  expect(result.edges).toEqual(
    Array.from({ length: count + 1 }, (_, i) => (i === count ? max : min + (i * (max - min)) / count)),
  )
  expect(result.counts).toEqual(scannedCounts(values, result.edges))
  expect(result.counts.reduce((sum, n) => sum + n, 0)).toBe(values.length)
}

it('agrees with looking each value up among the edges', () => {
  fc.assert(
    fc.property(measurements, bins, (values, count) => {
      fc.pre(new Set(values).size > 1)
      checkAgainstScan(values, count)
    }),
  )
})

it('agrees so where the values are the edges themselves', () => {
  const steps = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 40 }))
  fc.assert(
    fc.property(steps, bins, ([divisor, top], count) => {
      checkAgainstScan(
        Array.from({ length: top + 1 }, (_, i) => i / divisor),
        count,
      )
    }),
  )
})

it('agrees so where a range of a few units in the last place is cut finer than doubles are', () => {
  checkAgainstScan([1, 1 + Number.EPSILON], 10)
  checkAgainstScan([1, 1 + Number.EPSILON, 1 + 2 * Number.EPSILON], 7)
  checkAgainstScan([-1 - 2 * Number.EPSILON, -1], 9)
  checkAgainstScan([0, Number.MIN_VALUE, 2 * Number.MIN_VALUE], 7)
})

it('counts what is present', () => {
  fc.assert(
    fc.property(sparseValues, values => {
      const present = presentOf(values)
      fc.pre(new Set(present).size > 1)
      expect(onEveryLayout(values, binned(6))).toEqual(histogram(vectorOf(present), 6))
    }),
  )
})

it('is null where a value is no number or the range is beyond the doubles', () => {
  expect(histogram(vectorOf([1, Number.NaN]), 3)).toBeNull()
  expect(histogram(vectorOf([1, Infinity]), 3)).toBeNull()
  expect(histogram(vectorOf([-Number.MAX_VALUE, Number.MAX_VALUE]), 3)).toBeNull()
})

it.each([0, -3, 2.5, Number.NaN])('refuses %d bins', count => {
  expect(() => histogram(vectorOf([1, 2]), count)).toThrow(RangeError)
})
