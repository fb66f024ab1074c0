import type { DuckDBDataChunk, DuckDBMaterializedResult } from '@duckdb/node-api'
import { Data, Field, RecordBatch, Schema, Struct, Table } from 'apache-arrow'
import { type Items, run } from './memory.ts'
import { hasNoValue, nulls } from './nulls.ts'
import { arrowType } from './types.ts'
import { arrowData } from './vectors.ts'

/**
 * A materialised result as an Arrow table with one record batch per chunk (2,048 rows). A result without rows has a
 * schema too. The table owns its memory and outlives the result. `get(row)` of a LIST column returns a vector over that
 * memory, without another copy. Columns without values share their memory, which is zeros: Arrow's writers of IPC take such
 * memory for one buffer, so that a table is read, and a result is encoded (`recordBatch`).
 *
 * Throws for a column whose type has no Arrow equivalent here, and for a 128-bit integer of more than 38 digits.
 */
export function arrowTable(result: DuckDBMaterializedResult): Table {
  const schema = arrowSchema(result)
  const batches = Array.from({ length: result.chunkCount }, (_, index) =>
    wholeBatch(schema, result.getChunk(index)),
  )
  return new Table(schema, batches)
}

/** The columns of a result. Throws for a type that has no Arrow equivalent here. */
export function arrowSchema(result: DuckDBMaterializedResult): Schema {
  const names = result.columnNames()
  const fields = result.columnTypes().map((type, index) => {
    const name = names[index] ?? ''
    return new Field(name, arrowType(name, type), true)
  })
  return new Schema(fields)
}

const wholeBatch = (schema: Schema, chunk: DuckDBDataChunk) =>
  batchOf(schema, chunk, run(0, chunk.rowCount), ({ type }, index) =>
    hasNoValue(chunk, index, type) ? nulls(type, chunk.rowCount) : null,
  )

/** Rows `from` to `to`, exclusive, of a chunk of a result of this schema. It owns its memory. Throws as `arrowTable`. */
export const recordBatch = (schema: Schema, chunk: DuckDBDataChunk, from: number, to: number): RecordBatch =>
  batchOf(schema, chunk, run(from, to - from), () => null)

/** `known` has columns whose vectors need not be read. */
function batchOf(
  schema: Schema,
  chunk: DuckDBDataChunk,
  rows: Items,
  known: (field: Field, index: number) => Data | null,
): RecordBatch {
  const columns = schema.fields.map(
    (field, index) =>
      known(field, index) ?? arrowData(field.name, chunk.getColumnVector(index), rows, field.type),
  )
  // Reads `chunk` after its memory was copied. Without this reference DuckDB could free the memory before.
  return new RecordBatch(schema, new Data(new Struct(schema.fields), 0, rows.length, 0, {}, columns))
}
