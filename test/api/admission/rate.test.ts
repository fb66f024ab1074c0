import { expect, test } from 'vitest'
import { openRate } from '../../../src/api/admission/rate.ts'

test('permits as many requests at once as a second has, and then one after each part of it', () => {
  let now = 0
  const rate = openRate<object>(4, () => now)
  const [one, two] = [{}, {}]
  const take = (key: object) => rate?.take(key)
  expect([1, 2, 3, 4, 5].map(() => take(one))).toEqual([null, null, null, null, 0.25])
  expect(take(two)).toBeNull()
  now = 125
  expect(take(one)).toBeCloseTo(0.125, 10)
  now = 250
  expect([take(one), take(one)]).toEqual([null, 0.25])
  // However long it sends none, it has no more than a second of them.
  now = 100_000
  expect([1, 2, 3, 4, 5].map(() => take(one))).toEqual([null, null, null, null, 0.25])
})

test('there is none without a limit', () => {
  expect(openRate(0)).toBeNull()
})
