import { Failure } from '../engine/failure.ts'
import { writeDecimal } from '../engine/text/digits.ts'
import { reserve } from '../engine/text/wire.ts'
import { bitAt, type Column, isNull, type TextColumn } from './columns.ts'
import type { Field, FieldType } from './fields.ts'
import type { FieldWriter, Form } from './rows.ts'
import { LENGTH_DELIMITED, tagOf, VARINT, writeDelimited, writeTag, writeVarint64 } from './wire.ts'

/** The most bytes of a field that is not text: the tag, and a varint or a decimal. */
const FIELD_BYTES_MAX = 64

function textWriter(field: Field, { values, offsets, nulls }: TextColumn): FieldWriter {
  const tag = tagOf(field.number, LENGTH_DELIMITED)
  return (wire, index) => {
    const from = offsets[index] ?? 0
    const to = offsets[index + 1] ?? 0
    // An empty field is omitted, unless it is `optional` and known.
    if (from === to && (!field.optional || isNull(nulls, index))) return
    writeDelimited(wire, tag, values, from, to)
  }
}

function decimalWriter(field: Field, { words, scale, nulls }: Column & { is: 'decimal' }): FieldWriter {
  const tag = tagOf(field.number, LENGTH_DELIMITED)
  return (wire, index) => {
    if (isNull(nulls, index)) return
    reserve(wire, FIELD_BYTES_MAX)
    writeTag(wire, tag)
    // The text has at most 41 bytes, so its length takes one byte.
    const start = wire.at++
    writeDecimal(wire, words, index, scale)
    wire.bytes[start] = wire.at - start - 1
  }
}

function integerWriter(
  field: Field,
  { words, nulls }: Column & { is: 'integer' },
  contractAt: (index: number) => string,
): FieldWriter {
  const tag = tagOf(field.number, VARINT)
  const narrow = field.type === 'int32'
  return (wire, index) => {
    const low = words[index * 2] ?? 0
    const high = words[index * 2 + 1] ?? 0
    if (low === 0 && high === 0 && (!field.optional || isNull(nulls, index))) return
    if (narrow && high !== low >> 31) throw beyond(field, low, high, contractAt(index))
    reserve(wire, FIELD_BYTES_MAX)
    writeTag(wire, tag)
    writeVarint64(wire, low, high)
  }
}

function booleanWriter(field: Field, column: Column & { is: 'boolean' }): FieldWriter {
  const tag = tagOf(field.number, VARINT)
  const { bits, offset, nulls } = column
  return (wire, index) => {
    const value = bitAt(bits, offset + index)
    if (!value && (!field.optional || isNull(nulls, index))) return
    reserve(wire, FIELD_BYTES_MAX)
    writeTag(wire, tag)
    wire.bytes[wire.at++] = value ? 1 : 0
  }
}

function textsWriter(field: Field, column: Column & { is: 'texts' }): FieldWriter {
  const tag = tagOf(field.number, LENGTH_DELIMITED)
  const { offsets, elements } = column
  return (wire, index) => {
    const end = offsets[index + 1] ?? 0
    for (let at = offsets[index] ?? 0; at < end; at += 1)
      writeDelimited(wire, tag, elements.values, elements.offsets[at] ?? 0, elements.offsets[at + 1] ?? 0)
  }
}

/** The Failure for a value that does not fit in its field. */
export function beyond(field: Field, low: number, high: number, contract: string): Failure {
  const value = (BigInt(high) << 32n) | BigInt(low >>> 0)
  return new Failure(
    'lake_damaged',
    `${contract}: ${field.name} ${value} does not fit in the 32 bits of its field: correct the trades of this contract in the lake and derive them again`,
  )
}

/** The types of columns that a field of each type can hold. */
const COLUMN_TYPES: Readonly<Record<FieldType, readonly Column['is'][]>> = {
  string: ['text', 'decimal'],
  int32: ['integer'],
  int64: ['integer'],
  bool: ['boolean'],
  strings: ['texts'],
}

/** Throws an Error that names the field if its type cannot hold the column's values. */
export function requireColumnType(field: Field, column: Column): void {
  if (!COLUMN_TYPES[field.type].includes(column.is))
    throw new Error(`column "${field.name}" is ${column.is}, which a field of type ${field.type} cannot hold`)
}

/** The proto3 wire format: fields by number, without unknown, empty and zero ones. */
export const protobufForm: Form = {
  begin: () => {},
  end: () => {},
  writer(field, column, contractAt) {
    requireColumnType(field, column)
    switch (column.is) {
      case 'text':
        return textWriter(field, column)
      case 'decimal':
        return decimalWriter(field, column)
      case 'integer':
        return integerWriter(field, column, contractAt)
      case 'boolean':
        return booleanWriter(field, column)
      case 'texts':
        return textsWriter(field, column)
    }
  },
}
