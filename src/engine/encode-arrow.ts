import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { tableToIPC } from 'apache-arrow'
import { arrowTable } from './arrow.ts'

/** A materialised result as an Arrow IPC stream: its schema, then one record batch a chunk. Throws as `arrowTable`. */
export function arrowStream(result: DuckDBMaterializedResult): Uint8Array {
  return tableToIPC(arrowTable(result), 'stream')
}
