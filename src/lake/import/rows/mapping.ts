import { type Bindings, date, text } from '../../../engine/bind.ts'
import { columnList } from '../../store/sorted-files.ts'
import type { Mapping } from '../format/format.ts'
import { countKept } from './extents.ts'
import type { MappingContext } from './reading.ts'
import { VALUE_CHARACTERS } from './rejects.ts'
import { accepted } from './tables.ts'

/** The parameters of a format's SQL: the day of the import, and the format's options, NULL by default. */
function parametersOf({
  format,
  options,
  today,
}: Pick<MappingContext, 'format' | 'options' | 'today'>): Bindings {
  const values = format.options.map(
    ({ name }) => [name.replaceAll('-', '_'), text(options[name] ?? null)] as const,
  )
  return { today: date(today), ...Object.fromEntries(values) }
}

/** Maps the raw rows of all files: runs the format's steps, then the mapping of each dataset. */
export async function mapAll(reading: MappingContext): Promise<void> {
  const { writer, format } = reading
  for (const { name, sql } of format.steps)
    await writer.run(`CREATE TEMP TABLE ${name} AS ${sql}`, parametersOf(reading))
  for (const mapping of format.mappings) await mapRows(reading, mapping)
  for (const { name } of format.steps) await writer.run(`DROP TABLE ${name}`)
}

/** Optional columns of a mapping (VARCHAR[][] of [column, reason, value]), and the tables of what they contain. */
const NOTED = [
  // Values that were dropped from accepted rows.
  { column: 'left_out', table: 'import_notes' },
  // Values of accepted rows that were kept as they are, but are suspicious.
  { column: 'warnings', table: 'import_warnings' },
] as const

/**
 * Maps the raw rows to one dataset: accepted rows, rejects, and notes and warnings about accepted rows. In a strict
 * import, a row with a note or a warning is rejected for the first one. Returns the number of rows of the mapping.
 */
export async function mapRows(reading: MappingContext, { dataset, sql }: Mapping): Promise<number> {
  const { writer, isStrict } = reading
  await writer.run(`CREATE OR REPLACE TEMP TABLE import_mapped AS ${sql}`, parametersOf(reading))
  const columns = await writer.rows('DESCRIBE import_mapped')
  const noted = NOTED.filter(({ column }) =>
    columns.some(row => row.column_name === column && row.column_type === 'VARCHAR[][]'),
  )
  if (isStrict)
    for (const { column } of noted)
      await writer.run(
        `UPDATE import_mapped SET fault = list_filter(${column}, lambda note: note IS NOT NULL)[1] WHERE fault IS NULL`,
      )
  await writer.run(
    `INSERT INTO import_rejects
     SELECT file, line, fault[1], fault[2], left(fault[3], ${VALUE_CHARACTERS})
     FROM import_mapped WHERE fault IS NOT NULL`,
  )
  await writer.run(
    `INSERT INTO ${accepted(dataset)} SELECT ${columnList(dataset)}
     FROM import_mapped WHERE fault IS NULL${reading.format.isAlone ? '' : ' ORDER BY file, line'}`,
  )
  await countKept(writer, dataset)
  for (const { column, table } of noted)
    await writer.run(
      `INSERT INTO ${table}
       SELECT file, line, note[1], note[2], left(note[3], ${VALUE_CHARACTERS})
       FROM (SELECT file, line, unnest(${column}) AS note FROM import_mapped WHERE fault IS NULL)
       WHERE note IS NOT NULL`,
    )
  const [row] = await writer.rows('SELECT count(*) AS number FROM import_mapped')
  await writer.run('DROP TABLE import_mapped')
  return Number(row?.number)
}
