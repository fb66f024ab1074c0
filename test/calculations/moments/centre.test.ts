import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centre, isConstant } from '../../../src/calculations/moments/centre.ts'
import { exactMean } from '../oracle.ts'
import { measurements } from '../series.ts'

describe('isConstant', () => {
  it.each([[[]], [[3]], [[3, 3]], [[0.1, 0.1, 0.1]], [[0, -0]]])('%j is constant', values => {
    expect(isConstant(Float64Array.from(values))).toBe(true)
  })

  it.each([[[3, 4]], [[3, 3, 3, 3.0000000000000004]]])('%j is not', values => {
    expect(isConstant(Float64Array.from(values))).toBe(false)
  })
})

describe('centre', () => {
  it.each([1, 3, 7, 8, 10, 49, 1000])('is the value itself of %d equal values', count => {
    expect(centre(new Float64Array(count).fill(0.1))).toBe(0.1)
  })

  it('takes every value into account, whatever is left over from blocks of eight', () => {
    for (let n = 1; n <= 40; n++) {
      // 1 + 2 + ... + n, divided by n
      expect(centre(Float64Array.from({ length: n }, (_, i) => i + 1))).toBe((n + 1) / 2)
    }
  })

  it('is near the mean', () => {
    fc.assert(
      fc.property(measurements, values => {
        fc.pre(values.length > 0)
        const size = values.reduce((sum, value) => sum + Math.abs(value), 0)
        const error = exactMean(values)
          .minus(centre(Float64Array.from(values)))
          .abs()
        expect(error.toNumber()).toBeLessThanOrEqual(1e-13 * size)
      }),
    )
  })
})
