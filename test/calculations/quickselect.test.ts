import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quickselect } from '../../src/calculations/quickselect.ts'
import { anyDouble } from './series.ts'

function check(values: readonly number[], k: number): void {
  const array = Float64Array.from(values)
  const sorted = values.toSorted((a, b) => a - b)
  const selected = quickselect(array, k)
  expect(selected).toEqual(sorted[k])
  expect(array[k]).toBe(selected)
  expect([...array].toSorted((a, b) => a - b)).toEqual(sorted)
  for (const before of array.subarray(0, k)) expect(before).toBeLessThanOrEqual(selected)
  for (const after of array.subarray(k + 1)) expect(after).toBeGreaterThanOrEqual(selected)
}

const placed = (value: fc.Arbitrary<number>) =>
  fc
    .array(value, { minLength: 1, maxLength: 100 })
    .chain(values => fc.tuple(fc.constant(values), fc.nat(values.length - 1)))

it('puts the k-th value in its place, and the others to its sides', () => {
  fc.assert(fc.property(placed(anyDouble.map(x => (x === 0 ? 0 : x))), ([values, k]) => check(values, k)))
})

it('does so among equal values', () => {
  fc.assert(fc.property(placed(fc.integer({ min: 0, max: 3 })), ([values, k]) => check(values, k)))
})

it('does so in orders that wear it out: sorted, reversed, and made against the median of three', () => {
  const n = 2000
  const half = n / 2
  // Musser's sequence: the median of three is the second smallest value again and again.
  const killer = Array.from({ length: n }, (_, i) => {
    if (i >= half) return 2 * (i - half + 1)
    return i % 2 === 0 ? i + 1 : half + i + (half % 2)
  })
  const orders = [Array.from({ length: n }, (_, i) => i), Array.from({ length: n }, (_, i) => n - i), killer]
  for (const order of orders) for (const k of [0, 1, half, n - 1]) check(order, k)
})
