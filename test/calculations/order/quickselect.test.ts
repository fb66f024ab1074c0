import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quickselect } from '../../../src/calculations/order/quickselect.ts'
import { anyDouble } from '../series.ts'

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

it('does so in orders that wear it out, within the rounds that it allows itself', () => {
  const n = 2000
  const rising = Array.from({ length: n }, (_, i) => i)
  // Up and down again: the median of the first, the middle and the last value is nearly the least, every time.
  const pipes = rising.map(i => Math.min(i, n - 1 - i))
  for (const order of [rising, rising.toReversed(), pipes, pipes.map(value => -value)]) {
    for (const k of [0, 1, n / 2, n - 2, n - 1]) check(order, k)
  }
})
