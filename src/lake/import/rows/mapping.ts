import { type Bindings, date, text } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { Dataset } from '../../store/datasets.ts'
import { identifier, orderAsStored } from '../../store/sorted-files.ts'
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
  const total = format.steps.length + format.mappings.length
  for (const [done, { name, sql }] of format.steps.entries()) {
    reading.mapped(done, total)
    await writer.run(`CREATE TEMP TABLE ${name} AS ${sql}`, parametersOf(reading))
  }
  const tables = [...format.sources.map(({ name }) => name), ...format.steps.map(({ name }) => name)]
  const filled = await filledOf(writer, tables)
  for (const [done, mapping] of format.mappings.entries()) {
    reading.mapped(format.steps.length + done, total)
    if (mayReturnRows(mapping, tables, filled)) await mapRows(reading, mapping)
  }
  reading.mapped(total, total)
  for (const { name } of format.steps) await writer.run(`DROP TABLE ${name}`)
}

/** The tables that have rows. */
async function filledOf(writer: Writer, tables: readonly string[]): Promise<ReadonlySet<string>> {
  const filled = new Set<string>()
  for (const name of tables) {
    const [row] = await writer.rows(`SELECT EXISTS (FROM ${identifier(name)}) AS is_filled`)
    if (row?.is_filled === true) filled.add(name)
  }
  return filled
}

/**
 * Whether a mapping may return rows: one of the tables that it reads has some. Planning a mapping takes longer than
 * mapping a few rows, and a format of many sources has a mapping for each.
 */
function mayReturnRows({ sql }: Mapping, tables: readonly string[], filled: ReadonlySet<string>): boolean {
  const words = new Set(sql.replace(/--[^\n]*/g, '').match(/\w+/g))
  const read = tables.filter(name => words.has(name))
  return read.length === 0 || read.some(name => filled.has(name))
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
 * import, a row with a note or a warning is rejected for the first one. Returns the number of rows of the mapping. Rows
 * are stored once, since most have no fault: the faulty ones are deleted afterwards. With `first`, the mapping returns
 * one row for each line from `first` on, in order, and no line numbers.
 */
export async function mapRows(
  reading: MappingContext,
  { dataset, sql }: Mapping,
  first?: number,
): Promise<number> {
  const { writer, format, isStrict } = reading
  const table = accepted(dataset)
  const noted = NOTED.filter(({ column }) => new RegExp(`\\b${column}\\b`).test(sql))
  const firstOf = (column: string) => `list_any_value(${column}::VARCHAR[][])`
  const replaced = [
    ...noted.map(({ column }) => `if(${firstOf(column)} IS NULL, NULL, ${column}) AS ${column}`),
    ...(isStrict && noted.length > 0
      ? [`coalesce(${['fault', ...noted.map(({ column }) => firstOf(column))].join(', ')}) AS fault`]
      : []),
  ]
  const select = `SELECT *${replaced.length === 0 ? '' : ` REPLACE (${replaced.join(', ')})`} FROM (${sql})`
  // Rows that are mapped together get the lake's order: faulty rows are last, so that the rowids of others have no gaps.
  const order = format.isAlone ? '' : ` ORDER BY fault IS NOT NULL, ${orderAsStored(dataset)}`
  for (const value of format.values) await writer.run(`SET VARIABLE ${value.name} = (${value.sql})`)
  const before = await countRows(writer, dataset)
  await writer.run(`INSERT INTO ${table} BY NAME ${select}${order}`, parametersOf(reading))
  // Rows are counted, because a checkpoint may renumber the rows after deleted ones; it keeps their order.
  const mapped = `${table} WHERE rowid >= (SELECT rowid FROM ${table} LIMIT 1 OFFSET ${before})`
  const [counts] = await writer.rows(
    `SELECT min(rowid) AS row, count(*) AS rows, count(fault) AS faults, ${NOTED.map(({ column }) => `count(${column}) AS ${column}`).join(', ')}
     FROM ${mapped}`,
  )
  const line = first === undefined ? 'line' : `rowid + ${first - Number(counts?.row)} AS line`
  if (counts?.faults !== '0')
    await writer.run(
      `INSERT INTO import_rejects
       SELECT file, ${line}, fault[1], fault[2], left(fault[3], ${VALUE_CHARACTERS})
       FROM ${mapped} AND fault IS NOT NULL`,
    )
  for (const { column, table: target } of noted.filter(each => counts?.[each.column] !== '0'))
    await writer.run(
      `INSERT INTO ${target}
       SELECT file, line, note[1], note[2], left(note[3], ${VALUE_CHARACTERS})
       FROM (SELECT file, ${line}, unnest(${column}) AS note FROM ${mapped} AND fault IS NULL)
       WHERE note IS NOT NULL`,
    )
  await countKept(writer, dataset, `${mapped} AND fault IS NULL`)
  if (counts?.faults !== '0') await writer.run(`DELETE FROM ${mapped} AND fault IS NOT NULL`)
  return Number(counts?.rows)
}

async function countRows(writer: Writer, dataset: Dataset): Promise<number> {
  const [row] = await writer.rows(`SELECT count(*) AS number FROM ${accepted(dataset)}`)
  return Number(row?.number)
}
