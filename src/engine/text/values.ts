import {
  DuckDBListVector,
  DuckDBStructVector,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBVector,
} from '@duckdb/node-api'
import { decimalWords } from '../arrow/decimals.ts'
import { listElements } from '../arrow/lists.ts'
import { type Items, isNull, type Validity, validityOf, viewOf } from '../arrow/memory.ts'
import { bytesParts } from '../arrow/texts.ts'
import { isJson } from '../encode/types.ts'
import { NUMBER_BYTES_MAX, writeDecimal, writeInteger } from './digits.ts'
import { doubleText } from './double.ts'
import { utf8, writeString } from './json-string.ts'
import { objectWriter, valueWriter } from './object.ts'
import { type SecondDigits, TIME_BYTES_MAX, writeDay, writeInstant } from './times.ts'
import { writeUuid } from './uuid.ts'
import { reserve, type Wire, writeAll, writeByte, writeBytes, writeText } from './wire.ts'

/** Writes one value. Returns false for one that only the engine can write: the row is incomplete then. */
export type Write = (wire: Wire, index: number) => boolean

/** The values of a column of a chunk as text. */
export interface Texts {
  /** `plain` is a number, a truth, a decimal or a time, which a field of CSV has as it is. */
  readonly is: 'plain' | 'text' | 'nested'
  readonly isNull: (index: number) => boolean
  /** A value that is not null as JSON. */
  readonly json: Write
  /** A value that is not null, without quotes and escapes. */
  readonly plain: Write
}

interface Written extends Omit<Texts, 'isNull'> {
  /** Whether a value that is not null is written as null. */
  readonly isNone?: (index: number) => boolean
}

/** A column of a chunk: the items of a vector. */
interface Column {
  readonly vector: DuckDBVector
  readonly items: Items
  readonly type: DuckDBType
  readonly validity: Validity
  readonly digits: SecondDigits
}

/**
 * The values of a vector's items as the texts that the SQL of `jsonForms` and `fieldText` writes. `type` must be one that
 * `isWritable` names. They may be written as long as there is a reference to the vector's chunk.
 *
 * @param digits of a second, for timestamps at any depth
 */
export function textsOf(vector: DuckDBVector, items: Items, type: DuckDBType, digits: SecondDigits): Texts {
  const validity = validityOf(vector, items)
  const write = WRITERS.get(type.typeId)
  if (write === undefined) throw new Error(`values of type ${type} are written by the engine only`)
  const { isNone, ...texts } = write({ vector, items, type, validity, digits })
  const isNullAt = validity.nullCount === 0 ? NEVER : (index: number) => isNull(validity, index)
  return {
    ...texts,
    isNull: isNone === undefined ? isNullAt : index => isNullAt(index) || isNone(index),
  }
}

/** Whether `textsOf` writes values of a type. Those of JSON must be as `rowsSql` makes them. */
export function isWritable(type: DuckDBType): boolean {
  if (!WRITERS.has(type.typeId)) return false
  if (type.typeId === DuckDBTypeId.LIST) return isWritable(type.valueType)
  return type.typeId !== DuckDBTypeId.STRUCT || type.entryTypes.every(isWritable)
}

const NEVER = () => false
const [COMMA, QUOTE, BRACKET, CLOSING_BRACKET] = [0x2c, 0x22, 0x5b, 0x5d]
const [TRUE, FALSE] = [utf8('true'), utf8('false')]

const plain = (write: Write): Written => ({ is: 'plain', json: write, plain: write })
const nested = (write: Write): Written => ({ is: 'nested', json: write, plain: write })

/** Plain in CSV, and between quotes in JSON. */
const quoted = (write: Write): Written => ({
  is: 'plain',
  plain: write,
  json(wire, index) {
    writeByte(wire, QUOTE)
    const isWritten = write(wire, index)
    writeByte(wire, QUOTE)
    return isWritten
  },
})

interface Numbers<Values = ArrayLike<number>> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Values
}

/** The memory of a column as numbers, `each` of which are a value. */
function numbersOf<Values>(Numbers: Numbers<Values>, { vector, items, validity }: Column, each = 1): Values {
  const bytes = viewOf(vector, items, Numbers.BYTES_PER_ELEMENT * each, validity)
  return new Numbers(bytes.buffer, bytes.byteOffset, items.length * each)
}

/** Integers of at most 32 bits. */
const integers =
  (Numbers: Numbers) =>
  (column: Column): Written => {
    const values = numbersOf(Numbers, column)
    return plain((wire, index) => {
      const value = values[index] ?? 0
      reserve(wire, NUMBER_BYTES_MAX)
      writeInteger(wire, value, value < 0 ? -1 : 0)
      return true
    })
  }

/** Two 32-bit words per value, the low one first. */
const wordsOf = (column: Column) => numbersOf(Int32Array, column, 2)

function instants(column: Column): Written {
  const words = wordsOf(column)
  return quoted((wire, index) => {
    reserve(wire, TIME_BYTES_MAX)
    return writeInstant(wire, words[index * 2] ?? 0, words[index * 2 + 1] ?? 0, column.digits)
  })
}

const WRITERS: ReadonlyMap<DuckDBTypeId, (column: Column) => Written> = new Map([
  [DuckDBTypeId.TINYINT, integers(Int8Array)],
  [DuckDBTypeId.SMALLINT, integers(Int16Array)],
  [DuckDBTypeId.INTEGER, integers(Int32Array)],
  [DuckDBTypeId.UTINYINT, integers(Uint8Array)],
  [DuckDBTypeId.USMALLINT, integers(Uint16Array)],
  [
    DuckDBTypeId.BIGINT,
    column => {
      const words = wordsOf(column)
      return plain((wire, index) => {
        reserve(wire, NUMBER_BYTES_MAX)
        writeInteger(wire, words[index * 2] ?? 0, words[index * 2 + 1] ?? 0)
        return true
      })
    },
  ],
  [
    DuckDBTypeId.BOOLEAN,
    column => {
      const values = numbersOf(Uint8Array, column)
      return plain((wire, index) => {
        writeAll(wire, values[index] === 0 ? FALSE : TRUE)
        return true
      })
    },
  ],
  [
    DuckDBTypeId.DOUBLE,
    column => {
      const values = numbersOf(Float64Array, column)
      const write: Write = (wire, index) => {
        writeText(wire, doubleText(values[index] ?? 0))
        return true
      }
      // NaN and the infinities are null in every format.
      return { ...plain(write), isNone: index => !Number.isFinite(values[index] ?? 0) }
    },
  ],
  [
    DuckDBTypeId.DECIMAL,
    ({ vector, items, type, validity }) => {
      const scale = type.typeId === DuckDBTypeId.DECIMAL ? type.scale : 0
      const words = new Int32Array(decimalWords('', vector, items, validity).buffer)
      return quoted((wire, index) => {
        reserve(wire, NUMBER_BYTES_MAX)
        writeDecimal(wire, words, index, scale)
        return true
      })
    },
  ],
  [
    DuckDBTypeId.DATE,
    column => {
      const days = numbersOf(Int32Array, column)
      return quoted((wire, index) => {
        reserve(wire, TIME_BYTES_MAX)
        return writeDay(wire, days[index] ?? 0)
      })
    },
  ],
  [DuckDBTypeId.TIMESTAMP, instants],
  [DuckDBTypeId.TIMESTAMP_TZ, instants],
  [
    DuckDBTypeId.UUID,
    column => {
      const bytes = numbersOf(Uint8Array, column, 16)
      return quoted((wire, index) => {
        writeUuid(wire, bytes, index * 16)
        return true
      })
    },
  ],
  [
    DuckDBTypeId.VARCHAR,
    ({ vector, items, type, validity }) => {
      const { values, offsets } = bytesParts(vector, items, validity)
      const written = (write: typeof writeString) => (wire: Wire, index: number) => {
        write(wire, values, offsets[index] ?? 0, offsets[index + 1] ?? 0)
        return true
      }
      if (isJson(type)) return nested(written(writeBytes))
      return { is: 'text', json: written(writeString), plain: written(writeBytes) }
    },
  ],
  [DuckDBTypeId.LIST, lists],
  [DuckDBTypeId.STRUCT, structs],
])

function lists({ vector, items, type, validity, digits }: Column): Written {
  if (!(vector instanceof DuckDBListVector) || type.typeId !== DuckDBTypeId.LIST)
    throw new Error(`a vector of ${type} is no list`)
  const { offsets, elements } = listElements(vector, items, validity)
  const values = textsOf(vector.childVector, elements, type.valueType, digits)
  const write = valueWriter(values)
  return nested((wire, index) => {
    const from = offsets[index] ?? 0
    const to = offsets[index + 1] ?? 0
    writeByte(wire, BRACKET)
    for (let at = from; at < to; at += 1) {
      if (at > from) writeByte(wire, COMMA)
      if (!write(wire, at)) return false
    }
    writeByte(wire, CLOSING_BRACKET)
    return true
  })
}

function structs({ vector, items, type, digits }: Column): Written {
  if (!(vector instanceof DuckDBStructVector) || type.typeId !== DuckDBTypeId.STRUCT)
    throw new Error(`a vector of ${type} is no struct`)
  const entries = type.entryTypes.map((entry, index) =>
    textsOf(vector.entryVectorAt(index), items, entry, digits),
  )
  return nested(objectWriter(type.entryNames, entries))
}
