import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import type { DecodedArray, SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { run } from '../arrow/memory.ts'
import { chunksIn } from '../encode/chunks.ts'
import type { RowRange } from '../encode/page.ts'
import type { ColumnType } from '../encode/types.ts'
import { schemaOf } from './elements.ts'
import { valuesOf } from './values.ts'

/**
 * Rows of a template's result as a Parquet file: the columns, types and values that the engine's COPY of `typedSql` has. The
 * engine writes many rows faster and on other threads, but a COPY is planned at each run and costs more than few rows do here.
 *
 * @param columns of types that `isWritable` (src/engine/text/values.ts) names
 */
export function parquetOf(
  result: DuckDBMaterializedResult,
  columns: readonly ColumnType[],
  rows: RowRange,
): Uint8Array {
  const data: unknown[][] = columns.map(() => [])
  for (const { chunk, from, to } of chunksIn(result, rows))
    columns.forEach(({ type }, column) => {
      // Reads `chunk` for each column: without this reference DuckDB could free its memory before.
      const values = valuesOf(chunk.getColumnVector(column), run(from, to - from), type)
      data[column]?.push(...values)
    })
  const columnData = columns.map(({ name }, column) => ({
    name,
    data: data[column] as DecodedArray,
    offsetIndex: false,
  }))
  const written = parquetWriteBuffer({
    columnData,
    schema: schemaFor(columns),
    rowGroupSize: Math.max(1, rows.to - rows.from),
    createdBy: 'tapehouse',
    // They choose row groups, of which there is one.
    statistics: false,
  })
  return new Uint8Array(written)
}

/** Columns are described once per template. */
const schemas = new WeakMap<readonly ColumnType[], SchemaElement[]>()

function schemaFor(columns: readonly ColumnType[]): SchemaElement[] {
  const schema = schemas.get(columns) ?? schemaOf(columns)
  schemas.set(columns, schema)
  return schema
}
