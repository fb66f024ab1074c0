import type { DuckDBVector } from '@duckdb/node-api'
import bindings from '@duckdb/node-bindings'
import { bytesOf, type Items, type Validity, viewOf } from './memory.ts'

/** Concatenated values: value `i` is bytes `offsets[i]` to `offsets[i + 1]`, an empty range if it is null. */
export interface Bytes {
  readonly values: Uint8Array
  readonly offsets: Int32Array
}

/** Words of DuckDB's string entry, which has 16 bytes. The first word is the length in bytes. */
const WORDS = 4
/** Up to this length the bytes follow the length inside the entry. For longer texts the last two words are a pointer. */
const INLINE_MAX = 12

/**
 * The UTF-8 of a VARCHAR vector, or the bytes of a BLOB vector. Each read through a pointer is a call into the engine's
 * library, which costs more than the copy. Therefore texts that are contiguous in memory are read in one call.
 */
export function bytesParts(vector: DuckDBVector, items: Items, validity: Validity): Bytes {
  const entries = (validity.nullCount === 0 ? viewOf : bytesOf)(vector, items, 4 * WORDS, validity)
  const words = new Uint32Array(entries.buffer, entries.byteOffset, WORDS * items.length)
  const lengthOf = (index: number) => words[WORDS * index] ?? 0
  const offsets = new Int32Array(items.length + 1)
  for (let index = 0; index < items.length; index += 1)
    offsets[index + 1] = (offsets[index] ?? 0) + lengthOf(index)
  const values = new Uint8Array(offsets[items.length] ?? 0)
  let index = 0
  while (index < items.length) {
    const at = offsets[index] ?? 0
    const length = lengthOf(index)
    if (length <= INLINE_MAX) {
      const from = 4 * (WORDS * index + 1)
      for (let byte = 0; byte < length; byte += 1) values[at + byte] = entries[from + byte] ?? 0
      index += 1
      continue
    }
    const end = endOfRun(words, index, items.length)
    const run = (offsets[end] ?? 0) - at
    const pointer = entries.byteOffset + 4 * (WORDS * index + 2)
    values.set(bindings.get_data_from_pointer(entries.buffer, pointer, run), at)
    index = end
  }
  return { values, offsets }
}

/** The first item after `index` whose bytes do not directly follow those of its predecessor in memory. */
function endOfRun(words: Uint32Array, index: number, items: number): number {
  let end = index
  let [low, high] = [words[WORDS * end + 2] ?? 0, words[WORDS * end + 3] ?? 0]
  do {
    low += words[WORDS * end] ?? 0
    if (low >= 2 ** 32) {
      low -= 2 ** 32
      high += 1
    }
    end += 1
  } while (
    end < items &&
    (words[WORDS * end] ?? 0) > INLINE_MAX &&
    words[WORDS * end + 2] === low &&
    words[WORDS * end + 3] === high
  )
  return end
}
