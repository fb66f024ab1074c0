import { date, integer, literal, text } from '../engine/bind.ts'
import type { Writer } from '../engine/writer.ts'
import type { ImportFormat } from './import-format.ts'
import type { Header } from './import-header.ts'
import { VALUE_CHARACTERS } from './import-rejects.ts'
import { columnList, identifier } from './sorted-files.ts'

/** Tables of one import: `import_accepted` and `import_rejects`, both with the file's number and the line. */
export async function createTables(writer: Writer, { dataset }: ImportFormat): Promise<void> {
  const columns = dataset.columns.map(({ name, type }) => `${identifier(name)} ${type}`)
  await writer.run(
    `CREATE TABLE import_accepted (import_file INTEGER, import_line BIGINT, ${columns.join(', ')})`,
  )
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
    `INSERT INTO import_accepted
     SELECT $file, line, ${columnList(format.dataset)} FROM import_mapped WHERE fault IS NULL`,
    { file: integer(file) },
  )
  await assertAllSeen(writer, chunk)
  await writer.run('DROP TABLE import_mapped')
  await writer.run('DROP TABLE import_reader_errors')
  await writer.run('DROP TABLE import_reader_scans')
}

/** `raw`, as the mapping wants it: line, and each raw column as trimmed text, NULL where blank. */
function rawView(format: ImportFormat, { delimiter, width, positions }: Header, path: string): string {
  const raw = format.columns.map(({ name }) => {
    const position = positions.get(name)
    const value = position === undefined ? 'NULL::VARCHAR' : `nullif(trim(field${position}), '')`
    return `${value} AS ${identifier(name)}`
  })
  const fields = Array.from({ length: width }, (_, position) => `'field${position}': 'VARCHAR'`)
  return `
    CREATE OR REPLACE TEMP VIEW raw AS
    SELECT line, ${raw.join(', ')}
    FROM read_csv(${literal(text(path))}, columns = {'line': 'BIGINT', ${fields.join(', ')}},
      auto_detect = false, header = false, delim = ${literal(text(delimiter))}, quote = '"', escape = '"',
      new_line = '\\n', compression = 'none', hive_partitioning = false, strict_mode = true, null_padding = false,
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

/**
 * Makes `incoming` of what was accepted: of rows with the same key the last one, in the order of files and lines.
 * Answers the number of its rows and of the rows that a later one replaced.
 */
export async function createIncoming(
  writer: Writer,
  { dataset }: ImportFormat,
): Promise<{ rows: number; replaced: number }> {
  const key = dataset.key.map(identifier).join(', ')
  await writer.run(
    `CREATE TABLE incoming AS
     SELECT ${columnList(dataset)}
     FROM import_accepted
     QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY import_file DESC, import_line DESC) = 1`,
  )
  const [counts] = await writer.rows(
    `SELECT (SELECT count(*) FROM import_accepted) AS accepted, (SELECT count(*) FROM incoming) AS incoming`,
  )
  await writer.run('DROP TABLE import_accepted')
  const rows = Number(counts?.incoming)
  return { rows, replaced: Number(counts?.accepted) - rows }
}
