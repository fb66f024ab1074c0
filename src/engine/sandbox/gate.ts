import { dirname } from 'node:path'
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api'
import { parquetSql } from '../encode/sql.ts'

/**
 * The gate of the serving path. DuckDB's settings keep statements out of other folders, but let them write in those that they
 * may read: `COPY`, `ATTACH` and `EXPORT` of files in the lake are all permitted. So only statements of these kinds run:
 * one SELECT, the COPY of one into the temporary folder, and the statements of the program's own tables in memory.
 */

/** Table functions and functions that a SELECT can call, and that write files, change settings, or run other SQL. */
const EFFECTS = [
  // Writes the log as CSV files to any folder that may be read.
  'enable_logging',
  'disable_logging',
  'truncate_duckdb_logs',
  'write_log',
  'enable_profiling',
  'disable_profiling',
  'enable_peg_parser',
  'disable_peg_parser',
  'checkpoint',
  'force_checkpoint',
  // SQL in a text, which this gate cannot see.
  'query',
  'query_table',
  'json_execute_serialized_sql', // cspell:disable-line
  // Addresses in memory.
  'arrow_scan',
  'arrow_scan_dumb',
]
const BLANK = '(?:\\s|--[^\\n]*(?:\\n|$)|/\\*[\\s\\S]*?\\*/)*'
/** A call, also of a name in quotes, and with blanks or comments before the parenthesis. */
const EFFECT = new RegExp(`(?<![\\w$])"?(${EFFECTS.join('|')})"?${BLANK}\\(`, 'i')

/** How a SELECT begins. Others are not even prepared: to prepare an EXPORT makes its folder. */
const READS = new RegExp(`^${BLANK}\\(?(SELECT|WITH|FROM|VALUES|DESCRIBE)\\b`, 'i')

/** Statements of the program about its own tables and values in memory, by their kind. No text of a client is part of them. */
const OWN = {
  attach: [StatementType.ATTACH, /^ATTACH ':memory:' AS store_\d+ \(COMPRESS\)$/],
  table: [StatementType.CREATE, /^CREATE OR REPLACE TABLE store_\d+\.t \("/],
  fill: [StatementType.INSERT, /^INSERT INTO store_\d+\.t BY NAME FROM /],
  compress: [StatementType.CALL, /^CHECKPOINT store_\d+$/],
  detach: [StatementType.DETACH, /^DETACH store_\d+$/],
  values: [StatementType.SET, /^SET VARIABLE request_values = \$1::VARCHAR$/],
} as const satisfies Readonly<Record<string, readonly [StatementType, RegExp]>>

const ONLY_SELECT = 'only a single SELECT may run here'

const refused = (sql: string, why: string) =>
  new Error(`the gate refuses a statement, ${why}: ${sql.slice(0, 80)}`)

async function prepared(
  connection: DuckDBConnection,
  sql: string,
  type: StatementType,
  why: string,
): Promise<DuckDBPreparedStatement> {
  // Fails for several statements.
  const statement = await connection.prepare(sql)
  if (statement.statementType === type) return statement
  statement.destroySync()
  throw refused(sql, why)
}

function assertReads(sql: string): void {
  if (!READS.test(sql)) throw refused(sql, ONLY_SELECT)
  const effect = EFFECT.exec(sql)?.[1]
  if (effect !== undefined) throw refused(sql, `because ${effect.toLowerCase()} does more than read`)
}

/** Prepares a statement if it is one SELECT that only reads. */
export async function prepareSelect(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  assertReads(sql)
  return prepared(connection, sql, StatementType.SELECT, ONLY_SELECT)
}

/** Prepares the COPY of a SELECT to a Parquet file in `folder`. */
export async function prepareCopy(
  connection: DuckDBConnection,
  select: string,
  path: string,
  folder: string,
): Promise<DuckDBPreparedStatement> {
  const sql = parquetSql(select, path)
  if (dirname(path) !== folder) throw refused(sql, `because its file is outside ${folder}`)
  assertReads(select)
  // Text that ends the parentheses of the COPY is no statement by itself.
  const { count } = await connection.extractStatements(select)
  if (count !== 1) throw refused(sql, 'because it copies several statements')
  return prepared(connection, sql, StatementType.COPY, 'only a COPY may run here')
}

/** Prepares one of the program's own statements about its tables in memory. */
export async function prepareOwn(
  connection: DuckDBConnection,
  kind: keyof typeof OWN,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  const [type, form] = OWN[kind]
  if (!form.test(sql)) throw refused(sql, `because it is not the ${kind} of a table in memory`)
  return prepared(connection, sql, type, `because it is not the ${kind} of a table in memory`)
}

/** Runs one of the program's own statements. */
export async function runOwn(
  connection: DuckDBConnection,
  kind: keyof typeof OWN,
  sql: string,
): Promise<void> {
  const statement = await prepareOwn(connection, kind, sql)
  try {
    await statement.run()
  } finally {
    statement.destroySync()
  }
}
