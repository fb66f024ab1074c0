import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import type { DecodedArray, SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { run } from '../arrow/memory.ts'
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
  { from, to }: RowRange,
): Uint8Array {
  const data: unknown[][] = columns.map(() => [])
  let passed = 0
  for (let index = 0; index < result.chunkCount && passed < to; index += 1) {
    const chunk = result.getChunk(index)
    const [first, end] = [Math.max(from - passed, 0), Math.min(to - passed, chunk.rowCount)]
    passed += chunk.rowCount
    if (first >= end) continue
    columns.forEach(({ type }, column) => {
      // Reads `chunk` for each column: without this reference DuckDB could free its memory before.
      const values = valuesOf(chunk.getColumnVector(column), run(first, end - first), type)
      data[column]?.push(...values)
    })
  }
  const columnData = columns.map(({ name }, column) => ({
    name,
    data: data[column] as DecodedArray,
    offsetIndex: false,
  }))
  const written = parquetWriteBuffer({
    columnData,
    schema: schemaFor(columns),
    rowGroupSize: Math.max(1, to - from),
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
