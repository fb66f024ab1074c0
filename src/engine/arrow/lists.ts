import type { DuckDBListVector } from '@duckdb/node-api'
import { type Items, isNull, placeOf, run, type Validity } from './memory.ts'

/** The elements of lists: list `i` has elements `offsets[i]` to `offsets[i + 1]` of `elements`. */
export interface ListElements {
  readonly offsets: Int32Array
  /** Items of the vector's child, in the order of the lists. */
  readonly elements: Items
}

/**
 * Offsets into the child vector, and the child's items in the order of the lists. DuckDB may store the entries of the
 * lists in any order, and may store an offset and a length for a NULL list. Arrow allows neither.
 */
export function listElements(vector: DuckDBListVector, items: Items, validity: Validity): ListElements {
  const offsets = new Int32Array(items.length + 1)
  let total = 0
  let contiguous = true
  for (let index = 0; index < items.length; index += 1) {
    const length = isNull(validity, index) ? 0 : vector.getEntryLength(placeOf(items, index))
    if (length > 0) {
      const start = vector.getEntryOffset(placeOf(items, index))
      if (start !== total) contiguous = false
      total += length
    }
    offsets[index + 1] = total
  }
  return { offsets, elements: contiguous ? run(0, total) : scattered(vector, items, offsets) }
}

function scattered(vector: DuckDBListVector, items: Items, offsets: Int32Array): Items {
  const length = offsets[items.length] ?? 0
  const places = new Uint32Array(length)
  for (let index = 0; index < items.length; index += 1) {
    const [from = 0, to = 0] = [offsets[index], offsets[index + 1]]
    if (to === from) continue
    const start = vector.getEntryOffset(placeOf(items, index))
    for (let element = from; element < to; element += 1) places[element] = start + element - from
  }
  return { length, start: 0, places }
}
