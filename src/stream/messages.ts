import type { Table } from 'apache-arrow'
import { newWire, reserve, type Wire, written } from '../engine/text/wire.ts'
import { contractField, fieldsOf, type MessageKind } from './fields.ts'
import { jsonForm, protoJsonForm } from './json-form.ts'
import { protobufForm } from './protobuf-form.ts'
import { type Batch, batchesOf, type Form, numbersOf, rowWriter } from './rows.ts'
import { prefixLength } from './wire.ts'

export type { MessageKind } from './fields.ts'

/** Rows that are messages of one kind, as plain memory, which can be transferred to another thread. */
export interface MessageColumns {
  readonly kind: MessageKind
  readonly rows: number
  /** When each message is due: Unix milliseconds of tape time, ascending. */
  readonly dueMs: Float64Array
  readonly batches: readonly Batch[]
}

/**
 * The rows of a table with the column `due_ms` (BIGINT) and a column for each field of the message. Throws an Error
 * that names a missing column.
 */
export const columnsOf = (kind: MessageKind, table: Table): MessageColumns => ({
  kind,
  rows: table.numRows,
  dueMs: numbersOf(table, 'due_ms'),
  batches: batchesOf(table, fieldsOf(kind)),
})

/**
 * Writes messages by row number. Each function throws a Failure for a number that does not fit in its field, and an
 * Error that names a column with a type that its field cannot hold.
 */
export interface MessageWriter {
  /** proto3 wire bytes of one message, without length or envelope. */
  protobuf(row: number): Uint8Array
  /** The socket's JSON text: snake_case names, integers as numbers, decimals as strings, null where unknown. */
  json(row: number): string
  /** Appends one message in the form of a stream. */
  append(form: StreamForm, wire: Wire, row: number): void
}

/** Messages and their writer. */
export interface Messages extends MessageColumns, MessageWriter {}

/** `protobuf`: the length as a varint, then the message. `json`: canonical ProtoJSON and a line feed. */
export type StreamForm = 'protobuf' | 'json'

const LINE_FEED = 10

export const messagesOf = (columns: MessageColumns): Messages => ({ ...columns, ...writerOf(columns) })

/** Rows are numbered across the batches. */
export function writerOf({ kind, batches }: Pick<MessageColumns, 'kind' | 'batches'>): MessageWriter {
  const write = rowWriter(batches, fieldsOf(kind), contractField(kind))
  const own = newWire(1024)
  const alone = <T>(form: Form, row: number, take: (wire: Wire) => T): T => {
    own.at = 0
    write(form, own, row)
    return take(own)
  }
  const streamForms: Readonly<Record<StreamForm, (wire: Wire, row: number) => void>> = {
    protobuf(wire, row) {
      reserve(wire, 1)
      const start = wire.at++
      write(protobufForm, wire, row)
      prefixLength(wire, start)
    },
    json(wire, row) {
      write(protoJsonForm, wire, row)
      reserve(wire, 1)
      wire.bytes[wire.at++] = LINE_FEED
    },
  }
  return {
    protobuf: row => alone(protobufForm, row, wire => written(wire)),
    json: row => alone(jsonForm, row, textOf),
    append: (form, wire, row) => streamForms[form](wire, row),
  }
}

const textOf = ({ bytes, at }: Wire) => Buffer.from(bytes.buffer, bytes.byteOffset, at).toString()
