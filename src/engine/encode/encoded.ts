import type { FileHandle } from 'node:fs/promises'
import type { DuckDBMaterializedResult } from '@duckdb/node-api'

/** An encoded result. */
export interface Encoded {
  readonly bytes: Uint8Array
  /** The number of its rows. */
  readonly rows: number
}

/** A result in a file. Whoever receives it closes the handle. */
export interface EncodedFile {
  readonly file: FileHandle
  /** The number of its rows. */
  readonly rows: number
}

/** The columns `bytes` and `rows` of the one row of an encoder. */
export function encodedIn(result: DuckDBMaterializedResult): Encoded {
  const bytes = itemOf(result, 0)
  if (bytes !== null && typeof bytes === 'object' && 'bytes' in bytes && bytes.bytes instanceof Uint8Array)
    return { bytes: bytes.bytes, rows: Number(itemOf(result, 1)) }
  throw new Error('the SQL of an encoder must return one row with one BLOB and the number of rows')
}

/** The number of rows that a COPY has written. */
export const rowsCopied = (result: DuckDBMaterializedResult) => Number(itemOf(result, 0))

const itemOf = (result: DuckDBMaterializedResult, column: number) =>
  result.getChunk(0).getColumnVector(column).getItem(0)
