import { NUMBER_BYTES_MAX, writeDecimal, writeInteger } from '../engine/text/digits.ts'
import { utf8, writeString } from '../engine/text/json-string.ts'
import { reserve, type Wire, writeAll, writeByte } from '../engine/text/wire.ts'
import { bitAt, type Column, isNull, type Nulls } from './columns.ts'
import type { Field } from './fields.ts'
import { beyond, requireColumnType } from './protobuf-form.ts'
import type { Form } from './rows.ts'

const [BRACE, CLOSING_BRACE, COMMA, QUOTE] = [0x7b, 0x7d, 0x2c, 0x22]
const [BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d]

const NULL = utf8('null')
const BOOLEANS = { true: utf8('true'), false: utf8('false') }

/** The differences between the two kinds of JSON. */
interface Notation {
  readonly nameOf: (field: Field) => string
  /** The text of an unknown value; null omits the field. */
  readonly unknown: Uint8Array | null
  /** Whether zero, false and empty text are omitted in fields that are not `optional`. */
  readonly omitsDefaults: boolean
  readonly quotesInt64: boolean
}

/** Writes one value of a column. */
type ValueWriter = (wire: Wire, index: number) => void

function valueWriter(
  field: Field,
  column: Column,
  quotesInt64: boolean,
  contractAt: (index: number) => string,
): ValueWriter {
  switch (column.is) {
    case 'text':
      return (wire, index) =>
        writeString(wire, column.values, column.offsets[index] ?? 0, column.offsets[index + 1] ?? 0)
    case 'decimal':
      return (wire, index) => {
        writeByte(wire, QUOTE)
        reserve(wire, NUMBER_BYTES_MAX)
        writeDecimal(wire, column.words, index, column.scale)
        writeByte(wire, QUOTE)
      }
    case 'integer': {
      const narrow = field.type === 'int32'
      const quoted = quotesInt64 && !narrow
      return (wire, index) => {
        const low = column.words[index * 2] ?? 0
        const high = column.words[index * 2 + 1] ?? 0
        if (narrow && high !== low >> 31) throw beyond(field, low, high, contractAt(index))
        if (quoted) writeByte(wire, QUOTE)
        reserve(wire, NUMBER_BYTES_MAX)
        writeInteger(wire, low, high)
        if (quoted) writeByte(wire, QUOTE)
      }
    }
    case 'boolean':
      return (wire, index) => writeAll(wire, BOOLEANS[`${bitAt(column.bits, column.offset + index)}`])
    case 'texts':
      return (wire, index) => {
        const { offsets, elements } = column
        const from = offsets[index] ?? 0
        const to = offsets[index + 1] ?? 0
        writeByte(wire, BRACKET)
        for (let at = from; at < to; at += 1) {
          if (at > from) writeByte(wire, COMMA)
          writeString(wire, elements.values, elements.offsets[at] ?? 0, elements.offsets[at + 1] ?? 0)
        }
        writeByte(wire, CLOSING_BRACKET)
      }
  }
}

/** A test of whether the value at an index is the proto3 default. */
function emptyTest(column: Column): (index: number) => boolean {
  switch (column.is) {
    case 'text':
    case 'texts':
      return index => column.offsets[index] === column.offsets[index + 1]
    case 'integer':
      return index => column.words[index * 2] === 0 && column.words[index * 2 + 1] === 0
    case 'boolean':
      return index => !bitAt(column.bits, column.offset + index)
    case 'decimal':
      // A decimal is text, and never empty.
      return () => false
  }
}

/** An unknown list is an empty one. */
const nullsOf = (column: Column): Nulls => (column.is === 'texts' ? null : column.nulls)

function jsonIn({ nameOf, unknown, omitsDefaults, quotesInt64 }: Notation): Form {
  return {
    begin: wire => writeByte(wire, BRACE),
    end: wire => writeByte(wire, CLOSING_BRACE),
    writer(field, column, contractAt) {
      requireColumnType(field, column)
      const name = utf8(`${JSON.stringify(nameOf(field))}:`)
      const writeValue = valueWriter(field, column, quotesInt64, contractAt)
      const nulls = nullsOf(column)
      const isEmpty = omitsDefaults && !field.optional ? emptyTest(column) : () => false
      return (wire, index) => {
        const none = isNull(nulls, index)
        if (none ? unknown === null : isEmpty(index)) return
        if (wire.bytes[wire.at - 1] !== BRACE) writeByte(wire, COMMA)
        writeAll(wire, name)
        if (none && unknown !== null) writeAll(wire, unknown)
        else writeValue(wire, index)
      }
    },
  }
}

/** The socket's JSON: the proto's names, integers as numbers, decimals as strings, null for unknown values. */
export const jsonForm = jsonIn({
  nameOf: ({ name }) => name,
  unknown: NULL,
  omitsDefaults: false,
  quotesInt64: false,
})

/** Canonical ProtoJSON, https://protobuf.dev/programming-guides/json: zero, empty and unknown values are omitted. */
export const protoJsonForm = jsonIn({
  nameOf: ({ jsonName }) => jsonName,
  unknown: null,
  omitsDefaults: true,
  quotesInt64: true,
})
