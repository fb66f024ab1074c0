import { basename, join } from 'node:path'
import { integer, literal, text, texts } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { Dataset } from '../../store/datasets.ts'
import { identifier, identifiers } from '../../store/sorted-files.ts'
import type { ImportFormat, Source } from '../format/format.ts'
import { importMacros } from '../format/formats.ts'
import type { Input } from '../input/inputs.ts'
import { completeChain } from './complete-chain.ts'

/** What fills in the values of a dataset's rows that a source may lack, before they are landed. */
const COMPLETING: Readonly<Record<string, (writer: Writer, table: string) => Promise<number>>> = {
  option_chain_days: completeChain,
}

/** The rows of a dataset that fit. Their `rowid`s are in the order of files and lines, or in that of the lake. */
export const accepted = ({ name }: Dataset) => `import_rows.${identifier(`accepted_${name}`)}`

/** The raw rows of a source, where files are read before any is mapped. */
export const rawRows = ({ name }: Source) => `import_rows.${identifier(`raw_${name}`)}`

/**
 * Tables of one import: the accepted rows of each dataset and the raw rows of each source, in a database file in
 * `folder`, where rows need no memory; the files, and what was rejected, kept and left out.
 */
export async function createTables(writer: Writer, format: ImportFormat, folder: string): Promise<void> {
  if (format.canonical === null) for (const sql of definitions(importMacros())) await writer.run(sql)
  await writer.run(`ATTACH ${literal(text(join(folder, 'rows.duckdb')))} AS import_rows`)
  for (const { dataset } of format.mappings) {
    const columns = dataset.columns.map(({ name, type }) => `${identifier(name)} ${type}`)
    await writer.run(`CREATE TABLE ${accepted(dataset)} (${columns.join(', ')})`)
  }
  for (const source of format.isAlone ? [] : format.sources) {
    const columns = source.columns.map(({ name }) => `${identifier(name)} VARCHAR`)
    const own = columns.length === 0 ? ['record JSON'] : columns
    await writer.run(`CREATE TABLE ${rawRows(source)} (file INTEGER, line BIGINT, ${own.join(', ')})`)
    await writer.run(`CREATE TEMP VIEW ${identifier(source.name)} AS FROM ${rawRows(source)}`)
  }
  await writer.run(
    'CREATE TEMP TABLE files (file INTEGER, name VARCHAR, preamble VARCHAR[], header VARCHAR[])',
  )
  await writer.run('CREATE TEMP TABLE import_kept (file INTEGER, rows BIGINT)')
  for (const name of ['import_rejects', 'import_notes'])
    await writer.run(
      `CREATE TABLE ${name} (file INTEGER, line BIGINT, "column" VARCHAR, reason VARCHAR, value VARCHAR)`,
    )
}

/** The definitions in a SQL text in which each ends in a semicolon at the end of a line. */
const definitions = (sql: string) => sql.split(/;\s*$/m).filter(each => /^CREATE /m.test(each))

/** Tells the mapping of a file: its name, without folders and packing, the lines before its header, and that. */
export async function noteFile(
  writer: Writer,
  file: number,
  { path }: Pick<Input, 'path'>,
  preamble: readonly string[],
  header: readonly string[],
): Promise<void> {
  await writer.run('INSERT INTO files VALUES ($file, $name, $preamble, $header)', {
    file: integer(file),
    name: text(basename(path).replace(/\.(gz|zst)$/i, '')),
    preamble: texts(preamble),
    header: texts(header),
  })
}

/** Whether surely no two of the accepted rows have the same key: as many hashes as rows, and nothing need be sorted. */
export async function haveOwnKeys(writer: Writer, dataset: Dataset): Promise<boolean> {
  const [row] = await writer.rows(
    `SELECT count(DISTINCT hash(${identifiers(dataset.key)})) = count(*) AS own FROM ${accepted(dataset)}`,
  )
  return row?.own === true
}

/**
 * Makes `incoming` of what was accepted of a dataset: of rows with the same key the last one, in the order of files and lines; if
 * they are `inOrder` of the lake, no two have the same. Answers the number of its rows, of the rows that a later one
 * replaced, and the table that has the rows in the lake's order, if one has.
 */
export async function createIncoming(
  writer: Writer,
  dataset: Dataset,
  inOrder: boolean,
): Promise<{ rows: number; replaced: number; inOrder?: string }> {
  const rowsOf = accepted(dataset)
  const key = identifiers(dataset.key)
  const count = async () => {
    const [row] = await writer.rows(`SELECT count(*) AS number FROM ${rowsOf}`)
    return Number(row?.number)
  }
  const before = await count()
  if (!inOrder && !(await haveOwnKeys(writer, dataset)))
    await writer.run(
      `DELETE FROM ${rowsOf} WHERE rowid IN (
         SELECT place FROM (
           SELECT rowid AS place, max(rowid) OVER (PARTITION BY ${key}) AS last_place
           FROM ${rowsOf}
           WHERE hash(${key}) IN (SELECT hash(${key}) FROM ${rowsOf} GROUP BY hash(${key}) HAVING count(*) > 1)
         ) WHERE place < last_place
       )`,
    )
  const rows = await count()
  const complete = COMPLETING[dataset.name]
  await writer.run(`CREATE ${complete ? 'TABLE' : 'VIEW'} incoming AS FROM ${rowsOf}`)
  await complete?.(writer, 'incoming')
  return { rows, replaced: before - rows, ...(inOrder && !complete ? { inOrder: rowsOf } : {}) }
}

/** Takes `incoming` away again. */
export const dropIncoming = (writer: Writer, { name }: Dataset) =>
  writer.run(`DROP ${COMPLETING[name] ? 'TABLE' : 'VIEW'} incoming`)
