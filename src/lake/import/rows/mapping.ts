import { type Bindings, date, text } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import { columnList, identifier } from '../../store/sorted-files.ts'
import type { Mapping } from '../format/format.ts'
import type { Reading } from './reading.ts'
import { VALUE_CHARACTERS } from './rejects.ts'
import { accepted } from './tables.ts'

/** The parameters of a format's SQL: the day of the import, and the format's options, NULL by default. */
function parametersOf({ format, options, today }: Pick<Reading, 'format' | 'options' | 'today'>): Bindings {
  const values = format.options.map(
    ({ name }) => [name.replaceAll('-', '_'), text(options[name] ?? null)] as const,
  )
  return { today: date(today), ...Object.fromEntries(values) }
}

/** Maps the raw rows of all files: runs the format's steps, then the mapping of each dataset. */
export async function mapAll(
  reading: Pick<Reading, 'writer' | 'format' | 'options' | 'today'>,
): Promise<void> {
  const { writer, format } = reading
  for (const { name, sql } of format.steps)
    await writer.run(`CREATE TEMP TABLE ${name} AS ${sql}`, parametersOf(reading))
  for (const mapping of format.mappings) await mapRows(reading, mapping)
  for (const { name } of format.steps) await writer.run(`DROP TABLE ${name}`)
}

/**
 * Maps the raw rows to one dataset: accepted rows, rejects, and notes about dropped values of accepted rows. Returns
 * the number of rows of the mapping.
 */
export async function mapRows(
  reading: Pick<Reading, 'writer' | 'format' | 'options' | 'today'>,
  { dataset, sql }: Mapping,
): Promise<number> {
  const { writer } = reading
  await writer.run(`CREATE OR REPLACE TEMP TABLE import_mapped AS ${sql}`, parametersOf(reading))
  await writer.run(
    `INSERT INTO import_rejects
     SELECT file, line, fault[1], fault[2], left(fault[3], ${VALUE_CHARACTERS})
     FROM import_mapped WHERE fault IS NOT NULL`,
  )
  await writer.run(
    `INSERT INTO ${accepted(dataset)} SELECT ${columnList(dataset)}
     FROM import_mapped WHERE fault IS NULL${reading.format.isAlone ? '' : ' ORDER BY file, line'}`,
  )
  await writer.run(
    'INSERT INTO import_kept SELECT file, count(*) FROM import_mapped WHERE fault IS NULL GROUP BY file',
  )
  const notes = await notesColumn(writer)
  if (notes !== undefined)
    await writer.run(
      `INSERT INTO import_notes
       SELECT file, line, note[1], note[2], left(note[3], ${VALUE_CHARACTERS})
       FROM (SELECT file, line, unnest(${notes}) AS note FROM import_mapped WHERE fault IS NULL)
       WHERE note IS NOT NULL`,
    )
  const [row] = await writer.rows('SELECT count(*) AS number FROM import_mapped')
  await writer.run('DROP TABLE import_mapped')
  return Number(row?.number)
}

/** The column with the dropped values: the only one of type VARCHAR[][], which no dataset has. */
async function notesColumn(writer: Writer): Promise<string | undefined> {
  const columns = await writer.rows('DESCRIBE import_mapped')
  const found = columns.find(row => row.column_type === 'VARCHAR[][]')
  return found && identifier(String(found.column_name))
}
