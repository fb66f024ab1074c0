import { Float64, makeData, Vector } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { presentPosition, presentValues } from '../../../src/calculations/values/present.ts'
import { onEveryLayout, presentOf, sparseValues, vectorOf } from '../series.ts'

describe('presentValues', () => {
  it('is the memory of a whole chunk without nulls', () => {
    const values = Float64Array.of(1, 2, 3)
    const vector = new Vector([makeData({ type: new Float64(), data: values })])
    expect(presentValues(vector)).toBe(values)
  })

  it('shares memory with a slice, and ends where the slice ends', () => {
    const values = Float64Array.of(9, 1, 2, 9, 9)
    const vector = new Vector([makeData({ type: new Float64(), data: values })]).slice(1, 3)
    const present = presentValues(vector)
    expect([...present]).toEqual([1, 2])
    expect(present.buffer).toBe(values.buffer)
  })

  it('leaves out the room that a builder kept at the end of its buffer', () => {
    const vector = vectorOf([1, 2, 3])
    expect(vector.data[0]?.values.length).toBeGreaterThan(3)
    expect([...presentValues(vector)]).toEqual([1, 2, 3])
  })

  it.each([
    [[], []],
    [[null], []],
    [[null, null, null], []],
    [[5], [5]],
    [
      [null, 1, null, null, 2, null],
      [1, 2],
    ],
    [
      [1, null, 3],
      [1, 3],
    ],
  ])('%j holds %j', (values, present) => {
    expect(onEveryLayout(values, vector => [...presentValues(vector)])).toEqual(present)
  })

  it('keeps what is not null, in order, in every layout', () => {
    fc.assert(
      fc.property(sparseValues, values => {
        expect(onEveryLayout(values, vector => [...presentValues(vector)])).toEqual(presentOf(values))
      }),
    )
  })
})

describe('presentPosition', () => {
  it('finds the value of that number in the vector', () => {
    fc.assert(
      fc.property(sparseValues, values => {
        const positions = values.flatMap((value, i) => (value === null ? [] : [i]))
        const found = onEveryLayout(values, vector => positions.map((_, k) => presentPosition(vector, k)))
        expect(found).toEqual(positions)
      }),
    )
  })

  it('refuses a number that the vector does not reach', () => {
    expect(() => presentPosition(vectorOf([1, null, 2]), 2)).toThrow(RangeError)
    expect(() => presentPosition(vectorOf([1, 2]), 2)).toThrow(RangeError)
    expect(() => presentPosition(vectorOf([]), 0)).toThrow(RangeError)
  })
})
