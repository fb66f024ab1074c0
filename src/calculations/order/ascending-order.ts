/** Runs up to this length are ordered by insertion, which is faster than merging. */
const RUN = 8

/**
 * The positions of the values in ascending order of the values; equal values keep their order (0 and -0 are
 * equal). A bottom-up merge sort of positions: a sort with a comparison function takes several times as long.
 *
 * Domain: no NaN. Cost: O(n log n) time, two arrays of n positions.
 */
export function ascendingOrder(values: Float64Array): Int32Array {
  const n = values.length
  let order = new Int32Array(n)
  for (let start = 0; start < n; start += RUN) orderRun(values, order, start, Math.min(start + RUN, n))
  let spare = new Int32Array(n)
  for (let width = RUN; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      mergeRuns(values, order, spare, start, Math.min(start + width, n), Math.min(start + 2 * width, n))
    }
    const merged = spare
    spare = order
    order = merged
  }
  return order
}

function orderRun(values: Float64Array, order: Int32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const value = values[i] as number
    let j = i
    for (; j > start && (values[order[j - 1] as number] as number) > value; j--) {
      order[j] = order[j - 1] as number
    }
    order[j] = i
  }
}

/** Merges from[start, middle) and from[middle, end), each in order, into into[start, end). */
function mergeRuns(
  values: Float64Array,
  from: Int32Array,
  into: Int32Array,
  start: number,
  middle: number,
  end: number,
): void {
  let left = start
  let right = middle
  let i = start
  while (left < middle && right < end) {
    const a = from[left] as number
    const b = from[right] as number
    // Chosen by bits and not by a branch, as in `sortCountingInversions`.
    const takeRight = Number((values[b] as number) < (values[a] as number))
    into[i++] = a ^ ((a ^ b) & -takeRight)
    left += 1 - takeRight
    right += takeRight
  }
  while (left < middle) into[i++] = from[left++] as number
  while (right < end) into[i++] = from[right++] as number
}
