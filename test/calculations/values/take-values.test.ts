import fc from 'fast-check'
import { expect, it } from 'vitest'
import { takeValues } from '../../../src/calculations/values/take-values.ts'
import { onEveryLayout, sparseValues, vectorOf } from '../series.ts'

it('takes the values at the indices, in their order, with repeats', () => {
  expect(onEveryLayout([10, 20, 30], vector => takeValues(vector, Int32Array.of(2, 0, 0)).toJSON())).toEqual([
    30, 10, 10,
  ])
})

it('leaves a null a null', () => {
  const taken = onEveryLayout([null, 1, null, 2], vector =>
    takeValues(vector, Int32Array.of(0, 1, 3, 2)).toJSON(),
  )
  expect(taken).toEqual([null, 1, 2, null])
})

it('takes nothing from anything', () => {
  expect(takeValues(vectorOf([]), new Int32Array(0)).length).toBe(0)
  expect(takeValues(vectorOf([1, null]), new Int32Array(0)).length).toBe(0)
})

it('agrees with indexing, in every layout', () => {
  fc.assert(
    fc.property(sparseValues, fc.array(fc.nat()), (values, numbers) => {
      const indices = values.length === 0 ? [] : numbers.map(number => number % values.length)
      const taken = onEveryLayout(values, vector => takeValues(vector, Int32Array.from(indices)).toJSON())
      expect(taken).toEqual(indices.map(index => values[index]))
    }),
  )
})

it.each([-1, 3])('refuses the index %d of three values', index => {
  expect(() => takeValues(vectorOf([1, 2, 3]), Int32Array.of(index))).toThrow(RangeError)
})
