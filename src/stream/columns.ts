import { type Data, DataType } from 'apache-arrow'

/** The memory of a column of a record batch. */
export type Column =
  | TextColumn
  | { readonly is: 'integer'; readonly words: Int32Array; readonly nulls: Nulls }
  | { readonly is: 'decimal'; readonly words: Int32Array; readonly scale: number; readonly nulls: Nulls }
  | { readonly is: 'boolean'; readonly bits: Uint8Array; readonly offset: number; readonly nulls: Nulls }
  | {
      readonly is: 'texts'
      readonly offsets: Int32Array
      readonly elements: TextColumn
      readonly nulls: Nulls
    }

/** UTF-8: the value at `i` is bytes `offsets[i]` to `offsets[i + 1]`. */
export interface TextColumn {
  readonly is: 'text'
  readonly values: Uint8Array
  readonly offsets: Int32Array
  readonly nulls: Nulls
}

/** Arrow's validity bitmap, which is 0 for null values; null if no value is null. */
export type Nulls = { readonly bitmap: Uint8Array; readonly offset: number } | null

export function isNull(nulls: Nulls, index: number): boolean {
  if (nulls === null) return false
  const bit = nulls.offset + index
  return (((nulls.bitmap[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 0
}

export const bitAt = (bits: Uint8Array, index: number): boolean =>
  (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1

/** A column of a batch. Throws an Error that names the column if its type is not supported. */
export function columnOf(name: string, data: Data): Column {
  const nulls =
    data.nullCount === 0 || data.nullBitmap === undefined || data.nullBitmap.length === 0
      ? null
      : { bitmap: data.nullBitmap, offset: data.offset }
  const { type } = data
  if (DataType.isUtf8(type)) return { is: 'text', values: data.values, offsets: data.valueOffsets, nulls }
  if (DataType.isInt(type)) return { is: 'integer', words: wordsOf(data.values), nulls }
  if (DataType.isDecimal(type)) {
    const { buffer, byteOffset, length } = data.values
    return { is: 'decimal', words: new Int32Array(buffer, byteOffset, length), scale: type.scale, nulls }
  }
  if (DataType.isBool(type)) return { is: 'boolean', bits: data.values, offset: data.offset, nulls }
  if (DataType.isList(type)) {
    const [child] = data.children
    const elements = child && columnOf(name, child)
    if (elements?.is === 'text') return { is: 'texts', offsets: data.valueOffsets, elements, nulls }
  }
  throw new Error(`column "${name}": ${type} cannot be written into a message`)
}

/** Two 32-bit words per integer, the low one first, which avoids BigInts. */
function wordsOf(values: ArrayLike<number> | BigInt64Array | BigUint64Array): Int32Array {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array)
    return new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  const words = new Int32Array(values.length * 2)
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0
    words[index * 2] = value
    words[index * 2 + 1] = value < 0 ? -1 : 0
  }
  return words
}
