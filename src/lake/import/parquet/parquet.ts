import { constants } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../../engine/bind.ts'
import { Failure, firstLine } from '../../../engine/failure.ts'
import type { Dataset } from '../../store/datasets.ts'
import { writeFailure } from '../../store/durable.ts'
import type { Column } from '../../store/schema.ts'
import { identifier } from '../../store/sorted-files.ts'
import { PATTERN } from '../csv/whole.ts'
import type { Source } from '../format/format.ts'
import { lackingOf } from '../format/lacking.ts'
import { mappingSql } from '../format/values.ts'
import { assertUnchanged, fileNameOf, type Input, noLayout, oneLine } from '../input/inputs.ts'
import { lookAtColumns } from '../input/next-step.ts'
import { bindLayout, lackingFor, sourceFor } from '../layout/bind.ts'
import type { Layout } from '../layout/layout.ts'
import { defineRules } from '../layout/select.ts'
import { mapRows } from '../rows/mapping.ts'
import { takeRaw, takeTable } from '../rows/raw.ts'
import type { Reading } from '../rows/reading.ts'
import { recordFile } from '../rows/tables.ts'

/**
 * Reads one Parquet file into the import's tables. Returns its number of rows. Columns with the dataset's type are read
 * as is, others are converted through text: a DOUBLE is valid for a DECIMAL if its shortest decimal form is. Rows are
 * numbered from 1. Throws Failure `input_refused` if the file cannot be read, lacks a required column or has no rows.
 */
export const readParquet = (reading: Reading, number: number, input: Input, dataset: Dataset) =>
  withParquet(reading, input, source => readRows(reading, number, input, source, dataset))

/**
 * Reads one Parquet file into the raw rows of a source, with every value as text. Returns its number of rows, and
 * throws like `readParquet`.
 */
export const readColumns = (reading: Reading, number: number, input: Input, source: Source | undefined) =>
  withParquet(reading, input, async table => {
    const ofLayout = await takeLayout(reading, number, input, table)
    if (ofLayout !== null) return ofLayout
    if (source === undefined) throw noLayout(input, reading.format)
    await recordFile(reading.writer, number, input, [], [])
    const found = await typesIn(reading, input, table, source)
    refuseNested(input, [...found.values()])
    const raw = source.columns.map(({ name }) => {
      const column = found.get(name)
      const value = column ? textOf(identifier(column.name), column.type, '') : 'NULL::VARCHAR'
      return `${value} AS ${identifier(name)}`
    })
    const rows = await takeRaw(
      reading,
      source,
      `SELECT ${number} AS file, file_row_number + 1 AS line, ${raw.join(', ')} FROM ${table}`,
    )
    if (rows === 0) throw noRows(input)
    return rows
  })

/** Reads the rows of a table in one of the import's layouts. Returns their number, or null if no layout fits. */
async function takeLayout(
  reading: Reading,
  number: number,
  input: Input,
  table: string,
): Promise<number | null> {
  const { writer, format, layouts, options } = reading
  if (layouts.length === 0) return null
  const described = await writer.rows(`DESCRIBE SELECT * EXCLUDE (file_row_number) FROM ${table}`)
  const columns = described.map(row => ({ name: String(row.column_name), type: String(row.column_type) }))
  const names = columns.map(({ name }) => name)
  const facts = { names, fileName: fileNameOf(input), first: '', above: [], options, valueAt: () => null }
  const isParquet = ({ file }: Layout) =>
    file.kind === 'parquet' || (file.kind === 'csv' && file.header !== 0)
  const layout = layouts.find(each => isParquet(each) && lackingFor(each, facts)?.length === 0)
  const source = layout && sourceFor(layout, format)
  if (layout === undefined || source === undefined) return null
  const bound = bindLayout(input.shown, layout, source, facts)
  refuseNested(
    input,
    columns.filter(({ name }) => !bound.unused.includes(name)),
  )
  await recordFile(writer, number, input, [], names, layout.name)
  await defineRules(writer, bound)
  const fields = columns.map(
    ({ name, type }, place) => `${textOf(identifier(name), type, '')} AS field${place}`,
  )
  const records = await takeTable(
    reading,
    source,
    number,
    { delimiter: ',', width: names.length, positions: new Map(), unused: bound.unused, names, bound },
    `(SELECT file_row_number + 1 AS line, ${fields.join(', ')} FROM ${table})`,
  )
  if (records === 0) throw noRows(input)
  reading.unused(input, bound.unused)
  return records
}

/** Throws Failure `input_refused` if a column that is read is an object or a map, which has no text that formats read. */
function refuseNested(input: Input, used: readonly { readonly name: string; readonly type: string }[]): void {
  const nested = used.find(({ type }) => /^(STRUCT|MAP|UNION)\(/.test(type))
  if (nested === undefined) return
  const name = oneLine(nested.name)
  const type = oneLine(nested.type.slice(0, TYPE_SHOWN))
  throw new Failure(
    'input_refused',
    `${input.shown}: the column ${name} is nested, ${type}: write each of its values as a column of its own, e.g. with DuckDB: SELECT unnest(${name}), *`,
  )
}

const TYPE_SHOWN = 60

const noRows = (input: Input) =>
  new Failure('input_refused', `${input.shown} has no rows: download it again, or exclude it`)

/** Runs `work` with the SQL of a Parquet file as a table, with the number of each row from 0. Returns its result. */
export async function withParquet(
  reading: Reading,
  input: Input,
  work: (table: string) => Promise<number>,
): Promise<number> {
  const copy = join(reading.folder, 'input.parquet')
  const path = PATTERN.test(input.real) ? copy : input.real
  if (path === copy)
    await copyFile(input.real, copy, constants.COPYFILE_FICLONE).catch(thrown => {
      throw writeFailure(copy, thrown)
    })
  try {
    const records = await work(
      `read_parquet(${literal(text(path))}, binary_as_string = true, hive_partitioning = false, file_row_number = true)`,
    )
    await assertUnchanged(input)
    reading.advance(input.bytes)
    return records
  } catch (thrown) {
    reading.canceling.check()
    if (thrown instanceof Failure) throw thrown
    throw new Failure(
      'input_refused',
      `${input.shown} cannot be read as Parquet (${firstLine(thrown).replaceAll(path, input.shown)}): download it again`,
      { cause: thrown },
    )
  } finally {
    await rm(copy, { force: true })
  }
}

async function readRows(
  reading: Reading,
  file: number,
  input: Input,
  table: string,
  dataset: Dataset,
): Promise<number> {
  const { writer, format } = reading
  const { columns } = dataset
  const [source] = format.sources
  if (source === undefined) throw new Error(`${format.name} has no source`)
  const types = await typesIn(reading, input, table, source)
  const isTyped = ({ name, type }: Column) => !types.has(name) || types.get(name)?.type === type
  const raw = columns.map(column => {
    const found = types.get(column.name)
    const value = found === undefined ? `NULL::${column.type}` : identifier(found.name)
    const shown = isTyped(column) ? value : textOf(value, found?.type ?? '', column.type)
    return `${shown} AS ${identifier(column.name)}`
  })
  await writer.run(
    `CREATE OR REPLACE TEMP VIEW raw AS
     SELECT ${file} AS file, file_row_number + 1 AS line, ${raw.join(', ')} FROM ${table}`,
  )
  const records = await mapRows(reading, { dataset, sql: mappingSql(columns, isTyped) })
  if (records === 0) throw noRows(input)
  return records
}

/** The raw columns that the file has, with their names and types in the file. */
async function typesIn({ writer, format, unused }: Reading, input: Input, table: string, source: Source) {
  const described = await writer.rows(`DESCRIBE SELECT * EXCLUDE (file_row_number) FROM ${table}`)
  const found = described.map(row => ({
    name: String(row.column_name),
    type: String(row.column_type).replaceAll(', ', ','),
  }))
  const types = new Map<string, { name: string; type: string }>()
  for (const { name, accepted } of source.columns) {
    const [match] = accepted.flatMap(
      wanted => found.find(each => each.name.trim().toLowerCase() === wanted) ?? [],
    )
    if (match !== undefined) types.set(name, match)
  }
  const missing = lackingOf(source, name => types.has(name))
  if (missing.length > 0)
    throw new Failure(
      'input_refused',
      `${input.shown} lacks the ${missing.length > 1 ? 'columns' : 'column'} ${missing.map(({ accepted }) => accepted).join(', ')}: ${lookAtColumns(input, format)}`,
    )
  const used = new Set([...types.values()].map(({ name }) => name))
  unused(
    input,
    found.filter(({ name }) => !used.has(name)).map(({ name }) => name),
  )
  return types
}

/** SQL for a value as text. Floating-point numbers have no exponent if 38 digits with 20 decimals are enough. */
function textOf(value: string, type: string, wanted: string): string {
  const printed = `${value}::VARCHAR`
  if (wanted === 'VARCHAR') return printed
  if (type === 'FLOAT' || type === 'DOUBLE')
    return `if(contains(${printed}, 'e'), coalesce(TRY_CAST(${value} AS DECIMAL(38, 20))::VARCHAR, ${printed}), ${printed})`
  return `nullif(trim(${printed}), '')`
}
