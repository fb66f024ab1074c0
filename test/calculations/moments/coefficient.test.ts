import fc from 'fast-check'
import { expect, it } from 'vitest'
import { coefficient } from '../../../src/calculations/moments/coefficient.ts'

it('is the co-moment over the geometric mean of the moments', () => {
  // 3 over the root of 4 times 9
  expect(coefficient(3, 4, 9)).toBe(0.5)
  expect(coefficient(-3, 4, 9)).toBe(-0.5)
  expect(coefficient(0, 4, 9)).toBe(0)
})

it('is exactly 1 where all three are equal, however large or small', () => {
  const moment = fc.double({ noNaN: true, min: Number.MIN_VALUE, max: Number.MAX_VALUE })
  fc.assert(
    fc.property(moment, value => {
      expect(coefficient(value, value, value)).toBe(1)
      expect(coefficient(-value, value, value)).toBe(-1)
    }),
  )
})

it('accepts moments whose product overflows a double', () => {
  expect(coefficient(2e200, 1e200, 16e200)).toBeCloseTo(0.5, 14)
  expect(coefficient(2e-200, 1e-200, 16e-200)).toBeCloseTo(0.5, 14)
})

it('stays within -1 and 1', () => {
  expect(coefficient(1.0000000000000002, 1, 1)).toBe(1)
  expect(coefficient(-1.0000000000000002, 1, 1)).toBe(-1)
})

it('is null without variance on either side, and of no numbers', () => {
  expect(coefficient(0, 0, 1)).toBeNull()
  expect(coefficient(0, 1, 0)).toBeNull()
  expect(coefficient(Number.NaN, 1, 1)).toBeNull()
  expect(coefficient(1, Number.NaN, 1)).toBeNull()
  expect(coefficient(1, 1, Number.NaN)).toBeNull()
  expect(coefficient(1, Infinity, Infinity)).toBeNull()
})
