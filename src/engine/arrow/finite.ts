import { DuckDBTypeId, type DuckDBVector } from '@duckdb/node-api'
import { type Items, isNull, type Validity, viewOf } from './memory.ts'

/** Whether the value at an index, in memory of a type, is a number or a time. */
type IsNumber = (index: number) => boolean

const [MOST_INT32, LEAST_INT32] = [0x7fffffff, -0x80000000]

/** Dates that are infinite are the most and the least number of days but one. */
function days(bytes: Uint8Array, length: number): IsNumber {
  const values = new Int32Array(bytes.buffer, bytes.byteOffset, length)
  return index => Math.abs(values[index] ?? 0) !== MOST_INT32
}

/** Times that are infinite are the most and the least 64-bit integer but one. The low word is first. */
function ticks(bytes: Uint8Array, length: number): IsNumber {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, 2 * length)
  return index => {
    const [low, high] = [words[2 * index], words[2 * index + 1]]
    return !((high === MOST_INT32 && low === -1) || (high === LEAST_INT32 && low === 1))
  }
}

interface Floats {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayLike<number>
}

function floats(Floats: Floats) {
  return (bytes: Uint8Array, length: number): IsNumber => {
    const values = new Floats(bytes.buffer, bytes.byteOffset, length)
    return index => Number.isFinite(values[index])
  }
}

/** Types with values that are not finite: the bytes of a value, and how to tell. */
const MAY_BE_INFINITE = new Map<
  DuckDBTypeId,
  readonly [bytes: number, tell: (bytes: Uint8Array, length: number) => IsNumber]
>([
  [DuckDBTypeId.FLOAT, [4, floats(Float32Array)]],
  [DuckDBTypeId.DOUBLE, [8, floats(Float64Array)]],
  [DuckDBTypeId.DATE, [4, days]],
  [DuckDBTypeId.TIMESTAMP, [8, ticks]],
  [DuckDBTypeId.TIMESTAMP_S, [8, ticks]],
  [DuckDBTypeId.TIMESTAMP_MS, [8, ticks]],
  [DuckDBTypeId.TIMESTAMP_NS, [8, ticks]],
  [DuckDBTypeId.TIMESTAMP_TZ, [8, ticks]],
])

/** The validity of items of which those are null, too, that are NaN or infinite: they are null in every format. */
export function finiteOf(vector: DuckDBVector, items: Items, validity: Validity): Validity {
  const found = MAY_BE_INFINITE.get(vector.type.typeId)
  if (found === undefined) return validity
  const [width, tell] = found
  const isNumber = tell(viewOf(vector, items, width, validity), items.length)
  let bitmap = validity.bitmap
  let { nullCount } = validity
  for (let index = 0; index < items.length; index += 1) {
    if (isNumber(index) || isNull(validity, index)) continue
    if (bitmap === undefined || bitmap === validity.bitmap) bitmap = copied(validity.bitmap, items.length)
    bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) & ~(1 << (index & 7))
    nullCount += 1
  }
  return bitmap === validity.bitmap ? validity : { bitmap, nullCount }
}

function copied(bitmap: Uint8Array | undefined, length: number): Uint8Array {
  if (bitmap !== undefined) return bitmap.slice()
  const all = new Uint8Array((length + 7) >> 3).fill(0xff)
  if (length % 8 !== 0) all[length >> 3] = (1 << (length % 8)) - 1
  return all
}
