import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ranking } from '../../../src/calculations/order/ranking.ts'
import { tiedValues } from '../series.ts'

it('lets equal values share a rank, and counts the pairs of them', () => {
  const { order, ranks, tiedPairs } = ranking(Float64Array.of(20, 10, 20, 40, 20))
  expect([...order]).toEqual([1, 0, 2, 4, 3])
  expect([...ranks]).toEqual([1, 0, 1, 2, 1])
  // the three 20s: 3 pairs
  expect(tiedPairs).toBe(3)
})

it('takes nothing, and one value', () => {
  expect(ranking(new Float64Array(0))).toEqual({
    order: new Int32Array(0),
    ranks: new Int32Array(0),
    tiedPairs: 0,
  })
  expect(ranking(Float64Array.of(5))).toEqual({
    order: Int32Array.of(0),
    ranks: Int32Array.of(0),
    tiedPairs: 0,
  })
})

it('agrees with counting', () => {
  fc.assert(
    fc.property(tiedValues, values => {
      const { ranks, tiedPairs } = ranking(Float64Array.from(values))
      expect([...ranks]).toEqual(values.map(value => new Set(values.filter(other => other < value)).size))
      const equalTo = values.map((value, i) => values.slice(0, i).filter(other => other === value).length)
      expect(tiedPairs).toBe(equalTo.reduce((sum, n) => sum + n, 0))
    }),
  )
})
