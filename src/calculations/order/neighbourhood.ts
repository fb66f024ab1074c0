/** Sorting fewer values than this is faster than counting them. */
const VALUES_MIN = 128
const SAMPLES = 64
const BUCKETS = 512

/** The values around an index of the ascending order, for a selection. */
export interface Neighbourhood {
  /** All values of one bucket, unordered, in a new array. */
  readonly near: Float64Array
  /** The number of values below all of those. */
  readonly below: number
}

/**
 * The candidates for an index of the ascending order, without sorting: counts the values in buckets of equal
 * width, and gathers those of the bucket with the index, which for returns are a few dozen. The buckets span a
 * sample of the values, so that outliers do not stretch them.
 *
 * Cost: O(n) without unpredictable branches, which makes it faster than partitioning.
 * Null if it does not help (few values, an index among the outliers) or if a value is not finite.
 */
export function neighbourhood(values: Float64Array, index: number): Neighbourhood | null {
  if (values.length < VALUES_MIN) return null
  const scale = sampledScale(values)
  if (!(scale.perUnit > 0 && scale.perUnit < Infinity)) return null
  const counts = new Int32Array(BUCKETS)
  if (!count(values, scale, counts)) return null
  let below = 0
  let wanted = 0
  while (below + (counts[wanted] as number) <= index) below += counts[wanted++] as number
  // The outer two buckets have the values outside the sample's range.
  if (wanted === 0 || wanted === BUCKETS - 1) return null
  return { near: gather(values, scale, wanted, counts[wanted] as number), below }
}

/** A value v belongs to bucket floor((v - origin) perUnit). Rounding keeps the order, which is enough. */
interface Scale {
  readonly origin: number
  readonly perUnit: number
}

function sampledScale(values: Float64Array): Scale {
  let min = Infinity
  let max = -Infinity
  for (let i = 0; i < SAMPLES; i++) {
    const sample = values[Math.floor((i * values.length) / SAMPLES)] as number
    min = Math.min(min, sample)
    max = Math.max(max, sample)
  }
  // A quarter more on either side, as the sample seldom has the extremes.
  const margin = (max - min) / 4
  return { origin: min - margin, perUnit: BUCKETS / (max - min + 2 * margin) }
}

/** Counts the values of each bucket; false if one of them is not finite. */
function count(values: Float64Array, { origin, perUnit }: Scale, counts: Int32Array): boolean {
  const n = values.length
  const half = BUCKETS / 2
  // Blocks of four, usually all within the inner buckets; the mask as in `centre`.
  const blocked = n & 0x3ffffffc
  let i = 0
  for (; i < blocked; i += 4) {
    const p = ((values[i] as number) - origin) * perUnit
    const q = ((values[i + 1] as number) - origin) * perUnit
    const r = ((values[i + 2] as number) - origin) * perUnit
    const s = ((values[i + 3] as number) - origin) * perUnit
    if (
      Math.abs(p - half) < half - 1 &&
      Math.abs(q - half) < half - 1 &&
      Math.abs(r - half) < half - 1 &&
      Math.abs(s - half) < half - 1
    ) {
      counts[p | 0] = ((counts[p | 0] as number) + 1) | 0
      counts[q | 0] = ((counts[q | 0] as number) + 1) | 0
      counts[r | 0] = ((counts[r | 0] as number) + 1) | 0
      counts[s | 0] = ((counts[s | 0] as number) + 1) | 0
    } else if (!countWithOuter([p, q, r, s], counts)) return false
  }
  for (; i < n; i++) {
    if (!countWithOuter([((values[i] as number) - origin) * perUnit], counts)) return false
  }
  return true
}

/** Positions outside the buckets belong to the first and the last one. */
function countWithOuter(places: readonly number[], counts: Int32Array): boolean {
  for (const place of places) {
    if (!Number.isFinite(place)) return false
    const bucket = Math.max(0, Math.min(BUCKETS - 1, Math.floor(place)))
    counts[bucket] = (counts[bucket] as number) + 1
  }
  return true
}

/** The values of one inner bucket. */
function gather(
  values: Float64Array,
  { origin, perUnit }: Scale,
  wanted: number,
  size: number,
): Float64Array {
  const near = new Float64Array(size)
  const n = values.length
  const blocked = n & 0x3ffffffc
  let filled = 0
  let i = 0
  for (; i < blocked; i += 4) {
    const p = ((values[i] as number) - origin) * perUnit
    const q = ((values[i + 1] as number) - origin) * perUnit
    const r = ((values[i + 2] as number) - origin) * perUnit
    const s = ((values[i + 3] as number) - origin) * perUnit
    // The first test of each is fast, but a position beyond 32 bits may pass it.
    if ((p | 0) === wanted && Math.floor(p) === wanted) near[filled++] = values[i] as number
    if ((q | 0) === wanted && Math.floor(q) === wanted) near[filled++] = values[i + 1] as number
    if ((r | 0) === wanted && Math.floor(r) === wanted) near[filled++] = values[i + 2] as number
    if ((s | 0) === wanted && Math.floor(s) === wanted) near[filled++] = values[i + 3] as number
  }
  for (; i < n; i++) {
    if (Math.floor(((values[i] as number) - origin) * perUnit) === wanted)
      near[filled++] = values[i] as number
  }
  return near
}
