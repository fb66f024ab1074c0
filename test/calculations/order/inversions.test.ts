import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortCountingInversions } from '../../../src/calculations/order/inversions.ts'
import { countedInversions } from '../oracle.ts'

function check(values: readonly number[]): void {
  const array = Int32Array.from(values)
  expect(sortCountingInversions(array)).toBe(countedInversions(values))
  expect([...array]).toEqual(values.toSorted((a, b) => a - b))
}

it.each([
  [[], 0],
  [[1], 0],
  [[2, 1], 1],
  [[1, 1], 0],
  // 3 before 1 and 2
  [[3, 1, 2], 2],
  [[3, 2, 1], 3],
  // only the 2 before the 1: equal values are in order
  [[1, 2, 2, 1, 3], 2],
])('%j has %d', (values, expected) => {
  expect(sortCountingInversions(Int32Array.from(values))).toBe(expected)
})

it('agrees with comparing every pair, and sorts', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 120 }), check))
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 120 }), check))
})

it('takes any length around its runs', () => {
  for (let n = 0; n <= 140; n += 3) check(Array.from({ length: n }, (_, i) => (i * 37) % 41))
})

it('has room for more than 32 bits', () => {
  // All pairs of 100,000 descending values: 100,000 * 99,999 / 2.
  const descending = Int32Array.from({ length: 100_000 }, (_, i) => -i)
  expect(sortCountingInversions(descending)).toBe(4_999_950_000)
})
