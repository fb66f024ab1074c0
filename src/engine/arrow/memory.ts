import { DuckDBListVector, DuckDBMapVector, DuckDBVector } from '@duckdb/node-api'

/**
 * A selection of a vector's items: `length` items from `start` on or, if a list's entries are not contiguous, those at
 * `places`.
 */
export interface Items {
  readonly length: number
  readonly start: number
  readonly places: Uint32Array | null
}

export const run = (start: number, length: number): Items => ({ length, start, places: null })

export const placeOf = (items: Items, index: number): number =>
  items.places === null ? items.start + index : (items.places[index] ?? 0)

/** A private field of a vector. The version of DuckDB's client is pinned, and a test reads every kind of vector. */
function privateField(vector: object, name: string): unknown {
  return Reflect.get(vector, name)
}

/**
 * A copy of the memory of these items, `width` bytes per item. Null items are zeroed: DuckDB leaves their memory
 * uninitialised, so it could contain another client's rows. The copy is needed because DuckDB frees a chunk's memory
 * when the chunk is garbage-collected, even if views of that memory exist.
 */
export function bytesOf(
  vector: DuckDBVector,
  items: Items,
  width: number,
  validity: Validity,
): Uint8Array<ArrayBuffer> {
  const all = memoryOf(vector)
  const bytes = new Uint8Array(items.length * width)
  if (validity.nullCount === items.length) return bytes
  if (items.places === null) {
    bytes.set(all.subarray(items.start * width, (items.start + items.length) * width))
  } else {
    items.places.forEach((place, index) => {
      bytes.set(all.subarray(place * width, (place + 1) * width), index * width)
    })
  }
  if (validity.nullCount > 0) zeroNulls(bytes, items.length, width, validity)
  return bytes
}

/** Zeroes the memory of null items, those that follow each other at once. */
function zeroNulls(bytes: Uint8Array, length: number, width: number, validity: Validity): void {
  for (let from = 0; from < length; from += 1) {
    if (!isNull(validity, from)) continue
    let to = from + 1
    while (to < length && isNull(validity, to)) to += 1
    bytes.fill(0, from * width, to * width)
    from = to
  }
}

function memoryOf(vector: DuckDBVector): Uint8Array<ArrayBuffer> {
  const memory = privateField(vector, 'items') ?? privateField(vector, 'dataView')
  if (!ArrayBuffer.isView(memory)) throw new Error(`a vector of ${vector.type} has no memory to read`)
  return new Uint8Array(memory.buffer as ArrayBuffer, memory.byteOffset, memory.byteLength)
}

/**
 * The memory of these items like `bytesOf`, but where they are contiguous not a copy of it. It may be read as long as there is
 * a reference to the chunk. Null items are not zeroed.
 */
export function viewOf(
  vector: DuckDBVector,
  items: Items,
  width: number,
  validity: Validity,
): Uint8Array<ArrayBuffer> {
  if (items.places !== null) return bytesOf(vector, items, width, validity)
  return memoryOf(vector).subarray(items.start * width, (items.start + items.length) * width)
}

/** Arrow's validity: one bit per item, least significant first, 1 for a value. No bitmap if DuckDB has none. */
export interface Validity {
  readonly bitmap: Uint8Array | undefined
  readonly nullCount: number
}

export function validityOf(vector: DuckDBVector, items: Items): Validity {
  const validity = privateField(listIn(vector), 'validity')
  if (typeof validity !== 'object' || validity === null) {
    throw new Error(`a vector of ${vector.type} has no validity`)
  }
  const words = privateField(validity, 'data')
  if (!(words instanceof BigUint64Array)) return { bitmap: undefined, nullCount: 0 }
  // DuckDB's words are 64 bits wide and little-endian, so their bytes are in Arrow's order.
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
  const offset = Number(privateField(validity, 'offset'))
  const first = offset + items.start
  if (items.places === null && first % 8 === 0) return bitsFrom(bytes, first / 8, items.length)
  const bitmap = new Uint8Array((items.length + 7) >> 3)
  let valid = 0
  for (let index = 0; index < items.length; index += 1) {
    const bit = offset + placeOf(items, index)
    const set = ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1
    valid += set
    bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (set << (index & 7))
  }
  return { bitmap, nullCount: items.length - valid }
}

/** The set bits of each byte. */
const SET_BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

/** A copy of so many bits, from the start of a byte on. Those after the last one are 0. */
function bitsFrom(bytes: Uint8Array, start: number, length: number): Validity {
  const bitmap = bytes.slice(start, start + ((length + 7) >> 3))
  if (length % 8 !== 0) bitmap[length >> 3] = (bitmap[length >> 3] ?? 0) & ((1 << (length % 8)) - 1)
  let valid = 0
  for (const byte of bitmap) valid += SET_BITS[byte] ?? 0
  return { bitmap, nullCount: length - valid }
}

export const isNull = ({ bitmap }: Validity, index: number): boolean =>
  bitmap !== undefined && (((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 0

/** The list vector inside a MAP's vector; any other vector unchanged. */
export function listIn(vector: DuckDBVector): DuckDBVector {
  if (!(vector instanceof DuckDBMapVector)) return vector
  const list = privateField(vector, 'listVector')
  if (!(list instanceof DuckDBListVector)) throw new Error('a map vector has no list')
  return list
}

/** The vector of all elements of an ARRAY's vector, array by array. */
export function elementsOf(vector: DuckDBVector): DuckDBVector {
  const elements = privateField(vector, 'childData')
  if (!(elements instanceof DuckDBVector)) throw new Error('an array vector has no elements')
  return elements
}
