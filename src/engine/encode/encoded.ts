import type { FileHandle } from 'node:fs/promises'
import type { DuckDBMaterializedResult } from '@duckdb/node-api'
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
  const bytes = itemOf(result, 0)
  if (bytes !== null && typeof bytes === 'object' && 'bytes' in bytes && bytes.bytes instanceof Uint8Array)
    return { bytes: bytes.bytes, rows: Number(itemOf(result, 1)), end: endIn(result, page, 2) }
  throw new Error('the SQL of an encoder must return one row with one BLOB and the number of rows')
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
