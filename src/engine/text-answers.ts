import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Encoded, encodedIn } from './encode/encoded.ts'
import { rowsOfTemplate } from './encode/page.ts'
import { type ColumnType, csvSql, type Envelope, jsonRowsSql, ndjsonSql } from './encode/sql.ts'
import type { Query } from './query.ts'
import { encodeRows, type TextEncoding } from './text/rows.ts'
import { isWritable } from './text/values.ts'

/** The functions that build the SQL by which the engine writes text. */
export const TEXT_SQL = { json: jsonRowsSql, ndjson: ndjsonSql, csv: csvSql }

/** Runs a query with other SQL than its template's. */
export type RunSql = (query: Query, sql: string, signal: AbortSignal) => Promise<DuckDBMaterializedResult>

/** The whole result as text. `columns` are those of the template. */
export type EncodeText = (
  query: Query,
  columns: readonly ColumnType[],
  encoding: TextEncoding,
  signal: AbortSignal,
) => Promise<Encoded>

/**
 * Values that are written by this process. Measured: 4,800 values of flow alerts take less processor time here, 4,900 of
 * contract flow, which has more decimals, less in the engine.
 */
const VALUES_MAX = 4800
/** Templates whose last result had more values. */
const TEMPLATES_MAX = 256

/**
 * Encodes results as text: those of few values in this process, all others by the engine. The engine's operators for it
 * cost about as much as the query of a small answer, but write many values on other threads and several times as fast.
 *
 * A result that turns out to have many values is discarded, and the engine runs the template again. This is remembered, so
 * that it happens once as long as the template's results are long.
 */
export function textEncoder(run: RunSql): EncodeText {
  const long = new LRUCache<string, true>({ max: TEMPLATES_MAX })
  return async (query, columns, encoding, signal) => {
    const { template, digits, page = null } = query
    const envelope = encoding === 'json' ? query.envelope : undefined
    const writable = columns.every(({ type }) => isWritable(type))
    if (writable && !long.has(template.sql) && rowsKnown(query) * columns.length <= VALUES_MAX) {
      const result = await run(query, template.sql, signal)
      const isShort = result.rowCount * columns.length <= VALUES_MAX
      const encoded = isShort ? encodeRows(result, columns, encoding, { digits, page, envelope }) : null
      if (encoded !== null) return encoded
      long.set(template.sql, true)
    }
    const sql = TEXT_SQL[encoding](template.sql, columns, { digits, page })
    const encoded = encodedIn(await run(query, sql, signal), page)
    if (encoded.rows * columns.length <= VALUES_MAX / 2) long.delete(template.sql)
    return envelope === undefined ? encoded : enveloped(encoded, envelope)
  }
}

const enveloped = ({ bytes, ...rest }: Encoded, [head, tail]: Envelope): Encoded => ({
  bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]),
  ...rest,
})

/** Rows that the template returns at most, as far as its parameters tell; 0 if they do not. */
function rowsKnown({ page, bindings }: Query): number {
  const limit = bindings.limit?.value
  if (page !== undefined) return rowsOfTemplate(page)
  return typeof limit === 'bigint' ? Number(limit) : 0
}
