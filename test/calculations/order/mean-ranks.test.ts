import fc from 'fast-check'
import { expect, it } from 'vitest'
import { meanRanks } from '../../../src/calculations/order/mean-ranks.ts'
import { countedRanks } from '../oracle.ts'
import { measurements, tiedValues } from '../series.ts'

it.each([
  [[], []],
  [[9], [1]],
  [
    [30, 10, 20],
    [3, 1, 2],
  ],
  // the two 20s share the places 2 and 3
  [
    [20, 10, 20, 40],
    [2.5, 1, 2.5, 4],
  ],
  // places 1 to 3 shared
  [
    [5, 5, 5],
    [2, 2, 2],
  ],
  [
    [0, -0],
    [1.5, 1.5],
  ],
])('of %j are %j', (values, expected) => {
  expect([...meanRanks(Float64Array.from(values))]).toEqual(expected)
})

it.each([
  ['distinct', measurements],
  ['tied', tiedValues],
])('agree with counting the lower and the equal values: %s', (_, values) => {
  fc.assert(
    fc.property(values, list => {
      expect([...meanRanks(Float64Array.from(list))]).toEqual(countedRanks(list))
    }),
  )
})
