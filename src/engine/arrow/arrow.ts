import type { DuckDBDataChunk, DuckDBMaterializedResult } from '@duckdb/node-api'
import { Data, Field, RecordBatch, Schema, Struct, Table } from 'apache-arrow'
import { run } from './memory.ts'
import { arrowType } from './types.ts'
import { arrowData } from './vectors.ts'

/**
 * A materialised result as an Arrow table with one record batch per chunk (2,048 rows). A result without rows has a
 * schema too. The table owns its memory and outlives the result. `get(row)` of a LIST column returns a vector over that
 * memory, without another copy.
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

const wholeBatch = (schema: Schema, chunk: DuckDBDataChunk) => recordBatch(schema, chunk, 0, chunk.rowCount)

/** Rows `from` to `to`, exclusive, of a chunk of a result of this schema. It owns its memory. Throws as `arrowTable`. */
export function recordBatch(schema: Schema, chunk: DuckDBDataChunk, from: number, to: number): RecordBatch {
  const rows = run(from, to - from)
  const columns = schema.fields.map((field, index) =>
    arrowData(field.name, chunk.getColumnVector(index), rows, field.type),
  )
  // Reads `chunk` after its memory was copied. Without this reference DuckDB could free the memory before.
  return new RecordBatch(schema, new Data(new Struct(schema.fields), 0, to - from, 0, {}, columns))
}
