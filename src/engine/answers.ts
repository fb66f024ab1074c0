import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Encoded, type EncodedFile, encodedIn } from './encode/encoded.ts'
import { rowsOfTemplate } from './encode/page.ts'
import {
  type ColumnType,
  csvSql,
  type Envelope,
  jsonRowsSql,
  ndjsonSql,
  rowsSql,
  typedSql,
} from './encode/sql.ts'
import type { Encoding, Query } from './query.ts'
import { rowsOfPage } from './text/page-rows.ts'
import { encodeRows } from './text/rows.ts'
import { isWritable } from './text/values.ts'

/** The functions that build the SQL by which the engine writes text. */
export const TEXT_SQL = { json: jsonRowsSql, ndjson: ndjsonSql, csv: csvSql }

/** Runs a query with other SQL than its template's. */
export type RunSql = (query: Query, sql: string, signal: AbortSignal) => Promise<DuckDBMaterializedResult>

/** The whole result in one encoding. `columns` are those of the template. */
export type EncodeAnswer = (
  query: Query,
  columns: readonly ColumnType[],
  encoding: Encoding,
  signal: AbortSignal,
) => Promise<Encoded>

/**
 * Values that are written by this process. 9,200 of flow alerts take less processor time here than in the engine, 9,800 of
 * contract flow, which has more decimals, as much. Most answers then share one plan in all formats, which takes less memory.
 */
const VALUES_MAX = 10_000
/** Templates, by kind of limit, whose last result is remembered. */
const TEMPLATES_MAX = 256

/** The SELECT whose rows an Arrow stream has: the rows of the template, unless it has values that only the engine makes. */
export const arrowSql = (template: string, columns: readonly ColumnType[]): string =>
  areWritable(columns) ? rowsSql(template, columns) : typedSql(template, columns)

/**
 * Encodes results: those of few values in this process, from the rows of the template, all others by the engine. The engine's
 * operators for it cost about as much as the query of a small answer, but write many values on other threads and several times
 * as fast. A stream of Arrow has the memory of the rows, however many there are.
 *
 * A result that turns out to have many values is discarded, and the engine runs the template again. This is remembered, so
 * that it happens once as long as the template's results are long. Of requests whose limit allows many values, that is assumed at first.
 *
 * @param parquetFile the whole result as a file that the engine writes
 */
export function answerEncoder(
  run: RunSql,
  parquetFile: (query: Query, signal: AbortSignal) => Promise<EncodedFile>,
): EncodeAnswer {
  /** Whether the last result was long, by `longKey`. */
  const long = new LRUCache<string, boolean>({ max: TEMPLATES_MAX })

  /** Few values, from the rows of the template; null if they are many or of a type that only the engine writes. */
  async function encodeFew(
    query: Query,
    columns: readonly ColumnType[],
    encoding: Exclude<Encoding, 'arrow'>,
    signal: AbortSignal,
  ): Promise<Encoded | null> {
    const { template, digits, page = null } = query
    const key = longKey(query, columns)
    if ((long.get(key) ?? mayBeLong(query, columns)) || !areWritable(columns)) return null
    const result = await run(query, rowsSql(template.sql, columns), signal)
    const isShort = result.rowCount * columns.length <= VALUES_MAX
    const envelope = encoding === 'json' ? query.envelope : undefined
    let encoded: Encoded | null = null
    if (isShort && encoding === 'parquet') {
      const { parquetOf } = await import('./parquet/file.ts')
      const { end, ...rows } = rowsOfPage(result, columns, page)
      encoded = { bytes: parquetOf(result, columns, rows), rows: rows.to - rows.from, end }
    } else if (isShort && encoding !== 'parquet')
      encoded = encodeRows(result, columns, encoding, { digits, page, envelope })
    if (encoded === null) long.set(key, true)
    return encoded
  }

  async function encodeMany(
    query: Query,
    columns: readonly ColumnType[],
    encoding: Exclude<Encoding, 'arrow'>,
    signal: AbortSignal,
  ): Promise<Encoded> {
    const { template, digits, page = null } = query
    if (encoding === 'parquet') {
      // A Parquet file has no place for the end of a page: a query of its own finds it.
      const found = page === null ? null : rowsOfPage(await run(query, template.sql, signal), columns, page)
      const { file, rows } = await parquetFile(query, signal)
      return { bytes: await file.readFile().finally(() => file.close()), rows, end: found?.end ?? null }
    }
    const sql = TEXT_SQL[encoding](template.sql, columns, { digits, page })
    const encoded = encodedIn(await run(query, sql, signal), page)
    return encoding === 'json' && query.envelope !== undefined ? enveloped(encoded, query.envelope) : encoded
  }

  return async (query, columns, encoding, signal) => {
    if (encoding === 'arrow') {
      const { arrowStream } = await import('./encode/arrow.ts')
      const result = await run(query, arrowSql(query.template.sql, columns), signal)
      const { end, ...rows } = rowsOfPage(result, columns, query.page ?? null)
      return { bytes: await arrowStream(result, rows, signal), rows: rows.to - rows.from, end }
    }
    const few = await encodeFew(query, columns, encoding, signal)
    if (few !== null) return few
    const encoded = await encodeMany(query, columns, encoding, signal)
    if (encoded.rows * columns.length <= VALUES_MAX / 2) long.set(longKey(query, columns), false)
    return encoded
  }
}

/** Whether a result of as many rows as the request allows has many values. */
const mayBeLong = (query: Query, columns: readonly ColumnType[]) =>
  rowsKnown(query) * columns.length > VALUES_MAX

/** Results can be short with one limit and long with another one. */
const longKey = (query: Query, columns: readonly ColumnType[]) =>
  `${mayBeLong(query, columns)} ${query.template.sql}`

const areWritable = (columns: readonly ColumnType[]) => columns.every(({ type }) => isWritable(type))

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
