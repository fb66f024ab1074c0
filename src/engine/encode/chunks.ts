import type { DuckDBDataChunk, DuckDBMaterializedResult } from '@duckdb/node-api'
import type { RowRange } from './page.ts'

/** The chunks that have some of these rows of a result, each with the range of them within the chunk. */
export function* chunksIn(
  result: DuckDBMaterializedResult,
  rows: RowRange,
): Generator<RowRange & { readonly chunk: DuckDBDataChunk }, void> {
  let passed = 0
  for (let index = 0; index < result.chunkCount && passed < rows.to; index += 1) {
    const chunk = result.getChunk(index)
    const [from, to] = [Math.max(rows.from - passed, 0), Math.min(rows.to - passed, chunk.rowCount)]
    if (from < to) yield { chunk, from, to }
    passed += chunk.rowCount
  }
}
