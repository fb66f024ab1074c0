import { join } from 'node:path'
import { date, integer, literal, text } from '../engine/bind.ts'
import type { Writer } from '../engine/writer.ts'
import { completeChain } from './complete-chain.ts'
import type { ImportFormat } from './import-format.ts'
import type { Header } from './import-header.ts'
import { VALUE_CHARACTERS } from './import-rejects.ts'
import { columnList, identifier, identifiers } from './sorted-files.ts'

/** What fills in the values of a dataset's rows that a source may lack, before they are landed. */
const COMPLETING: Readonly<Record<string, (writer: Writer, table: string) => Promise<number>>> = {
  option_chain_days: completeChain,
}

/** The rows that fit. Their `rowid`s are in the order of files and lines, or in that of the lake. */
export const ACCEPTED = 'import_rows.import_accepted'

/**
 * Tables of one import: `import_accepted`, in a database file in `folder`, where rows need no memory, and
 * `import_rejects`.
 */
export async function createTables(writer: Writer, { dataset }: ImportFormat, folder: string): Promise<void> {
  const columns = dataset.columns.map(({ name, type }) => `${identifier(name)} ${type}`)
  await writer.run(`ATTACH ${literal(text(join(folder, 'rows.duckdb')))} AS import_rows`)
  await writer.run(`CREATE TABLE ${ACCEPTED} (${columns.join(', ')})`)
  await writer.run(
    'CREATE TABLE import_rejects (file INTEGER, line BIGINT, "column" VARCHAR, reason VARCHAR, value VARCHAR)',
  )
}

/** Records of one file that wait in a CSV file of ours, each with its line number in front. */
export interface Chunk {
  readonly path: string
  readonly records: number
}

/**
 * Brings one chunk through DuckDB's CSV reader and the format's mapping: good rows into `import_accepted`, the rest
 * into `import_rejects`. Should the reader itself turn a record away, it is a reject too, by the line number in
 * front of it.
 */
export async function mapChunk(
  writer: Writer,
  format: ImportFormat,
  file: number,
  header: Header,
  chunk: Chunk,
  today: string,
): Promise<void> {
  await writer.run(rawView(format, header, chunk.path))
  await writer.run(`CREATE OR REPLACE TEMP TABLE import_mapped AS ${format.sql}`, { today: date(today) })
  await writer.run(
    `INSERT INTO import_rejects
     SELECT $file, line, fault[1], fault[2], left(fault[3], ${VALUE_CHARACTERS})
     FROM import_mapped WHERE fault IS NOT NULL
     UNION ALL
     SELECT
       $file, split_part(csv_line, $delimiter, 1)::BIGINT, NULL,
       lower(error_type),
       left(csv_line[strpos(csv_line, $delimiter) + 1:], ${VALUE_CHARACTERS})
     FROM (SELECT DISTINCT ON (csv_line) csv_line, error_type FROM import_reader_errors)`,
    { file: integer(file), delimiter: text(header.delimiter) },
  )
  await writer.run(
    `INSERT INTO ${ACCEPTED} SELECT ${columnList(format.dataset)} FROM import_mapped WHERE fault IS NULL`,
  )
  await assertAllSeen(writer, chunk)
  await writer.run('DROP TABLE import_mapped')
  await writer.run('DROP TABLE import_reader_errors')
  await writer.run('DROP TABLE import_reader_scans')
}

/** `raw`, as the mapping wants it: line, and each raw column as text, trimmed unless verbatim, NULL where blank. */
function rawView(format: ImportFormat, { delimiter, width, positions }: Header, path: string): string {
  const raw = format.columns.map(({ name }) => {
    const position = positions.get(name)
    const value = format.verbatim.has(name) ? `field${position}` : `nullif(trim(field${position}), '')`
    return `${position === undefined ? 'NULL::VARCHAR' : value} AS ${identifier(name)}`
  })
  const fields = Array.from({ length: width }, (_, position) => `'field${position}': 'VARCHAR'`)
  return `
    CREATE OR REPLACE TEMP VIEW raw AS
    SELECT line, ${raw.join(', ')}
    FROM read_csv(${literal(text(path))}, columns = {'line': 'BIGINT', ${fields.join(', ')}},
      auto_detect = false, header = false, delim = ${literal(text(delimiter))}, quote = '"', escape = '"',
      new_line = '\\n', compression = 'none', hive_partitioning = false, strict_mode = true, null_padding = false,
      allow_quoted_nulls = false,
      store_rejects = true, rejects_table = 'import_reader_errors', rejects_scan = 'import_reader_scans',
      rejects_limit = 0)`
}

/** The CSV reader must account for every record: one that it neither read nor turned away would be lost. */
async function assertAllSeen(writer: Writer, { records }: Chunk): Promise<void> {
  const [seen] = await writer.rows(
    `SELECT (SELECT count(*) FROM import_mapped)
          + (SELECT count(DISTINCT csv_line) FROM import_reader_errors) AS records`,
  )
  if (Number(seen?.records) !== records)
    throw new Error(`of ${records} records the CSV reader answered for ${seen?.records}`)
}

/** Whether surely no two of the accepted rows have the same key: as many hashes as rows, and nothing need be sorted. */
export async function haveOwnKeys(writer: Writer, { dataset }: ImportFormat): Promise<boolean> {
  const [row] = await writer.rows(
    `SELECT count(DISTINCT hash(${identifiers(dataset.key)})) = count(*) AS own FROM ${ACCEPTED}`,
  )
  return row?.own === true
}

/**
 * Makes `incoming` of what was accepted: of rows with the same key the last one, in the order of files and lines; if
 * they are `inOrder` of the lake, no two have the same. Answers the number of its rows, of the rows that a later one
 * replaced, and the table that has the rows in the lake's order, if one has.
 */
export async function createIncoming(
  writer: Writer,
  format: ImportFormat,
  inOrder: boolean,
): Promise<{ rows: number; replaced: number; inOrder?: string }> {
  const { dataset } = format
  const key = identifiers(dataset.key)
  const count = async () => {
    const [row] = await writer.rows(`SELECT count(*) AS number FROM ${ACCEPTED}`)
    return Number(row?.number)
  }
  const accepted = await count()
  if (!inOrder && !(await haveOwnKeys(writer, format)))
    await writer.run(
      `DELETE FROM ${ACCEPTED} WHERE rowid IN (
         SELECT place FROM (
           SELECT rowid AS place, max(rowid) OVER (PARTITION BY ${key}) AS last_place
           FROM ${ACCEPTED}
           WHERE hash(${key}) IN (SELECT hash(${key}) FROM ${ACCEPTED} GROUP BY hash(${key}) HAVING count(*) > 1)
         ) WHERE place < last_place
       )`,
    )
  const rows = await count()
  const complete = COMPLETING[dataset.name]
  await writer.run(`CREATE ${complete ? 'TABLE' : 'VIEW'} incoming AS FROM ${ACCEPTED}`)
  await complete?.(writer, 'incoming')
  return { rows, replaced: accepted - rows, ...(inOrder && !complete ? { inOrder: ACCEPTED } : {}) }
}
