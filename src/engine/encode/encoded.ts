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
  const chunk = result.getChunk(0)
  const blobs = chunk.getColumnVector(0)
  // `getItem` would copy the bytes once more: those of a page are megabytes.
  const bytes = blobs instanceof DuckDBBlobVector ? blobs.getItemBytes(0) : null
  if (bytes !== null)
    return { bytes: aside(bytes), rows: Number(itemOf(result, 1)), end: endIn(result, page, 2) }
  throw new Error('the SQL of an encoder must return one row with one BLOB and the number of rows')
}

/** The most bytes that a BLOB has within a chunk. */
const INLINE_BYTES = 12

/** Bytes outside the chunk, whose memory DuckDB frees. */
const aside = (bytes: Uint8Array) => (bytes.byteLength <= INLINE_BYTES ? bytes.slice() : bytes)

/** The number of rows that a COPY has written. */
export const rowsCopied = (result: DuckDBMaterializedResult) => Number(itemOf(result, 0))

/** The end of a page from the columns of `PAGE_END`, the first of which is `column`. */
export function endIn(result: DuckDBMaterializedResult, page: Page | null, column: number): PageEnd | null {
  if (page === null) return null
  const values = [column, column + 1, column + 2].map(each => itemOf(result, each))
  return pageEndOf(
    page,
    values.map(value => (typeof value === 'bigint' ? value : null)),
  )
}

const itemOf = (result: DuckDBMaterializedResult, column: number) =>
  result.getChunk(0).getColumnVector(column).getItem(0)
