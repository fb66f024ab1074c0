import fc from 'fast-check'
import { expect, test } from 'vitest'
import { halfEven } from '../../src/market/half-even.ts'
import { randomRuns } from '../fixtures/tier.ts'

test.each([
  // 1 / 2048 and 3 / 2048 are exactly 0.00048828125 and 0.00146484375.
  [1 / 2048, 10, 0.0004882812],
  [3 / 2048, 10, 0.0014648438],
  [-1 / 2048, 10, -0.0004882812],
  [-3 / 2048, 10, -0.0014648438],
  [0.5, 0, 0],
  [1.5, 0, 2],
  [2.5, 0, 2],
  [0.125, 2, 0.12],
  [0.375, 2, 0.38],
  // The double is 1.00499999999999989…
  [1.005, 2, 1],
  [0.2, 10, 0.2],
  [0, 10, 0],
])('%d at %d places is %d', (x, places, expected) => {
  expect(halfEven(x, places) + 0).toBe(expected)
})

/** The nearest multiple of 10^-places to `units` · 2^-exponent, half to even, with integers alone. */
function exactly(units: bigint, exponent: number, places: number): number {
  const [top, bottom] = [(units < 0n ? -units : units) * 10n ** BigInt(places), 2n ** BigInt(exponent)]
  const [floor, twice] = [top / bottom, 2n * (top % bottom)]
  const nearest = twice > bottom || (twice === bottom && floor % 2n === 1n) ? floor + 1n : floor
  const digits = String(nearest).padStart(places + 1, '0')
  const text = `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`
  return units < 0n ? -Number(text) : Number(text)
}

test('random doubles, many of them half-way, are rounded as exact arithmetic does', () => {
  const doubles = fc.record({
    units: fc.bigInt(-(2n ** 52n), 2n ** 52n),
    exponent: fc.integer({ min: 0, max: 60 }),
    places: fc.integer({ min: 0, max: 12 }),
  })
  const halves = fc
    .record({ odd: fc.bigInt(-(2n ** 30n), 2n ** 30n), places: fc.integer({ min: 0, max: 12 }) })
    .map(({ odd, places }) => ({ units: 2n * odd + 1n, exponent: places + 1, places }))
  fc.assert(
    fc.property(fc.oneof(doubles, halves), ({ units, exponent, places }) => {
      expect(halfEven(Number(units) / 2 ** exponent, places) + 0).toBe(exactly(units, exponent, places) + 0)
    }),
    { numRuns: randomRuns(1000) },
  )
})
