import fc from 'fast-check'
import { expect, it } from 'vitest'
import { commonTimes } from '../../../src/calculations/values/common-times.ts'
import { commonIndices } from '../oracle.ts'

function common(...times: number[][]): number[][] {
  const arrays = times.map(series => Float64Array.from(series))
  const found = commonTimes(arrays).map(indices => [...indices])
  expect(arrays.map(array => [...array])).toEqual(times)
  return found
}

it('points at the instants that all series have', () => {
  // 2 and 5 are common to all; 1 and 4 to two of them
  expect(common([1, 2, 4, 5], [2, 3, 4, 5, 6], [1, 2, 5])).toEqual([
    [1, 3],
    [0, 3],
    [1, 2],
  ])
})

it('takes one series whole, and none as none', () => {
  expect(common([10, 20, 30])).toEqual([[0, 1, 2]])
  expect(common()).toEqual([])
})

it('takes all of series with the same instants, and joins those of the same length with others', () => {
  expect(common([1, 2, 3], [1, 2, 3])).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ])
  // 1 and 3 are common
  expect(common([1, 2, 3], [1, 3, 4])).toEqual([
    [0, 2],
    [0, 1],
  ])
})

it('finds nothing in an empty series, nor where nothing is common', () => {
  expect(common([], [1, 2])).toEqual([[], []])
  expect(common([1, 2], [])).toEqual([[], []])
  expect(common([1, 3, 5], [2, 4, 6])).toEqual([[], []])
  expect(common([5, 6], [1, 2])).toEqual([[], []])
})

it('joins at the first and at the last instant', () => {
  expect(common([1, 2, 9], [1, 9])).toEqual([
    [0, 2],
    [0, 1],
  ])
})

it('takes real epoch milliseconds', () => {
  const day = 86_400_000
  const start = Date.UTC(2020, 0, 1)
  expect(common([start, start + day, start + 2 * day], [start + day, start + 2 * day])).toEqual([
    [1, 2],
    [0, 1],
  ])
})

it('agrees with asking each series about each time', () => {
  const times = fc.uniqueArray(fc.integer({ min: -10, max: 30 })).map(list => list.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(fc.array(times, { maxLength: 5 }), list => {
      expect(common(...list)).toEqual(commonIndices(list))
    }),
  )
})
