import { type Bindings, date, text } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import { columnList, identifier } from '../../store/sorted-files.ts'
import type { Mapping } from '../format/format.ts'
import type { Reading } from './reading.ts'
import { VALUE_CHARACTERS } from './rejects.ts'
import { accepted } from './tables.ts'

/** The parameters of a format's SQL: the day of the import, and what the person said; NULL where nothing. */
function parametersOf({ format, said, today }: Pick<Reading, 'format' | 'said' | 'today'>): Bindings {
  const options = format.options.map(
    ({ name }) => [name.replaceAll('-', '_'), text(said[name] ?? null)] as const,
  )
  return { today: date(today), ...Object.fromEntries(options) }
}

/** Maps all that was read of a format whose files are read first: its steps, then each of its datasets. */
export async function mapAll(reading: Pick<Reading, 'writer' | 'format' | 'said' | 'today'>): Promise<void> {
  const { writer, format } = reading
  for (const { name, sql } of format.steps)
    await writer.run(`CREATE TEMP TABLE ${name} AS ${sql}`, parametersOf(reading))
  for (const mapping of format.mappings) await mapRows(reading, mapping)
  for (const { name } of format.steps) await writer.run(`DROP TABLE ${name}`)
}

/**
 * Maps the raw rows that are there into one dataset: good rows go to its accepted ones, the rest to the rejects, and what
 * was left out of good rows is counted. Answers how many rows the mapping made.
 */
export async function mapRows(
  reading: Pick<Reading, 'writer' | 'format' | 'said' | 'today'>,
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
  const left = await leftOut(writer)
  if (left !== undefined)
    await writer.run(
      `INSERT INTO import_notes
       SELECT file, line, note[1], note[2], left(note[3], ${VALUE_CHARACTERS})
       FROM (SELECT file, line, unnest(${left}) AS note FROM import_mapped WHERE fault IS NULL)
       WHERE note IS NOT NULL`,
    )
  const [row] = await writer.rows('SELECT count(*) AS number FROM import_mapped')
  await writer.run('DROP TABLE import_mapped')
  return Number(row?.number)
}

/** The column with what was left out of rows: the only one that is a list of lists, which no dataset has. */
async function leftOut(writer: Writer): Promise<string | undefined> {
  const columns = await writer.rows('DESCRIBE import_mapped')
  const found = columns.find(row => row.column_type === 'VARCHAR[][]')
  return found && identifier(String(found.column_name))
}
