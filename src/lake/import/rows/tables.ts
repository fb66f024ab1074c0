import { join } from 'node:path'
import { integer, literal, text, texts } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { Dataset } from '../../store/datasets.ts'
import { columnList, identifier, identifiers } from '../../store/sorted-files.ts'
import type { ImportFormat, Source } from '../format/format.ts'
import { macrosOf } from '../format/formats.ts'
import { fileNameOf, type Input } from '../input/inputs.ts'
import { createKept } from './extents.ts'

/**
 * The table of a dataset's accepted rows, with file and line. Its rowids are in the order of files and lines, or in the
 * lake's order.
 */
export const accepted = ({ name }: Dataset) => `import_rows.${identifier(`accepted_${name}`)}`

/** The table of a source's raw rows, if all files are read before they are mapped. */
export const rawRows = ({ name }: Source) => `import_rows.${identifier(`raw_${name}`)}`

/** What a mapping says of a row besides its values. */
const OF_MAPPING = [
  'file INTEGER',
  'line BIGINT',
  'fault VARCHAR[]',
  'left_out VARCHAR[][]',
  'warnings VARCHAR[][]',
]

/**
 * Creates the tables of one import: the accepted rows of each dataset and the raw rows of each source, in a database
 * file in `folder`, so that they need no memory; the files; the rejects, the row counts, the notes and the warnings.
 */
export async function createTables(
  writer: Pick<Writer, 'run'>,
  format: ImportFormat,
  folder: string,
): Promise<void> {
  for (const { sql } of macrosOf(format)) await writer.run(sql)
  await writer.run(
    `ATTACH ${literal(text(join(folder, 'rows.duckdb')))} AS import_rows (RECOVERY_MODE NO_WAL_WRITES)`,
  )
  // Nobody reads the rows after the import.
  await writer.run('PRAGMA disable_checkpoint_on_shutdown')
  for (const { dataset } of format.mappings) {
    const columns = dataset.columns.map(({ name, type }) => `${identifier(name)} ${type}`)
    await writer.run(`CREATE TABLE ${accepted(dataset)} (${[...columns, ...OF_MAPPING].join(', ')})`)
  }
  for (const source of format.isAlone ? [] : format.sources) {
    const columns = source.columns.map(({ name }) => `${identifier(name)} VARCHAR`)
    const own = columns.length === 0 ? ['record JSON'] : columns
    await writer.run(`CREATE TABLE ${rawRows(source)} (file INTEGER, line BIGINT, ${own.join(', ')})`)
    await writer.run(`CREATE TEMP VIEW ${identifier(source.name)} AS FROM ${rawRows(source)}`)
  }
  await writer.run(
    'CREATE TEMP TABLE files (file INTEGER, name VARCHAR, preamble VARCHAR[], header VARCHAR[], layout VARCHAR)',
  )
  await createKept(writer)
  await writer.run('CREATE TABLE import_renamed (file INTEGER, written VARCHAR, ticker VARCHAR)')
  for (const name of ['import_rejects', 'import_notes', 'import_warnings'])
    await writer.run(
      `CREATE TABLE ${name} (file INTEGER, line BIGINT, "column" VARCHAR, reason VARCHAR, value VARCHAR)`,
    )
}

/** Adds a file to the table `files`: its name without folders and compression, preamble and header, and the name of its layout. */
export async function recordFile(
  writer: Writer,
  file: number,
  input: Pick<Input, 'shown'>,
  preamble: readonly string[],
  header: readonly string[],
  layout: string | null = null,
): Promise<void> {
  await writer.run('INSERT INTO files VALUES ($file, $name, $preamble, $header, $layout)', {
    file: integer(file),
    name: text(fileNameOf(input)),
    preamble: texts(preamble),
    header: texts(header),
    layout: text(layout),
  })
}

/** The names of the layouts of files that were read; null: the columns of the format. */
export async function layoutsRead(writer: Writer): Promise<ReadonlyMap<number, string | null>> {
  const rows = await writer.rows('SELECT DISTINCT file, layout FROM files')
  return new Map(rows.map(({ file, layout }) => [Number(file), layout === null ? null : String(layout)]))
}

/** Whether the accepted rows certainly have unique keys: there are as many key hashes as rows. */
export async function haveOwnKeys(writer: Writer, dataset: Dataset): Promise<boolean> {
  const [row] = await writer.rows(
    `SELECT count(DISTINCT hash(${identifiers(dataset.key)})) = count(*) AS own FROM ${accepted(dataset)}`,
  )
  return row?.own === true
}

/**
 * Creates `incoming` from the accepted rows of a dataset: for each key the last row, in the order of files and lines.
 * Returns the number of its rows and of replaced rows, and the table with the rows in the lake's order, if they were
 * inserted in it (`isSorted`) and their rowids have no gaps.
 */
export async function createIncoming(
  writer: Writer,
  dataset: Dataset,
  isSorted: boolean,
): Promise<{ rows: number; replaced: number; inOrder?: string }> {
  const table = accepted(dataset)
  const key = identifiers(dataset.key)
  const count = async () => {
    const [row] = await writer.rows(
      `SELECT count(*) AS number, coalesce(max(rowid) + 1 = count(*), true) AS has_no_gaps FROM ${table}`,
    )
    return { rows: Number(row?.number), hasNoGaps: row?.has_no_gaps === true }
  }
  const { rows: before } = await count()
  if (!(await haveOwnKeys(writer, dataset)))
    await writer.run(
      `DELETE FROM ${table} WHERE rowid IN (
         SELECT place FROM (
           SELECT
             rowid AS place,
             row_number() OVER (PARTITION BY ${key} ORDER BY file DESC, line DESC, rowid DESC) AS from_last
           FROM ${table}
           WHERE hash(${key}) IN (SELECT hash(${key}) FROM ${table} GROUP BY hash(${key}) HAVING count(*) > 1)
         ) WHERE from_last > 1
       )`,
    )
  const { rows, hasNoGaps } = await count()
  // A derivation leaves its own, which would be read in place of this one if the import is repeated.
  await writer.run('DROP TABLE IF EXISTS temp.incoming')
  await writer.run(`CREATE VIEW incoming AS SELECT ${columnList(dataset)} FROM ${table}`)
  return { rows, replaced: before - rows, ...(isSorted && hasNoGaps ? { inOrder: table } : {}) }
}

/** Drops `incoming`. */
export const dropIncoming = (writer: Writer) => writer.run('DROP VIEW incoming')
