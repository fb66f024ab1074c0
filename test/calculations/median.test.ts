import fc from 'fast-check'
import * as simple from 'simple-statistics'
import { expect, it } from 'vitest'
import { median } from '../../src/calculations/median.ts'
import { agreeingDigits, sortedMedian } from './oracle.ts'
import { anyDouble, onEveryLayout, presentOf, sparseValues, tiedValues, vectorOf } from './series.ts'

it.each([
  [[], null],
  [[null, null], null],
  [[4], 4],
  [[1, 2], 1.5],
  [[3, 1, 2], 2],
  [[null, 9, 1, null, 5, 7, null], 6],
  [[2, 2, 2, 2], 2],
  [[-0, 0, -0], 0],
  [[0, -0, 0, -0], 0],
  [[-0, -0], 0],
])('of %j is %j', (values, expected) => {
  expect(onEveryLayout(values, median)).toBe(expected)
})

it('agrees with sorting, on any doubles', () => {
  fc.assert(
    fc.property(
      fc.array(
        anyDouble.filter(x => Math.abs(x) < 1e300),
        { maxLength: 300 },
      ),
      values => {
        expect(onEveryLayout(values, median)).toEqual(sortedMedian(values))
      },
    ),
  )
})

it('agrees with sorting where values repeat', () => {
  fc.assert(
    fc.property(tiedValues, values => {
      expect(onEveryLayout(values, median)).toEqual(sortedMedian(values))
    }),
  )
})

it('agrees with simple-statistics', () => {
  fc.assert(
    fc.property(sparseValues, values => {
      const present = presentOf(values)
      const ours = onEveryLayout(values, median)
      if (present.length === 0) expect(ours).toBeNull()
      else expect(agreeingDigits(ours, simple.median(present))).toBeGreaterThan(14.9)
    }),
  )
})

it('agrees with sorting on long series, however they are distributed', () => {
  const lengths = [127, 128, 129, 500, 1001]
  const shapes: [string, (i: number, n: number) => number][] = [
    ['even', i => (i * 7919) % 1009],
    ['peaked', i => Math.sin(i * 12.9898) ** 9],
    ['one outlier', (i, n) => (i === 3 ? 1e12 : Math.cos(i * 78.233) * n)],
    ['two heaps', i => (i % 2 === 0 ? 1 : 2) + Math.sin(i) * 1e-9],
    ['one lonely value between two heaps', (i, n) => (i === n - 1 ? 5 : i % 2 === 0 ? 0 : 10)],
    ['subnormal steps', i => ((i * 31) % 17) * Number.MIN_VALUE],
    ['almost constant', i => (i === 5 ? 1.0000000000000002 : 1)],
    ['nearly all doubles', (i, n) => (i / n - 0.5) * Number.MAX_VALUE * 1.9],
    ['signed zeros', i => (i % 3 === 0 ? -0 : 0)],
  ]
  for (const n of lengths) {
    for (const [name, shape] of shapes) {
      const values = Array.from({ length: n }, (_, i) => shape(i, n))
      expect(onEveryLayout(values, median), `${name}, ${n}`).toEqual(sortedMedian(values))
    }
  }
})

it('takes the mean of two middle values that add up beyond the doubles', () => {
  expect(median(vectorOf([Number.MAX_VALUE, Number.MAX_VALUE]))).toBe(Number.MAX_VALUE)
})

it('is null where a value is no number, on short and on long series', () => {
  expect(median(vectorOf([1, Number.NaN, 3]))).toBeNull()
  expect(median(vectorOf([1, 2, Infinity]))).toBeNull()
  expect(median(vectorOf(Array.from({ length: 200 }, (_, i) => (i === 150 ? Number.NaN : i))))).toBeNull()
})
