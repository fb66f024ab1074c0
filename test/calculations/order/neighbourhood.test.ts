import fc from 'fast-check'
import { expect, it } from 'vitest'
import { neighbourhood } from '../../../src/calculations/order/neighbourhood.ts'

const n = 1000
const indices = [0, 1, 250, 499, 500, 501, 998, 999]

/** What it answers, if it does, must be a stretch of the sorted values that spans the index. */
function check(values: readonly number[], index: number): boolean {
  const array = Float64Array.from(values)
  const found = neighbourhood(array, index)
  expect([...array]).toEqual(values)
  if (found === null) return false
  const sorted = Float64Array.from(values).sort()
  expect(found.below).toBeLessThanOrEqual(index)
  expect(found.below + found.near.length).toBeGreaterThan(index)
  expect([...found.near.sort()]).toEqual([...sorted.subarray(found.below, found.below + found.near.length)])
  return true
}

it('returns few values around the middle', () => {
  const returns = Array.from({ length: n }, (_, i) => Math.sin(i * 12.9898) * Math.cos(i * 78.233) * 0.02)
  expect(check(returns, 500)).toBe(true)
  expect(neighbourhood(Float64Array.from(returns), 500)?.near.length).toBeLessThan(50)
})

it('is right wherever it answers', () => {
  const value = fc.oneof(
    fc.integer({ min: -100, max: 100 }),
    fc.double({ noNaN: true, min: -1, max: 1 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  fc.assert(
    fc.property(fc.array(value, { minLength: 128, maxLength: 400 }), fc.nat(), (values, number) => {
      check(values, number % values.length)
    }),
  )
})

it('is not misled by outliers, whose places run over 32 bits', () => {
  for (const outlier of [1e4, 1e9, 2 ** 33, 1e200, -1e9, -1e200]) {
    // The sample does not see position 3.
    const values = Array.from({ length: n }, (_, i) => (i === 3 ? outlier : ((i * 7919) % 1009) / 1009))
    for (const index of indices) check(values, index)
    expect(check(values, 500)).toBe(true)
  }
})

it('takes no outlier for a near value because 32 bits of its place agree', () => {
  // The sample, every tenth value, spans 0 to 1; the buckets so span -0.25 to 1.25 in 512 parts.
  const near = Array.from({ length: 640 }, (_, i) => (i % 10 === 0 ? i / 630 : 0.4 + ((i * 37) % 201) / 1000))
  for (let bucket = 220; bucket <= 290; bucket++) {
    const outlier = -0.25 + ((2 ** 32 + bucket + 0.5) * 1.5) / 512
    // In each of a block's four positions.
    for (const at of [4, 5, 6, 7]) check([...near.slice(0, at), outlier, ...near.slice(at + 1)], 320)
  }
})

it('returns nothing if it would not help', () => {
  const few = Float64Array.from({ length: 127 }, (_, i) => i)
  expect(neighbourhood(few, 63)).toBeNull()
  expect(neighbourhood(new Float64Array(n).fill(0.1), 500)).toBeNull()
  const oneOutside = Array.from({ length: n }, (_, i) => (i === 3 ? 1e9 : i % 10))
  expect(neighbourhood(Float64Array.from(oneOutside), n - 1)).toBeNull()
})

it('returns nothing if a value is not finite', () => {
  for (const bad of [Number.NaN, Infinity, -Infinity]) {
    for (const position of [0, 3, 500, 999]) {
      const values = Float64Array.from({ length: n }, (_, i) => (i === position ? bad : i))
      expect(neighbourhood(values, 500)).toBeNull()
    }
    const ending = Float64Array.from({ length: 130 }, (_, i) => (i === 129 ? bad : i))
    expect(neighbourhood(ending, 65)).toBeNull()
  }
})
