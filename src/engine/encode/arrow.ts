import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { tableToIPC } from 'apache-arrow'
import { arrowTable } from '../arrow/arrow.ts'
import { ARROW_END } from './arrow-end.ts'

/** A materialised result as an Arrow IPC stream: its schema, then one record batch per chunk. Throws as `arrowTable`. */
export function arrowStream(result: DuckDBMaterializedResult): Uint8Array {
  return tableToIPC(arrowTable(result), 'stream')
}

/**
 * A materialised result as part of an Arrow IPC stream: the schema unless the part `follows` another one, then the
 * record batches. The caller ends the stream with `ARROW_END`. Throws as `arrowTable`.
 */
export function arrowPart(result: DuckDBMaterializedResult, follows: boolean): Uint8Array {
  const stream = arrowStream(result)
  // A message is 0xFFFFFFFF, the length of its metadata, the metadata and a body. The first message, the schema, has none.
  const schema = 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true)
  return stream.subarray(follows ? schema : 0, stream.byteLength - ARROW_END.byteLength)
}
