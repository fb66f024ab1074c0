import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covariance } from '../../src/calculations/covariance.ts'
import { kendall } from '../../src/calculations/kendall.ts'
import { covarianceTriangle as covarianceSteps } from '../../src/calculations/lower-triangle.ts'
import { pearson } from '../../src/calculations/pearson.ts'
import { spearman } from '../../src/calculations/spearman.ts'
import { variance } from '../../src/calculations/variance.ts'
import { layouts, vectorOf } from './series.ts'
import { correlationTriangle, covarianceTriangle } from './to-the-end.ts'

const rows = (value: fc.Arbitrary<number | null>) =>
  fc.tuple(fc.nat(4), fc.nat(30)).chain(([count, length]) =>
    fc.array(fc.array(value, { minLength: length, maxLength: length }), {
      minLength: count,
      maxLength: count,
    }),
  )

const series = {
  'without nulls': rows(fc.integer({ min: -40, max: 40 }).map(part => part / 7)),
  'with nulls': rows(fc.option(fc.integer({ min: -40, max: 40 }), { freq: 6 })),
  'far from zero': rows(fc.integer({ min: -40, max: 40 }).map(part => 1e9 + part / 7)),
}

/** Each series in another memory layout. */
function vectorsOf(lists: readonly (number | null)[][]) {
  return lists.map((list, i) => (layouts(list)[i % 4] as [string, ReturnType<typeof vectorOf>])[1])
}

function expectClose(actual: number | null | undefined, expected: number | null, size: number): void {
  if (expected === null) expect(actual).toBeNull()
  else expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual(1e-13 * size)
}

describe('covarianceTriangle', () => {
  it('is the lower half with the diagonal', () => {
    // means 2 and 4: moments 2/3, 8/3; the third series is the first, falling
    const triangle = covarianceTriangle([vectorOf([1, 2, 3]), vectorOf([2, 4, 6]), vectorOf([3, 2, 1])])
    expect(triangle).toEqual([[2 / 3], [4 / 3, 8 / 3], [-2 / 3, -4 / 3, 2 / 3]])
  })

  it('is empty of no series, and null of series without values', () => {
    expect(covarianceTriangle([])).toEqual([])
    expect(covarianceTriangle([vectorOf([]), vectorOf([])])).toEqual([[null], [null, null]])
    expect(covarianceTriangle([vectorOf([null]), vectorOf([1])])).toEqual([[null], [null, 0]])
  })

  it('is exactly 0 with a constant series', () => {
    expect(covarianceTriangle([vectorOf([0.1, 0.1, 0.1]), vectorOf([1, 2, 4])])[0]).toEqual([0])
    expect(covarianceTriangle([vectorOf([0.1, 0.1, 0.1]), vectorOf([1, 2, 4])])[1]?.[0]).toBe(0)
  })

  it.each(Object.entries(series))('agrees with the kernels of the pairs: %s', (_, lists) => {
    fc.assert(
      fc.property(lists, values => {
        const vectors = vectorsOf(values)
        const triangle = covarianceTriangle(vectors)
        expect(triangle.map(row => row.length)).toEqual(values.map((_list, i) => i + 1))
        vectors.forEach((x, i) => {
          expect(triangle[i]?.[i]).toBe(variance(x))
          for (let j = 0; j < i; j++)
            expectClose(triangle[i]?.[j], covariance(x, vectors[j] as typeof x), 1000)
        })
        expect(vectors.map(vector => vector.toJSON())).toEqual(values)
      }),
    )
  })

  it('refuses series of different lengths', () => {
    expect(() => covarianceTriangle([vectorOf([1, 2]), vectorOf([1])])).toThrow(RangeError)
    expect(() => covarianceTriangle([vectorOf([1, null]), vectorOf([1])])).toThrow(RangeError)
  })
})

describe.each([
  ['PEARSON', pearson],
  ['KENDALL', kendall],
  ['SPEARMAN', spearman],
] as const)('correlationTriangle by %s', (method, kernel) => {
  it('has 1 on the diagonal, or null without variance', () => {
    const triangle = correlationTriangle(
      [vectorOf([1, 2, 4]), vectorOf([0.1, 0.1, 0.1]), vectorOf([4, 2, 1]), vectorOf([null, 5, null])],
      method,
    )
    expect(triangle.map((row, i) => row[i])).toEqual([1, null, 1, null])
    expect(triangle[1]).toEqual([null, null])
    expect(triangle[3]).toEqual([null, null, null, null])
  })

  it('is empty of no series, and null of series too short', () => {
    expect(correlationTriangle([], method)).toEqual([])
    expect(correlationTriangle([vectorOf([]), vectorOf([])], method)).toEqual([[null], [null, null]])
    expect(correlationTriangle([vectorOf([1]), vectorOf([2])], method)).toEqual([[null], [null, null]])
  })

  it('is exactly 1 between a series and its copy', () => {
    const values = [0.3, 0.1, 0.2, 0.7, 0.15, 0.31]
    expect(correlationTriangle([vectorOf(values), vectorOf(values)], method)).toEqual([[1], [1, 1]])
  })

  it.each(Object.entries(series))('agrees with the kernel of the pairs: %s', (_, lists) => {
    fc.assert(
      fc.property(lists, values => {
        const vectors = vectorsOf(values)
        const triangle = correlationTriangle(vectors, method)
        expect(triangle.map(row => row.length)).toEqual(values.map((_list, i) => i + 1))
        vectors.forEach((x, i) => {
          for (let j = 0; j <= i; j++) expectClose(triangle[i]?.[j], kernel(x, vectors[j] as typeof x), 1)
        })
        expect(vectors.map(vector => vector.toJSON())).toEqual(values)
      }),
    )
  })

  it('is null where a value is no number, and only there', () => {
    const triangle = correlationTriangle(
      [vectorOf([1, 2]), vectorOf([Number.NaN, 2]), vectorOf([3, 5])],
      method,
    )
    expect(triangle).toEqual([[1], [null, null], [1, null, 1]])
  })

  it('refuses series of different lengths', () => {
    expect(() => correlationTriangle([vectorOf([1, 2]), vectorOf([1])], method)).toThrow(RangeError)
  })
})

it('pause after each row, and within a row each time that 4,096 values were read', () => {
  const ofLength = (length: number) =>
    Array.from({ length: 4 }, (_, n) => vectorOf(Array.from({ length }, (_, i) => (i * (n + 2)) % 7)))
  // 4 rows; before their diagonals are 0, 1, 2 and 3 figures.
  expect([...covarianceSteps(ofLength(3))]).toHaveLength(4)
  expect([...covarianceSteps(ofLength(2048))]).toHaveLength(4 + 3)
  expect([...covarianceSteps(ofLength(5000))]).toHaveLength(4 + 6)
})
