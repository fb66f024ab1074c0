import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { RecordBatchStreamWriter } from 'apache-arrow'
import { arrowSchema, recordBatch } from '../arrow/arrow.ts'
import { ARROW_END } from './arrow-end.ts'
import { chunksIn } from './chunks.ts'
import type { RowRange } from './page.ts'
import { inTurns } from './turns.ts'

/**
 * Rows of a materialised result as an Arrow IPC stream: its schema, then one record batch per chunk (2,048 rows). Other requests
 * get turns between the batches. Rejects with the signal's reason if that aborts, and as `arrowTable` throws.
 */
export const arrowStream = (
  result: DuckDBMaterializedResult,
  rows: RowRange,
  signal: AbortSignal,
): Promise<Uint8Array> => inTurns(batchByBatch(result, rows), signal)

/**
 * A materialised result as part of an Arrow IPC stream: the schema unless the part `follows` another one, then the
 * record batches. The caller ends the stream with `ARROW_END`. Rejects as `arrowStream`.
 */
export async function arrowPart(
  result: DuckDBMaterializedResult,
  follows: boolean,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const stream = await arrowStream(result, { from: 0, to: result.rowCount }, signal)
  // A message is 0xFFFFFFFF, the length of its metadata, the metadata and a body. The first message, the schema, has none.
  const schema = 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true)
  return stream.subarray(follows ? schema : 0, stream.byteLength - ARROW_END.byteLength)
}

/** A batch of many columns takes milliseconds, so that it is a step. */
function* batchByBatch(result: DuckDBMaterializedResult, rows: RowRange): Generator<void, Uint8Array> {
  const schema = arrowSchema(result)
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  let isFirst = true
  for (const { chunk, from, to } of chunksIn(result, rows)) {
    if (!isFirst) yield
    isFirst = false
    writer.write(recordBatch(schema, chunk, from, to))
  }
  return writer.finish().toUint8Array(true)
}
