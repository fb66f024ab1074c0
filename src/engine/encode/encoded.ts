import type { FileHandle } from 'node:fs/promises'
import { DuckDBBlobVector, type DuckDBMaterializedResult } from '@duckdb/node-api'
import { type Page, type PageEnd, pageEndOf } from './page.ts'

/** An encoded result. */
export interface Encoded {
  readonly bytes: Uint8Array
  /** The number of its rows. */
  readonly rows: number
  /** The end of a page that another one follows. */
  readonly end?: PageEnd | null
}

/** A result in a file. Whoever receives it closes the handle. */
export interface EncodedFile {
  readonly file: FileHandle
  /** The number of its rows. */
  readonly rows: number
}

/** The one row of an encoder: `bytes`, `rows`, and the end of a page. */
export function encodedIn(result: DuckDBMaterializedResult, page: Page | null = null): Encoded {
  // The memory of a vector is only there as long as its chunk.
  const chunk = result.getChunk(0)
  const vector = chunk.getColumnVector(0)
  const bytes = vector instanceof DuckDBBlobVector ? vector.getItemBytes(0) : null
  if (bytes === null)
    throw new Error('the SQL of an encoder must return one row with one BLOB and the number of rows')
  // A few bytes are a view of that memory, more are a copy of it: `getItem` would copy them once more.
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
  return { bytes: own, rows: Number(chunk.getColumnVector(1).getItem(0)), end: endIn(result, page, 2) }
}

/** The number of rows that a COPY has written. */
export const rowsCopied = (result: DuckDBMaterializedResult) => Number(itemOf(result, 0))

/** The end of a page from the columns of `PAGE_END`, the first of which is `column`. */
function endIn(result: DuckDBMaterializedResult, page: Page | null, column: number): PageEnd | null {
  if (page === null) return null
  const values = [column, column + 1, column + 2].map(each => itemOf(result, each))
  return pageEndOf(
    page,
    values.map(value => (typeof value === 'bigint' ? value : null)),
  )
}

const itemOf = (result: DuckDBMaterializedResult, column: number) =>
  result.getChunk(0).getColumnVector(column).getItem(0)
