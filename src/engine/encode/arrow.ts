import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { tableToIPC } from 'apache-arrow'
import { arrowTable } from '../arrow/arrow.ts'

/** A materialised result as an Arrow IPC stream: its schema, then one record batch a chunk. Throws as `arrowTable`. */
export function arrowStream(result: DuckDBMaterializedResult): Uint8Array {
  return tableToIPC(arrowTable(result), 'stream')
}

/** What an Arrow IPC stream ends with: a message of no length. */
export const ARROW_END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0)

/**
 * A materialised result as part of an Arrow IPC stream, which `ARROW_END` ends: the schema unless this `follows`
 * another part, then its record batches. Throws as `arrowTable`.
 */
export function arrowPart(result: DuckDBMaterializedResult, follows: boolean): Uint8Array {
  const stream = arrowStream(result)
  // A message is 0xFFFFFFFF, the length of its metadata, and that; the schema's has no body and comes first.
  const schema = 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true)
  return stream.subarray(follows ? schema : 0, stream.byteLength - ARROW_END.byteLength)
}
