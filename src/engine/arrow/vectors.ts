import {
  DuckDBArrayVector,
  DuckDBBlobVector,
  DuckDBBooleanVector,
  DuckDBListVector,
  DuckDBStructVector,
  DuckDBTypeId,
  DuckDBVarCharVector,
  type DuckDBVector,
} from '@duckdb/node-api'
import { Data, type DataType } from 'apache-arrow'
import { decimalWords } from './decimals.ts'
import { finiteOf } from './finite.ts'
import { listElements } from './lists.ts'
import { bytesOf, elementsOf, type Items, listIn, placeOf, type Validity, validityOf } from './memory.ts'
import { bytesParts } from './texts.ts'

/** Arrow's buffers and children of a vector, apart from its validity. The type determines which ones are present. */
interface Parts {
  readonly values?: ArrayBufferView
  readonly offsets?: Int32Array
  readonly children?: Data[]
}

/**
 * The items of a DuckDB vector as Arrow data of `type`, which must be `arrowType` of the vector's type. Numbers,
 * decimals, dates and times are copied as memory, without conversion to JavaScript values. NaN and the infinities, also of
 * dates and times, are null.
 *
 * Throws an error that names `column` for a 128-bit integer of more than 38 digits.
 */
export function arrowData(column: string, vector: DuckDBVector, items: Items, type: DataType): Data {
  const validity = finiteOf(vector, items, validityOf(vector, items))
  const { values, offsets, children } = partsOf(column, vector, items, type, validity)
  const buffers = { 0: offsets, 1: values, 2: validity.bitmap }
  return new Data(type, 0, items.length, validity.nullCount, buffers, children)
}

/** Types with the same memory layout in Arrow and DuckDB. */
const SAME_LAYOUT = new Map<DuckDBTypeId, Layout>([
  [DuckDBTypeId.TINYINT, Int8Array],
  [DuckDBTypeId.SMALLINT, Int16Array],
  [DuckDBTypeId.INTEGER, Int32Array],
  [DuckDBTypeId.BIGINT, BigInt64Array],
  [DuckDBTypeId.UTINYINT, Uint8Array],
  [DuckDBTypeId.USMALLINT, Uint16Array],
  [DuckDBTypeId.UINTEGER, Uint32Array],
  [DuckDBTypeId.UBIGINT, BigUint64Array],
  [DuckDBTypeId.FLOAT, Float32Array],
  [DuckDBTypeId.DOUBLE, Float64Array],
  [DuckDBTypeId.DATE, Int32Array],
  [DuckDBTypeId.TIME, BigInt64Array],
  [DuckDBTypeId.TIMESTAMP, BigInt64Array],
  [DuckDBTypeId.TIMESTAMP_S, BigInt64Array],
  [DuckDBTypeId.TIMESTAMP_MS, BigInt64Array],
  [DuckDBTypeId.TIMESTAMP_NS, BigInt64Array],
  [DuckDBTypeId.TIMESTAMP_TZ, BigInt64Array],
])

interface Layout {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer): ArrayBufferView
}

function partsOf(
  column: string,
  vector: DuckDBVector,
  items: Items,
  type: DataType,
  validity: Validity,
): Parts {
  const list = listIn(vector)
  if (list instanceof DuckDBListVector) return listParts(column, list, items, type, validity)
  if (vector instanceof DuckDBArrayVector) return arrayParts(column, vector, items, type)
  if (vector instanceof DuckDBStructVector) {
    const fields = type.children.map((field, index) =>
      arrowData(column, vector.entryVectorAt(index), items, field.type),
    )
    return { children: fields }
  }
  if (vector instanceof DuckDBBooleanVector)
    return { values: packedBits(bytesOf(vector, items, 1, validity)) }
  if (vector instanceof DuckDBVarCharVector || vector instanceof DuckDBBlobVector)
    return bytesParts(vector, items, validity)
  const layout = SAME_LAYOUT.get(vector.type.typeId)
  if (layout) return { values: new layout(bytesOf(vector, items, layout.BYTES_PER_ELEMENT, validity).buffer) }
  switch (vector.type.typeId) {
    case DuckDBTypeId.DECIMAL:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return { values: decimalWords(column, vector, items, validity) }
    default:
      return textParts(vector, items)
  }
}

function listParts(
  column: string,
  vector: DuckDBListVector,
  items: Items,
  type: DataType,
  validity: Validity,
): Parts {
  const { offsets, elements } = listElements(vector, items, validity)
  const child = type.children[0]
  if (!child) throw new Error(`column "${column}": ${type} has no element type`)
  return { offsets, children: [arrowData(column, vector.childVector, elements, child.type)] }
}

function arrayParts(column: string, vector: DuckDBArrayVector, items: Items, type: DataType): Parts {
  const size = vector.type.length
  const length = items.length * size
  const places =
    items.places &&
    Uint32Array.from({ length }, (_, index) => {
      return placeOf(items, Math.floor(index / size)) * size + (index % size)
    })
  const child = type.children[0]
  if (!child) throw new Error(`column "${column}": ${type} has no element type`)
  const elements = { length, start: items.start * size, places }
  return { children: [arrowData(column, elementsOf(vector), elements, child.type)] }
}

/** One bit per value, least significant first, from one byte per value. */
function packedBits(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array((bytes.length + 7) >> 3)
  bytes.forEach((byte, index) => {
    if (byte !== 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
  })
  return bits
}

const encoder = new TextEncoder()

/** ENUM, UUID and other types by their text, as UTF-8. */
function textParts(vector: DuckDBVector, items: Items): Parts {
  const texts: string[] = []
  for (let index = 0; index < items.length; index += 1) {
    const value = vector.getItem(placeOf(items, index))
    texts.push(value === null ? '' : String(value))
  }
  // Encodes all values in one call: a call per value costs more than joining them.
  const values = encoder.encode(texts.join(''))
  const ascii = values.length === texts.reduce((length, text) => length + text.length, 0)
  const offsets = new Int32Array(items.length + 1)
  let total = 0
  texts.forEach((text, index) => {
    total += ascii ? text.length : Buffer.byteLength(text)
    offsets[index + 1] = total
  })
  return { values, offsets }
}
