import { type DuckDBConnection, DuckDBInstance, type DuckDBMaterializedResult } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import type { ColumnType, DigitsShown, TextOptions } from '../../../src/engine/encode/sql.ts'
import {
  csvSql,
  describeSql,
  jsonRowsSql,
  ndjsonSql,
  rowsSql,
  typedSql,
} from '../../../src/engine/encode/sql.ts'
import { encodeRows } from '../../../src/engine/text/rows.ts'
import { isWritable } from '../../../src/engine/text/values.ts'

/** A connection of its own for one test. Several threads, because that is where the order of rows gets lost. */
export async function openConnection(threads = 2): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) })
  const connection = await instance.connect()
  await connection.run(`SET TimeZone = 'UTC'`)
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return connection
}

/** Texts that DuckDB takes for JSON: some are not minified, and some have numbers that are none. */
export const jsonTexts = fc.oneof(
  fc.json({ noUnicodeString: false }),
  fc.constantFrom(
    ' { "a" : 1.50, "a": "NaN, \\u00e9 \\/" } ',
    '[1e400, -0, 0.10, 12345678901234567890]',
    '[NaN, -Infinity]',
    'null',
  ),
)

export async function columnsOf(connection: DuckDBConnection, template: string): Promise<ColumnType[]> {
  const result = await connection.run(describeSql(template))
  const types = result.columnTypes()
  return result.columnNames().flatMap((name, index) => {
    const type = types[index]
    return type ? [{ name, type }] : []
  })
}

type TextEncoder = (template: string, columns: readonly ColumnType[], options?: TextOptions) => string

/**
 * The text and the number of rows that an encoder's SQL answers. Fails unless it is one row of BLOB and BIGINT, and unless
 * `encodeRows` writes the same, where it can.
 */
export async function answer(
  connection: DuckDBConnection,
  encoder: TextEncoder,
  template: string,
  digits: DigitsShown = {},
): Promise<{ text: string; rows: bigint }> {
  const columns = await columnsOf(connection, template)
  const result = await connection.run(encoder(template, columns, { digits }))
  const shape = result.columnNames().map((name, index) => `${name} ${result.columnType(index)}`)
  if (shape.join() !== 'bytes BLOB,rows BIGINT' || result.rowCount !== 1) {
    throw new Error(`an encoder answered ${result.rowCount} rows of ${shape}`)
  }
  const [row] = await result.getRowsJS()
  const [bytes, rows] = row ?? []
  if (!(bytes instanceof Uint8Array) || typeof rows !== 'bigint') throw new Error('bytes or rows is NULL')
  const text = decoded(bytes)
  const encoding = ENCODINGS.get(encoder)
  if (encoding !== undefined && columns.every(({ type }) => isWritable(type))) {
    const here = encodeRows(await connection.run(rowsSql(template, columns)), columns, encoding, { digits })
    if (here !== null) expect({ text: decoded(here.bytes), rows: BigInt(here.rows) }).toEqual({ text, rows })
    counts[here === null ? 'engine' : 'here'] += 1
  }
  return { text, rows }
}

/** Templates that were written by `encodeRows` too, and those with a value that only the engine writes. */
export const counts = { here: 0, engine: 0 }

const ENCODINGS = new Map<TextEncoder, 'json' | 'ndjson' | 'csv'>([
  [jsonRowsSql, 'json'],
  [ndjsonSql, 'ndjson'],
  [csvSql, 'csv'],
])

const decoded = (bytes: Uint8Array) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

/** The result from which the typed formats are made. */
export async function typedResult(
  connection: DuckDBConnection,
  template: string,
): Promise<DuckDBMaterializedResult> {
  return connection.run(typedSql(template, await columnsOf(connection, template)))
}
