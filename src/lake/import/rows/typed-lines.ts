import { literal, text } from '../../../engine/bind.ts'
import type { Dataset } from '../../store/datasets.ts'
import { identifier } from '../../store/sorted-files.ts'
import type { Source } from '../format/format.ts'
import { isReadTyped, plainLine } from '../format/plain-lines.ts'
import { mappingSql } from '../format/values.ts'
import { trimmed } from '../layout/bind.ts'
import { csvTable } from './csv-table.ts'
import type { Header } from './header.ts'
import { mapRows } from './mapping.ts'
import type { Reading } from './reading.ts'
import { addRenamed } from './renamed.ts'

/** A character that no text has, so that the reader takes each line as one field. It fails if there is one. */
const NO_DELIMITER = '\u0001'

/**
 * Whether DuckDB's reader can read a file of a dataset's own columns in their types: one pattern for the whole line takes
 * half the time of a check of each value.
 */
async function isPlain(
  { writer }: Reading,
  dataset: Dataset,
  header: Header,
  path: string,
  first: number,
): Promise<boolean> {
  if (header.delimiter === '|') return false
  const pattern = plainLine(columnsIn(dataset, header), header.delimiter)
  const [row] = await writer.rows(
    `SELECT EXISTS (
       FROM read_csv(${literal(text(path))}, columns = {'line': 'VARCHAR'}, auto_detect = false, header = false,
         skip = ${first - 1}, delim = ${literal(text(NO_DELIMITER))}, quote = '', escape = '', compression = 'none',
         hive_partitioning = false)
       WHERE NOT regexp_full_match(line, ${literal(text(pattern))})
     ) AS has_others`,
  )
  return row?.has_others === false
}

/**
 * Takes the records of a file of a dataset's own columns like `takeLines`, with the same accepted and rejected rows, in
 * half the time. Returns null if the file is not plain.
 */
export async function takeTyped(
  reading: Reading,
  dataset: Dataset,
  source: Source,
  file: number,
  header: Header,
  path: string,
  first: number,
): Promise<number | null> {
  if (!(await isPlain(reading, dataset, header, path, first))) return null
  const types = columnsIn(dataset, header).map(column =>
    column !== null && isReadTyped(column) ? column.type : 'VARCHAR',
  )
  const raw = dataset.columns.map(column => {
    const { name, type } = column
    const position = header.positions.get(name)
    const isText = type === 'VARCHAR' || isReadTyped(column)
    const value = isText ? `field${position}` : trimmed(`field${position}`)
    const missing = `NULL::${isReadTyped(column) ? type : 'VARCHAR'}`
    return `${position === undefined ? missing : value} AS ${identifier(name)}`
  })
  await reading.writer.run(
    `CREATE OR REPLACE TEMP VIEW ${identifier(source.name)} AS
     SELECT ${file} AS file, NULL::BIGINT AS line, ${raw.join(', ')}
     FROM ${csvTable(header, path, { skip: first - 1, types })}`,
  )
  const taken = await mapRows(reading, { dataset, sql: mappingSql(dataset.columns, isReadTyped) }, first)
  await addRenamed(reading.writer, reading.format, source)
  return taken
}

/** The dataset's column of each field of a file. */
function columnsIn({ columns }: Dataset, { width, positions }: Header) {
  return Array.from(
    { length: width },
    (_, place) => columns.find(({ name }) => positions.get(name) === place) ?? null,
  )
}
