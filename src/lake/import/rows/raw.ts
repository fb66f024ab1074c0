import { integer, text } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import { identifier } from '../../store/sorted-files.ts'
import type { Mapping, Source } from '../format/format.ts'
import { trimmed } from '../layout/bind.ts'
import { changesRows, layoutSelect } from '../layout/select.ts'
import type { Chunk } from './chunks.ts'
import { csvTable } from './csv-table.ts'
import type { Header } from './header.ts'
import { mapRows } from './mapping.ts'
import type { MappingContext } from './reading.ts'
import { VALUE_CHARACTERS } from './rejects.ts'
import { addRenamed } from './renamed.ts'
import { rawRows } from './tables.ts'

/**
 * Reads one chunk with DuckDB's CSV reader, into the mapping if each row is mapped independently, otherwise into the
 * raw rows. A record that the reader itself rejects becomes a reject with its line number.
 */
export async function takeChunk(
  reading: MappingContext,
  source: Source,
  file: number,
  header: Header,
  chunk: Chunk,
): Promise<void> {
  const { writer } = reading
  const table = csvTable(header, chunk.path, { columns: [`'line': 'BIGINT'`] }, KEEPING_REJECTS)
  const taken = await takeTable(reading, source, file, header, table)
  await writer.run(
    `INSERT INTO import_rejects
     SELECT
       $file, split_part(csv_line, $delimiter, 1)::BIGINT, NULL,
       lower(error_type),
       left(csv_line[strpos(csv_line, $delimiter) + 1:], ${VALUE_CHARACTERS})
     FROM (SELECT DISTINCT ON (csv_line) csv_line, error_type FROM import_reader_errors)`,
    { file: integer(file), delimiter: text(header.delimiter) },
  )
  await assertAllSeen(writer, chunk, taken)
  await writer.run('DROP TABLE import_reader_errors')
  await writer.run('DROP TABLE import_reader_scans')
}

/**
 * Takes the records of a CSV file of which each line is one record, the first on line `first`. Returns their number. With
 * `isTrimmed`, no field has blanks around it or is blank.
 * Rejects with the error of DuckDB's reader if it cannot read one of them; the raw and accepted rows then do not change.
 */
export async function takeLines(
  reading: MappingContext,
  source: Source,
  file: number,
  header: Header,
  path: string,
  first: number,
  isTrimmed: boolean,
): Promise<number> {
  const table = csvTable(header, path, { skip: first - 1 })
  // Numbering rows while they are read keeps them on one thread. Accepted rows of a format without steps are numbered by
  // their rowids instead.
  const { format } = reading
  const isMapped =
    format.isAlone && !(header.bound && changesRows(header.bound)) && format.mappings.every(keepsOrder)
  return isMapped
    ? takeTable(reading, source, file, header, `(SELECT NULL::BIGINT AS line, * FROM ${table})`, {
        first,
        isTrimmed,
      })
    : takeTable(
        reading,
        source,
        file,
        header,
        `(SELECT row_number() OVER () + ${first - 1} AS line, * FROM ${table})`,
        { isTrimmed },
      )
}

/** Whether the rows of a mapping are in the order of its raw rows: a join, also of a subquery, or a group may change it. */
const keepsOrder = ({ sql }: Mapping) =>
  !/\b(JOIN|UNION|GROUP BY|ORDER BY|OVER|DISTINCT|MATERIALIZED|EXISTS|IN \(SELECT)\b/i.test(
    sql.replace(/--[^\n]*/g, ''),
  )

/** Maps the raw rows of a SELECT, or adds them to those of their source. Returns their number. */
export async function takeRaw(
  reading: MappingContext,
  source: Source,
  select: string,
  first?: number,
): Promise<number> {
  const { writer, format } = reading
  if (!format.isAlone) return insertRaw(writer, source, select)
  await writer.run(`CREATE OR REPLACE TEMP VIEW ${identifier(source.name)} AS ${select}`)
  let taken = 0
  for (const mapping of format.mappings) taken += await mapRows(reading, mapping, first)
  await addRenamed(writer, format, source)
  return taken
}

/** Adds raw rows to those of a source. Returns their number. */
export async function insertRaw(writer: Writer, source: Source, select: string): Promise<number> {
  const count = async () => {
    const [row] = await writer.rows(`SELECT count(*) AS number FROM ${rawRows(source)}`)
    return Number(row?.number)
  }
  const before = await count()
  await writer.run(`INSERT INTO ${rawRows(source)} ${select}`)
  return (await count()) - before
}

/**
 * Takes the raw rows of a table with a line and fields. Returns the number of its records. With `first`, the lines are
 * NULL, and the rows of a format without steps have the lines from `first` on.
 */
export async function takeTable(
  reading: MappingContext,
  source: Source,
  file: number,
  header: Header,
  table: string,
  { first, isTrimmed = false }: { readonly first?: number; readonly isTrimmed?: boolean } = {},
): Promise<number> {
  const { bound } = header
  if (bound === undefined)
    return takeRaw(reading, source, rawSelect(source, header, file, table, isTrimmed), first)
  if (!changesRows(bound)) return takeRaw(reading, source, layoutSelect(bound, source, file, table), first)
  const { writer } = reading
  await writer.run(`CREATE OR REPLACE TEMP TABLE import_fields AS FROM ${table}`)
  await takeRaw(reading, source, layoutSelect(bound, source, file, 'import_fields'))
  const [row] = await writer.rows('SELECT count(*) AS number FROM import_fields')
  await writer.run('DROP TABLE import_fields')
  return Number(row?.number)
}

/** A SELECT of raw rows: file, line, each raw column as text, trimmed unless verbatim, and NULL if blank. */
function rawSelect(
  source: Source,
  { positions }: Header,
  file: number,
  table: string,
  isTrimmed: boolean,
): string {
  const raw = source.columns.map(({ name }) => {
    const position = positions.get(name)
    const value = isTrimmed || source.verbatim.has(name) ? `field${position}` : trimmed(`field${position}`)
    return `${position === undefined ? 'NULL::VARCHAR' : value} AS ${identifier(name)}`
  })
  return `SELECT ${file} AS file, line, ${raw.join(', ')} FROM ${table}`
}

/** What DuckDB's reader rejects is kept in two tables. */
const KEEPING_REJECTS = `, store_rejects = true, rejects_table = 'import_reader_errors',
      rejects_scan = 'import_reader_scans', rejects_limit = 0, new_line = '\\n'`

/** Throws an Error unless the CSV reader read or rejected every record: any other would be lost. */
async function assertAllSeen(writer: Writer, { records }: Chunk, taken: number): Promise<void> {
  const [rejected] = await writer.rows('SELECT count(DISTINCT csv_line) AS records FROM import_reader_errors')
  const seen = taken + Number(rejected?.records)
  if (seen !== records) throw new Error(`the CSV reader read or rejected ${seen} of ${records} records`)
}
