import type { RecordBatch, Table } from 'apache-arrow'
import type { Wire } from '../engine/text/wire.ts'
import { type Column, columnOf } from './columns.ts'
import type { Field } from './fields.ts'

/** Writes the value at an index of a column into a message. */
export type FieldWriter = (wire: Wire, index: number) => void

/** A format of messages: the bytes around their fields, and how a field is written from its column. */
export interface Form {
  readonly begin: (wire: Wire) => void
  readonly end: (wire: Wire) => void
  /** Throws an Error if the field cannot hold the column's values. */
  readonly writer: (field: Field, column: Column, contractAt: (index: number) => string) => FieldWriter
}

/**
 * Consecutive rows, with a column per field in the fields' order. Plain memory, which can be transferred to a thread.
 */
export interface Batch {
  readonly rows: number
  readonly columns: readonly Column[]
}

/** The non-empty record batches of a table. Throws an Error that names a field whose column is missing. */
export function batchesOf(table: Table, fields: readonly Field[]): Batch[] {
  return table.batches
    .filter(({ numRows }) => numRows > 0)
    .map(batch => ({ rows: batch.numRows, columns: fields.map(({ name }) => columnIn(batch, name)) }))
}

const TWO_TO_32 = 4_294_967_296

/** All values of a BIGINT column. Throws an Error that names the column if it is missing or has another type. */
export function numbersOf(table: Table, name: string): Float64Array {
  const values = new Float64Array(table.numRows)
  let row = 0
  for (const batch of table.batches) {
    const column = columnIn(batch, name)
    if (column.is !== 'integer') throw new Error(`column "${name}" is not an integer column`)
    for (let index = 0; index < batch.numRows; index += 1)
      values[row++] = (column.words[index * 2 + 1] ?? 0) * TWO_TO_32 + ((column.words[index * 2] ?? 0) >>> 0)
  }
  return values
}

function columnIn({ schema, data }: RecordBatch, name: string): Column {
  const found = data.children[schema.fields.findIndex(field => field.name === name)]
  if (found === undefined) throw new Error(`the table has no column "${name}"`)
  return columnOf(name, found)
}

/** Writes a row in a form. Rows are numbered across the batches. */
export type RowWriter = (form: Form, wire: Wire, row: number) => void

interface Placed {
  readonly batch: Batch
  readonly start: number
  readonly end: number
  readonly writers: Map<Form, readonly FieldWriter[]>
}

/** `contract` is the field with a message's contract, for error messages. */
export function rowWriter(batches: readonly Batch[], fields: readonly Field[], contract: string): RowWriter {
  let rows = 0
  const placed = batches.map((batch): Placed => {
    const start = rows
    rows += batch.rows
    return { batch, start, end: rows, writers: new Map() }
  })
  const contractPlace = fields.findIndex(({ name }) => name === contract)
  let current = placed[0]

  /** Rows are usually written in order, so the batch of the last row is nearly always the right one. */
  function placedOf(row: number): Placed {
    if (current === undefined || row < current.start || row >= current.end)
      current = placed.find(({ start, end }) => row >= start && row < end)
    if (current === undefined) throw new Error(`there is no row ${row}`)
    return current
  }

  function writersOf(form: Form, { batch, writers }: Placed): readonly FieldWriter[] {
    const contractAt = (index: number) => textAt(batch.columns[contractPlace], contract, index)
    const made = fields.map((field, index) => form.writer(field, columnAt(batch, index), contractAt))
    writers.set(form, made)
    return made
  }

  return (form, wire, row) => {
    const place = placedOf(row)
    const writers = place.writers.get(form) ?? writersOf(form, place)
    const index = row - place.start
    form.begin(wire)
    for (const write of writers) write(wire, index)
    form.end(wire)
  }
}

function columnAt({ columns }: Batch, index: number): Column {
  const column = columns[index]
  if (column === undefined) throw new Error(`a batch has no column for field ${index}`)
  return column
}

function textAt(column: Column | undefined, name: string, index: number): string {
  if (column?.is !== 'text') throw new Error(`column "${name}" is not text`)
  const { values, offsets } = column
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString(
    'utf8',
    offsets[index],
    offsets[index + 1],
  )
}
