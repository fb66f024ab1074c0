import type { Table } from 'apache-arrow'
import { type Column, columnOf } from './columns.ts'
import type { Field } from './fields.ts'
import type { Wire } from './wire.ts'

/** Writes the value at an index of a column into a message. */
export type FieldWriter = (wire: Wire, index: number) => void

/** A way to write messages: what stands around their fields, and how a field is written from its column. */
export interface Form {
  readonly begin: (wire: Wire) => void
  readonly end: (wire: Wire) => void
  /** Throws an Error if the field does not take such a column, or undefined if it would always write nothing. */
  readonly writer: (field: Field, column: Column, contractAt: (index: number) => string) => FieldWriter
}

/** The rows of a table, whichever batch they stand in. */
export interface Rows {
  write(form: Form, wire: Wire, row: number): void
  /** A whole BIGINT column. */
  numbers(column: string): Float64Array
}

interface Batch {
  readonly start: number
  readonly end: number
  column(name: string): Column
  readonly writers: Map<Form, readonly FieldWriter[]>
}

const TWO_TO_32 = 4_294_967_296

/** `contract` is the column that says what a message is about, for the text of an error. */
export function rowsOf(table: Table, fields: readonly Field[], contract: string): Rows {
  const batches = batchesOf(table)
  let current = batches[0]

  /** Rows are asked for one after the other, so the batch of the last one is nearly always the right one. */
  function batchOf(row: number): Batch {
    if (current === undefined || row < current.start || row >= current.end)
      current = batches.find(({ start, end }) => row >= start && row < end)
    if (current === undefined) throw new Error(`there is no row ${row}`)
    return current
  }

  function writersOf(form: Form, batch: Batch): readonly FieldWriter[] {
    const contractAt = (index: number) => textAt(batch.column(contract), contract, index)
    const made = fields.map(field => form.writer(field, batch.column(field.name), contractAt))
    batch.writers.set(form, made)
    return made
  }

  return {
    write(form, wire, row) {
      const batch = batchOf(row)
      const writers = batch.writers.get(form) ?? writersOf(form, batch)
      const index = row - batch.start
      form.begin(wire)
      for (const write of writers) write(wire, index)
      form.end(wire)
    },
    numbers(name) {
      const values = new Float64Array(table.numRows)
      for (const { start, end, column } of batches) {
        const found = column(name)
        if (found.is !== 'integer') throw new Error(`column "${name}" is not of integers`)
        for (let index = 0; index < end - start; index += 1)
          values[start + index] =
            (found.words[index * 2 + 1] ?? 0) * TWO_TO_32 + ((found.words[index * 2] ?? 0) >>> 0)
      }
      return values
    },
  }
}

function batchesOf(table: Table): Batch[] {
  const names = table.schema.fields.map(({ name }) => name)
  let start = 0
  return table.batches
    .filter(batch => batch.numRows > 0)
    .map(batch => {
      const columns = new Map<string, Column>()
      const column = (name: string) => {
        const data = batch.data.children[names.indexOf(name)]
        if (data === undefined) throw new Error(`the table has no column "${name}"`)
        const found = columns.get(name) ?? columnOf(name, data)
        columns.set(name, found)
        return found
      }
      const range = { start, end: start + batch.numRows }
      start = range.end
      return { ...range, column, writers: new Map() }
    })
}

function textAt(column: Column, name: string, index: number): string {
  if (column.is !== 'text') throw new Error(`column "${name}" is not text`)
  const { values, offsets } = column
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString(
    'utf8',
    offsets[index],
    offsets[index + 1],
  )
}
