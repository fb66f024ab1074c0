import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBMaterializedResult,
} from '@duckdb/node-api'

/** Columns of numbers by name, all of the same length. NaN represents NULL. */
export type NumberColumns = Readonly<Record<string, Float64Array>>

/** The most rows in a chunk: DuckDB's vector size. */
const CHUNK_ROWS = 2048

/** Reads a result whose columns are DOUBLE or INTEGER. Throws for a value of any other type. */
export function readNumbers(result: DuckDBMaterializedResult): NumberColumns {
  const columns = result.columnNames().map(name => ({ name, values: new Float64Array(result.rowCount) }))
  let start = 0
  for (let index = 0; index < result.chunkCount; index += 1) {
    const chunk = result.getChunk(index)
    const { rowCount } = chunk
    columns.forEach(({ name, values }, column) => {
      const vector = chunk.getColumnVector(column)
      for (let row = 0; row < rowCount; row += 1) {
        const value = vector.getItem(row)
        if (value !== null && typeof value !== 'number') throw new Error(`column "${name}" is not numeric`)
        values[start + row] = value ?? Number.NaN
      }
    })
    start += rowCount
  }
  return Object.fromEntries(columns.map(({ name, values }) => [name, values]))
}

/** Appends rows to a table whose columns are all DOUBLE and in the order of `columns`. */
export async function appendNumbers(
  connection: DuckDBConnection,
  table: string,
  columns: NumberColumns,
): Promise<void> {
  const values = Object.values(columns)
  const rows = values[0]?.length ?? 0
  const types = values.map(() => DOUBLE)
  const appender = await connection.createAppender(table)
  try {
    for (let start = 0; start < rows; start += CHUNK_ROWS) {
      const end = Math.min(rows, start + CHUNK_ROWS)
      const chunk = DuckDBDataChunk.create(types, end - start)
      values.forEach((column, index) => {
        const items = Array.from(column.subarray(start, end), value => (Number.isNaN(value) ? null : value))
        chunk.setColumnValues(index, items)
      })
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}
