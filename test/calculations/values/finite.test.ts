import { expect, it } from 'vitest'
import { everyFinite, finiteOrNull } from '../../../src/calculations/values/finite.ts'

it.each([0, -1.5, Number.MAX_VALUE, Number.MIN_VALUE])('%d is a result', value => {
  expect(finiteOrNull(value)).toBe(value)
})

it.each([Number.NaN, Infinity, -Infinity])('%d is no result', value => {
  expect(finiteOrNull(value)).toBeNull()
})

it('tells an array that is finite throughout', () => {
  expect(everyFinite(Float64Array.of(1, -2, 0))).toBe(true)
  expect(everyFinite(new Float64Array(0))).toBe(true)
  expect(everyFinite(Float64Array.of(1, 2, Number.NaN))).toBe(false)
  expect(everyFinite(Float64Array.of(-Infinity, 2))).toBe(false)
})
