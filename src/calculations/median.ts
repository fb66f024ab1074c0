import type { Float64, Vector } from 'apache-arrow'
import { highest } from './maximum.ts'
import { type Neighbourhood, neighbourhood } from './order/neighbourhood.ts'
import { quickselect } from './order/quickselect.ts'
import { everyFinite, finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * Median: the middle value in ascending order, or the mean of the two middle ones.
 *
 * Selected by `quickselect` from a copy: of the few values around the middle if `neighbourhood` finds them,
 * otherwise of all values.
 *
 * Domain: finite numbers; nulls are skipped. Unit: that of the values. Cost: O(n) on average.
 * No values, or one among them that is not finite: null.
 */
export function median(vector: Vector<Float64>): number | null {
  const values = presentValues(vector)
  const n = values.length
  const middle = n >> 1
  const { near, below } = neighbourhood(values, middle) ?? everyValue(values)
  if (near.length === 0) return null
  const upper = quickselect(near, middle - below)
  if (n % 2 === 1) return finiteOrNull(upper)
  const lower = middle > below ? highest(near.subarray(0, middle - below)) : highestBelow(values, upper)
  const sum = lower + upper
  return finiteOrNull(Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2)
}

/** A copy of all values; empty if one is not finite, which makes the median null. */
function everyValue(values: Float64Array): Neighbourhood {
  return { near: everyFinite(values) ? values.slice() : new Float64Array(0), below: 0 }
}

/** The largest value below the upper middle one, for a neighbourhood that starts with that one. */
function highestBelow(values: Float64Array, bound: number): number {
  let high = -Infinity
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value < bound && value > high) high = value
  }
  return high
}
