import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ascendingOrder } from '../../../src/calculations/order/ascending-order.ts'
import { anyDouble } from '../series.ts'

function check(values: readonly number[]): void {
  const array = Float64Array.from(values)
  // JavaScript's own sort is stable.
  const expected = values.map((_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number))
  expect([...ascendingOrder(array)]).toEqual(expected)
  expect([...array]).toEqual(values)
}

it('orders by value, equal ones as they came', () => {
  expect([...ascendingOrder(Float64Array.of(30, 10, 20, 10))]).toEqual([1, 3, 2, 0])
  expect([...ascendingOrder(new Float64Array(0))]).toEqual([])
  expect([...ascendingOrder(Float64Array.of(5))]).toEqual([0])
})

it('agrees with a stable sort', () => {
  const moderate = anyDouble.filter(value => Math.abs(value) < 1e300)
  fc.assert(fc.property(fc.array(moderate, { maxLength: 100 }), check))
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 100 }), check))
})

it('takes any length around its runs', () => {
  for (let n = 0; n <= 70; n++) check(Array.from({ length: n }, (_, i) => (i * 37) % 11))
})
