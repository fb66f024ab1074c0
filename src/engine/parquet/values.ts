import {
  DuckDBListVector,
  DuckDBStructVector,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBVector,
} from '@duckdb/node-api'
import { decimalWords } from '../arrow/decimals.ts'
import { finiteOf } from '../arrow/finite.ts'
import { listElements } from '../arrow/lists.ts'
import { bytesOf, type Items, isNull, type Validity, validityOf } from '../arrow/memory.ts'
import { bytesParts } from '../arrow/texts.ts'
import { writeUuid } from '../text/uuid.ts'
import { newWire } from '../text/wire.ts'

/** The items of a vector. */
interface Column {
  readonly vector: DuckDBVector
  readonly items: Items
  readonly type: DuckDBType
  readonly validity: Validity
}

/** A value of an item that is not null. */
type At = (index: number) => unknown

/**
 * The values of a vector's items as the writer of Parquet takes them: integers and days as numbers, those of 64 bits, decimals
 * without their point and microseconds as BigInt, texts and UUIDs as text, lists as arrays and structs as objects. NaN and the
 * infinities, also of dates and times, are null. `type` must be one that `isWritable` (src/engine/text/values.ts) names.
 */
export function valuesOf(vector: DuckDBVector, items: Items, type: DuckDBType): unknown[] {
  const read = READERS.get(type.typeId)
  if (read === undefined) throw new Error(`values of type ${type} are written by the engine only`)
  const validity = finiteOf(vector, items, validityOf(vector, items))
  const at = read({ vector, items, type, validity })
  return Array.from({ length: items.length }, (_, index) => (isNull(validity, index) ? null : at(index)))
}

interface Numbers {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer): ArrayLike<number | bigint>
}

const numbers =
  (Numbers: Numbers) =>
  ({ vector, items, validity }: Column): At => {
    const values = new Numbers(bytesOf(vector, items, Numbers.BYTES_PER_ELEMENT, validity).buffer)
    return index => values[index]
  }

const READERS: ReadonlyMap<DuckDBTypeId, (column: Column) => At> = new Map([
  [DuckDBTypeId.TINYINT, numbers(Int8Array)],
  [DuckDBTypeId.SMALLINT, numbers(Int16Array)],
  [DuckDBTypeId.INTEGER, numbers(Int32Array)],
  [DuckDBTypeId.UTINYINT, numbers(Uint8Array)],
  [DuckDBTypeId.USMALLINT, numbers(Uint16Array)],
  [DuckDBTypeId.BIGINT, numbers(BigInt64Array)],
  [DuckDBTypeId.DOUBLE, numbers(Float64Array)],
  [DuckDBTypeId.DATE, numbers(Int32Array)],
  [DuckDBTypeId.TIMESTAMP, numbers(BigInt64Array)],
  [DuckDBTypeId.TIMESTAMP_TZ, numbers(BigInt64Array)],
  [DuckDBTypeId.BOOLEAN, truths],
  [DuckDBTypeId.DECIMAL, decimals],
  [DuckDBTypeId.VARCHAR, texts],
  [DuckDBTypeId.UUID, uuids],
  [DuckDBTypeId.LIST, lists],
  [DuckDBTypeId.STRUCT, structs],
])

function truths({ vector, items, validity }: Column): At {
  const bytes = bytesOf(vector, items, 1, validity)
  return index => bytes[index] !== 0
}

function decimals({ vector, items, validity }: Column): At {
  const words = new BigInt64Array(decimalWords('', vector, items, validity).buffer)
  return index => {
    const [low = 0n, high = 0n] = [words[2 * index], words[2 * index + 1]]
    // The words of most decimals fit in the low one: what it lacks is its sign.
    return high === low >> 63n ? low : (high << 64n) | BigInt.asUintN(64, low)
  }
}

function texts({ vector, items, validity }: Column): At {
  const { values, offsets } = bytesParts(vector, items, validity)
  const { buffer, byteOffset, byteLength } = values
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  return index => bytes.toString('utf8', offsets[index], offsets[index + 1])
}

function uuids({ vector, items, validity }: Column): At {
  const bytes = bytesOf(vector, items, 16, validity)
  const wire = newWire(36)
  return index => {
    wire.at = 0
    writeUuid(wire, bytes, index * 16)
    return Buffer.from(wire.bytes.buffer, 0, wire.at).toString('latin1')
  }
}

function lists({ vector, items, type, validity }: Column): At {
  if (!(vector instanceof DuckDBListVector) || type.typeId !== DuckDBTypeId.LIST)
    throw new Error(`a vector of ${type} is no list`)
  const { offsets, elements } = listElements(vector, items, validity)
  const values = valuesOf(vector.childVector, elements, type.valueType)
  return index => values.slice(offsets[index], offsets[index + 1])
}

function structs({ vector, items, type }: Column): At {
  if (!(vector instanceof DuckDBStructVector) || type.typeId !== DuckDBTypeId.STRUCT)
    throw new Error(`a vector of ${type} is no struct`)
  const entries = type.entryTypes.map((entry, index) => valuesOf(vector.entryVectorAt(index), items, entry))
  return index => Object.fromEntries(type.entryNames.map((name, place) => [name, entries[place]?.[index]]))
}
