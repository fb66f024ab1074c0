import type { Table } from 'apache-arrow'
import { contractField, fieldsOf, type MessageKind } from './fields.ts'
import { jsonForm, protoJsonForm } from './json-form.ts'
import { protobufForm } from './protobuf-form.ts'
import { type Form, rowsOf } from './rows.ts'
import { newWire, prefixLength, reserve, type Wire, written } from './wire.ts'

export type { MessageKind } from './fields.ts'

/** Rows of an Arrow table as messages of one kind. What they are is described by the message's own fields. */
export interface Messages {
  readonly rows: number
  /** When each message is due: Unix milliseconds of tape time, ascending. */
  readonly dueMs: Float64Array
  /** proto3 wire bytes of one message, without length or envelope. Throws a Failure for a number beyond its field. */
  protobuf(row: number): Uint8Array
  /** The socket's JSON text: snake_case names, integers as numbers, decimals as strings, null where unknown. */
  json(row: number): string
  /** Appends one message in a form of a stream's. Throws like `protobuf`. */
  append(form: StreamForm, wire: Wire, row: number): void
}

/** `protobuf`: the length as a varint, then the message. `json`: canonical ProtoJSON and a line feed. */
export type StreamForm = 'protobuf' | 'json'

const LINE_FEED = 10

/**
 * The rows of a table with the column `due_ms` (BIGINT) and one for each field of the message, under its name. Throws an Error that names a column which is missing or of a type that its field does not take.
 */
export function messagesOf(kind: MessageKind, table: Table): Messages {
  const fields = fieldsOf(kind)
  const rows = rowsOf(table, fields, contractField(kind))
  const own = newWire(1024)
  const alone = <T>(form: Form, row: number, take: (wire: Wire) => T): T => {
    own.at = 0
    rows.write(form, own, row)
    return take(own)
  }
  const streamForms: Readonly<Record<StreamForm, (wire: Wire, row: number) => void>> = {
    protobuf(wire, row) {
      reserve(wire, 1)
      const start = wire.at++
      rows.write(protobufForm, wire, row)
      prefixLength(wire, start)
    },
    json(wire, row) {
      rows.write(protoJsonForm, wire, row)
      reserve(wire, 1)
      wire.bytes[wire.at++] = LINE_FEED
    },
  }
  return {
    rows: table.numRows,
    dueMs: rows.numbers('due_ms'),
    protobuf: row => alone(protobufForm, row, wire => written(wire)),
    json: row => alone(jsonForm, row, textOf),
    append: (form, wire, row) => streamForms[form](wire, row),
  }
}

const textOf = ({ bytes, at }: Wire) => Buffer.from(bytes.buffer, bytes.byteOffset, at).toString()
