import fc from 'fast-check'
import { expect, it } from 'vitest'
import { simpleReturns } from '../../src/calculations/simple-returns.ts'
import { exactly } from './oracle.ts'
import { onEveryLayout, presentOf, sparsePrices } from './series.ts'

it.each([
  [[], []],
  [[null], []],
  [[100], []],
  [[null, 100, null], []],
  // Quotients of 1.1 and 0.9 in binary, less 1.
  [[100, 110], [1.1 - 1]],
  [[110, 99], [0.9 - 1]],
  // 100 to 110 is a tenth more, 110 to 55 half less, 55 to 55 no change
  [
    [null, 100, 110, null, 55, 55, null],
    [1.1 - 1, -0.5, 0],
  ],
])('of %j are %j', (prices, expected) => {
  expect(onEveryLayout(prices, vector => simpleReturns(vector).toJSON())).toEqual(expected)
})

it('are one fewer than the prices: the rounded quotient less 1', () => {
  fc.assert(
    fc.property(sparsePrices, prices => {
      const present = presentOf(prices)
      const returns = onEveryLayout(prices, vector => simpleReturns(vector).toJSON())
      expect(returns.length).toBe(Math.max(0, present.length - 1))
      returns.forEach((value, i) => {
        const quotient = exactly(present[i + 1] as number).div(exactly(present[i] as number))
        expect(value).toBe(quotient.toNumber() - 1)
      })
    }),
  )
})

it('are equal where they are on paper', () => {
  // Each is a tenth of a percent up or a quarter down; by differences first the doubles part.
  const up = [10, 10.01, 20, 20.02, 50, 50.05]
  const returns = onEveryLayout(up, vector => simpleReturns(vector).toJSON())
  expect(new Set([returns[0], returns[2], returns[4]]).size).toBe(1)
  expect(new Set([(10.01 - 10) / 10, (20.02 - 20) / 20, (50.05 - 50) / 50]).size).toBeGreaterThan(1)
})

it('hold a null where a price of 0 leaves no return', () => {
  // 5 to 0 is -1; from 0 there is no return, neither to 0 nor to 4; 4 to 8 is 1
  const returns = onEveryLayout([5, 0, 0, 4, 8], vector => simpleReturns(vector).toJSON())
  expect(returns).toEqual([-1, null, null, 1])
})

it('hold nulls at the right places beyond the first eight', () => {
  const prices = [1, 2, 4, 8, 16, 32, 64, 128, 256, 0, 3, 6]
  const returns = onEveryLayout(prices, vector => simpleReturns(vector).toJSON())
  expect(returns).toEqual([1, 1, 1, 1, 1, 1, 1, 1, -1, null, 1])
})
