import type { Float64, Vector } from 'apache-arrow'
import { highest } from './maximum.ts'
import { lowest } from './minimum.ts'
import { presentValues } from './values/present.ts'

export interface Histogram {
  /** The number of values in each bin; the sum is the number of values. */
  readonly counts: number[]
  /** The bounds of the bins, ascending: one more than there are bins. */
  readonly edges: number[]
}

/**
 * Histogram with bins of equal width from the smallest value to the largest: bin i has the values v with
 * edge i <= v < edge i + 1, the last bin also those equal to its upper edge (like numpy.histogram).
 *
 * Edge i is min + i (max - min) / bins, the last one max itself. A value's bin is computed by division and
 * then corrected by the edges, since rounding may put it into a neighbouring bin.
 *
 * Domain: finite numbers; nulls are skipped. Unit of the edges: that of the values. Cost: O(n + bins).
 * All values equal to v: bins over [v - 0.5, v + 0.5], all values in bin floor(bins / 2).
 * No values, a range that overflows, or a NaN among the values: null.
 * A number of bins that is not a whole number of 1 or more: RangeError.
 */
export function histogram(vector: Vector<Float64>, bins: number): Histogram | null {
  if (!Number.isInteger(bins) || bins < 1)
    throw new RangeError(`bins must be a whole number of 1 or more, not ${bins}`)
  const values = presentValues(vector)
  const min = lowest(values)
  const max = highest(values)
  if (!Number.isFinite((max - min) * bins)) return null
  if (min === max) return singleValue(min, values.length, bins)

  const edges: number[] = []
  for (let i = 0; i < bins; i++) edges.push(min + (i * (max - min)) / bins)
  edges.push(max)
  return { counts: countBetween(values, edges), edges }
}

function countBetween(values: Float64Array, edges: readonly number[]): number[] {
  const last = edges.length - 2
  const min = edges[0] as number
  const range = (edges[last + 1] as number) - min
  const counts = new Array<number>(last + 1).fill(0)
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    let bin = Math.min(last, Math.floor(((value - min) / range) * (last + 1)))
    while (value < (edges[bin] as number)) bin--
    while (bin < last && value >= (edges[bin + 1] as number)) bin++
    counts[bin] = (counts[bin] as number) + 1
  }
  return counts
}

/** The edges are computed from v, so that v is within its bin whatever the rounding. */
function singleValue(value: number, count: number, bins: number): Histogram {
  const edges = Array.from({ length: bins + 1 }, (_, i) => value + (i / bins - 0.5))
  const counts = new Array<number>(bins).fill(0)
  counts[Math.floor(bins / 2)] = count
  return { counts, edges }
}
