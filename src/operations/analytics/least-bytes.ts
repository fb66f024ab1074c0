import { highest } from '../../calculations/maximum.ts'
import { lowest } from '../../calculations/minimum.ts'
import { presentValues } from '../../calculations/values/present.ts'
import type { Encoding } from '../../engine/query.ts'
import type { Calculation } from './calculations.ts'
import type { Series } from './figures.ts'

/** Edges of a histogram whose texts are made in advance. */
const EDGES = 8
/** The other edges may have shorter texts, by this part at most. */
const SHORTER = 0.9
/** Histograms of fewer bins are short. */
const BINS_MIN = 64
/** Bytes of a row besides its calculation, symbol and edges: two numbers of a digit or more, and eight separators. */
const ROW_BYTES = 10
/** Bytes of the two edges of a row in formats with typed columns. */
const TYPED_EDGES_BYTES = 16

/**
 * The least length of the histograms of an answer, before they are computed: a request of a few kilobytes can have millions of
 * bins. Everything else is short. Bins of JSON are a count and an edge, in the other formats rows; rows of Parquet count as they
 * are before compression. The length of the edges as text is that of some of them.
 */
export function leastBytes(
  calculations: readonly Calculation[],
  series: readonly Pick<Series, 'symbol' | 'variation'>[],
  format: Encoding,
): number {
  const histograms = calculations.filter(
    ({ name, options }) => name === 'HISTOGRAM' && options.bins >= BINS_MIN,
  )
  // The common case: no values are looked at.
  if (histograms.length === 0) return 0
  let bytes = 0
  for (const { symbol, variation } of series) {
    const values = presentValues(variation)
    // It has no histogram.
    if (values.length === 0) continue
    const [least, range] = [lowest(values), highest(values) - lowest(values)]
    for (const { key, options } of histograms)
      bytes +=
        options.bins *
        binBytes(format, key.length + symbol.length, () => edgeLength(least, range, options.bins))
  }
  return bytes
}

function binBytes(format: Encoding, names: number, edge: () => number): number {
  if (format === 'json') return edge() + '0,,'.length
  const isText = format === 'csv' || format === 'ndjson'
  return names + ROW_BYTES + (isText ? 2 * edge() : TYPED_EDGES_BYTES)
}

function edgeLength(least: number, range: number, bins: number): number {
  let length = 0
  for (let index = 0; index < EDGES; index += 1)
    length += String(least + (Math.floor((index * bins) / EDGES) * range) / bins).length
  return (SHORTER * length) / EDGES
}
