import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { bytesOf, run, validityOf } from '../arrow/memory.ts'
import { type Page, type PageEnd, pageEndOf, type RowRange } from '../encode/page.ts'
import type { ColumnType } from '../encode/types.ts'

/**
 * The rows of a page among those that the template returned, and its end: what `pageSql` computes in SQL, for few rows.
 * Without a page, all rows. Throws for a template that returns more rows than a page needs.
 */
export function rowsOfPage(
  result: DuckDBMaterializedResult,
  columns: readonly ColumnType[],
  page: Page | null,
): RowRange & { readonly end: PageEnd | null } {
  const read = result.rowCount
  if (page === null) return { from: 0, to: read, end: null }
  if (page.time === null) {
    const to = Math.min(read, page.rows)
    const end = pageEndOf(page, [to < read ? 0n : null, 0n, BigInt(read)])
    return { from: 0, to, end }
  }
  const times = timesOf(result, columns, page.time)
  const from = rowsPassed(times, page)
  const beyond = times[from + page.rows] ?? null
  let to = Math.min(read, from + page.rows)
  // A page ends before the rows of one time that do not all fit, unless it has no others.
  if (beyond !== null && times[from] !== beyond) while (to > from && times[to - 1] === beyond) to -= 1
  return { from, to, end: pageEndOf(page, [beyond, times[to - 1] ?? null, BigInt(read)]) }
}

/** The rows at the beginning that an earlier page has. */
function rowsPassed(times: readonly bigint[], { after }: Page): number {
  if (after === null) return 0
  let passed = 0
  while (passed < after.passed && (times[passed] ?? after.time - 1n) >= after.time) passed += 1
  return passed
}

/** The times of all rows in microseconds since 1970-01-01 UTC. */
function timesOf(
  result: DuckDBMaterializedResult,
  columns: readonly ColumnType[],
  name: string,
): readonly bigint[] {
  const column = columns.findIndex(each => each.name === name)
  return Array.from({ length: result.chunkCount }, (_, index) => {
    const chunk = result.getChunk(index)
    const vector = chunk.getColumnVector(column)
    const rows = run(0, chunk.rowCount)
    const copied = new BigInt64Array(bytesOf(vector, rows, 8, validityOf(vector, rows)).buffer)
    // Reads `chunk` after its memory was copied. Without this reference DuckDB could free the memory before.
    return [...copied.subarray(0, chunk.rowCount)]
  }).flat()
}
