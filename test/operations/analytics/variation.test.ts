import { expect, test } from 'vitest'
import { float64Vector } from '../../../src/calculations/values/float64-vector.ts'
import { presentValues } from '../../../src/calculations/values/present.ts'
import { canVary, withoutRounding } from '../../../src/operations/analytics/variation.ts'

/** A unit in the last place of 1. */
const UNIT = 2 ** -52

const cases: [what: string, returns: number[], equal: number | null][] = [
  // The mean is 4 units, and both differ from it by 4, the bound at 0.
  ['0 and 8 units', [0, 8 * UNIT], 4 * UNIT],
  ['0 and 9 units', [0, 9 * UNIT], null],
  // At 3 the bound is 16 units, which are 8 units of the doubles from 2 to 4.
  ['3 and 32 units more', [3, 3 + 32 * UNIT], 3 + 16 * UNIT],
  ['3 and 34 units more', [3, 3 + 34 * UNIT], null],
  // The bound is the same below 0.
  ['-3 and 32 units less', [-3, -3 - 32 * UNIT], -3 - 16 * UNIT],
  // The mean of 0, 0 and 6 is 2 units.
  ['two of 0 and one of 6 units', [0, 0, 6 * UNIT], 2 * UNIT],
  // The mean is 1.75 units, and 7 units differ from it by more than 4.
  ['three of 0 and one of 7 units', [0, 0, 0, 7 * UNIT], null],
  ['0.1 and 0.2', [0.1, 0.2], null],
  ['0.1 alone', [0.1], 0.1],
]
test.each(cases)('%s', (_, returns, equal) => {
  const result = [...presentValues(withoutRounding(float64Vector(Float64Array.from(returns))))]
  expect(result).toEqual(equal === null ? returns : returns.map(() => equal))
})

test('a missing return stays missing', () => {
  const returns = float64Vector(Float64Array.of(0, Number.NaN, 2 * UNIT), Uint8Array.of(0b101))
  expect([...withoutRounding(returns)]).toEqual([UNIT, null, UNIT])
  expect(canVary(returns)).toBe(true)
  expect(canVary(float64Vector(Float64Array.of(0, Number.NaN), Uint8Array.of(0b01)))).toBe(false)
  expect(withoutRounding(float64Vector(new Float64Array(0))).length).toBe(0)
})
