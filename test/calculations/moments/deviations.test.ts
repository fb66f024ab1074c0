import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deviations } from '../../../src/calculations/moments/deviations.ts'
import { exactly, exactMean } from '../oracle.ts'
import { measurements } from '../series.ts'

function of(...values: number[]): number[] {
  return [...deviations(Float64Array.from(values))]
}

it('are the distances from the mean', () => {
  expect(of()).toEqual([])
  expect(of(7)).toEqual([0])
  // mean 3
  expect(of(1, 2, 6)).toEqual([-2, -1, 3])
})

it('are exactly 0 of a constant series', () => {
  expect(of(...Array(10).fill(0.1))).toEqual(Array(10).fill(0))
})

it('hold to a mean that no double holds', () => {
  // 2^53, 2^53, 2^53 + 2: the mean is 2/3 above 2^53, between two doubles.
  const [a, b, c] = of(2 ** 53, 2 ** 53, 2 ** 53 + 2) as [number, number, number]
  expect(a).toBeCloseTo(-2 / 3, 15)
  expect(b).toBe(a)
  expect(c).toBeCloseTo(4 / 3, 15)
})

it('are exact to their own size', () => {
  fc.assert(
    fc.property(measurements, values => {
      fc.pre(values.length > 0)
      const mean = exactMean(values)
      const spread = values.reduce(
        (largest, value) => Math.max(largest, exactly(value).minus(mean).abs().toNumber()),
        0,
      )
      of(...values).forEach((d, i) => {
        const exact = exactly(values[i] as number).minus(mean)
        expect(exactly(d).minus(exact).abs().toNumber()).toBeLessThanOrEqual(1e-14 * spread)
      })
    }),
  )
})

it('leave the values as they were', () => {
  const values = Float64Array.of(1, 2, 6)
  deviations(values)
  expect([...values]).toEqual([1, 2, 6])
})
