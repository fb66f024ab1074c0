import {
  type DuckDBConnection,
  DuckDBDecimalType,
  type DuckDBType,
  DuckDBTypeId,
  listValue,
} from '@duckdb/node-api'
import { type Bound, literal } from './bind.ts'
import { completed } from './computed-columns.ts'
import { identifier } from './encode/rewrite.ts'
import { filesOfList, type ParquetFile, pathsOf, schemaOfList } from './file-lists.ts'
import { prepareSelect, runOwn } from './sandbox/gate.ts'
import { type RareColumns, rareColumns } from './template.ts'

/** A copy of a list of Parquet files in the memory of the engine. */
export interface NativeTable {
  /** Its name in SQL. */
  readonly name: string
  readonly rows: number
  /** Whether a statement names none of the columns that the table lacks. */
  serves(sql: string): boolean
  /** The bytes of memory that it takes. */
  readonly bytes: number
}

/**
 * Rows that are copied at a time. They are compressed when all of them are copied, and take several times as much memory
 * before. It is the size of DuckDB's row groups: one that is not full would be compressed again with the next rows.
 */
const ROWS_AT_A_TIME = 122_880

/**
 * How the rows that are copied at a time are ordered, by dataset; those of others are in the order of their files. DuckDB reads
 * 2,048 rows at a time, so a page costs less whose rows are next to each other. The contracts that most requests ask for are those
 * of much premium. Parts of four sizes leave the contracts of a ticker in few places.
 */
const ORDERS: ReadonlyMap<string, string> = new Map([
  ['contract_days', 'premium < 1000000, premium < 10000, premium < 100, option_symbol'],
])

/**
 * Copies a list of files to the table `t` of a new database in memory, of its dataset's rare columns those that are `wanted`. It has
 * a database of its own, because a change of one catalog makes DuckDB plan every statement again that reads it. `readHeld` runs the
 * copy, more than once if files are changed meanwhile.
 */
export async function copyList(
  on: DuckDBConnection,
  database: string,
  list: Bound,
  wanted: ReadonlySet<string>,
  readHeld: (copy: () => Promise<void>) => Promise<void>,
): Promise<NativeTable> {
  const name = `${database}.t`
  const before = await tableBytes(on)
  const schema = schemaOfList(list)
  const rare = schema ? rareColumns(schema) : NONE_RARE
  const lacking = new Set(rare.names.filter(column => !wanted.has(column)))
  let rows = 0
  await runOwn(on, 'attach', `ATTACH ':memory:' AS ${database} (COMPRESS)`)
  try {
    await readHeld(async () => {
      const columns = (await columnsOf(on, list)).filter(column => !lacking.has(column.name))
      const files = await fileRows(on, list)
      rows = files.reduce((sum, file) => sum + file.rows, 0)
      const repeated: ReadonlySet<string> =
        rows < ROWS_WORTH_A_DICTIONARY ? new Set() : await repeatedTexts(on, list)
      const definitions = columns.map(column => columnSql(column, repeated)).join(', ')
      await runOwn(on, 'table', `CREATE OR REPLACE TABLE ${name} (${definitions})`)
      const names = columns.map(column => identifier(column.name)).join(', ')
      const order = ORDERS.get(schema?.name ?? '')
      for (const parts of partsOf(files)) {
        const lot = parts.map(part => `(SELECT ${names} FROM ${rowsSql(list, part)})`).join(' UNION ALL ')
        await runOwn(
          on,
          'fill',
          `INSERT INTO ${name} BY NAME FROM (${lot})${order === undefined ? '' : ` ORDER BY ${order}`}`,
        )
        await runOwn(on, 'compress', `CHECKPOINT ${database}`)
      }
    })
    const serves = (sql: string) =>
      lacking.size === 0 || !rare.namedIn(sql).some(column => lacking.has(column))
    return { name, rows, serves, bytes: (await tableBytes(on)) - before }
  } catch (thrown) {
    await dropCopy(on, name)
    throw thrown
  }
}

/** The database of the table that is made as number `made`. */
export const databaseName = (made: number) => `store_${made}`

/** A statement in which the numbers of its tables are missing, by which those differ that read other files with the same template. */
export const overAnyTable = (sql: string) => sql.replaceAll(/\bstore_\d+\.t\b/g, 'store.t')

/** Drops a table of `copyList` with its database. */
export async function dropCopy(on: DuckDBConnection, name: string): Promise<void> {
  await runOwn(on, 'detach', `DETACH ${name.slice(0, -'.t'.length)}`)
}

const NONE_RARE: RareColumns = { names: [], namedIn: () => [] }

/** The rows of a file from one number on, up to another one. */
interface Part {
  readonly path: string
  readonly from: number
  /** Default: the last row. */
  readonly to?: number
}

/** Cuts the rows of files into lots of `ROWS_AT_A_TIME`, of which the last one may have fewer. */
export function partsOf(files: readonly { readonly path: string; readonly rows: number }[]): Part[][] {
  const lots: Part[][] = []
  let missing = 0
  for (const { path, rows } of files) {
    for (let from = 0; from < rows; ) {
      if (missing === 0) {
        lots.push([])
        missing = ROWS_AT_A_TIME
      }
      const to = Math.min(rows, from + missing)
      lots.at(-1)?.push({ path, from, ...(to < rows ? { to } : {}) })
      missing -= to - from
      from = to
    }
  }
  return lots
}

/** The files of a list with the numbers of their rows, which need no query if all of them are known. */
async function fileRows(on: DuckDBConnection, list: Bound) {
  const known = new Map(filesOfList(list).map(({ path, rows }) => [path, rows]))
  const counted = pathsOf(list).map(path => ({ path, rows: known.get(path) }))
  if (counted.every(hasRows)) return counted
  const read = await selected(
    on,
    `SELECT file_name, num_rows::DOUBLE FROM parquet_file_metadata(${literal(list)})`,
  )
  const rows = new Map((await read.getRows()).map(([path, number]) => [String(path), Number(number)]))
  return pathsOf(list).map(path => ({ path, rows: rows.get(path) ?? 0 }))
}

const hasRows = (file: { path: string; rows: number | undefined }): file is { path: string; rows: number } =>
  file.rows !== undefined

/** The rows of the list, or of a part of one of its files. */
function rowsSql(list: Bound, part?: Part): string {
  const isMixed = list.files === 'mixed'
  // The first file of a mixed list has all columns.
  const paths =
    part === undefined ? pathsOf(list) : [...(isMixed ? pathsOf(list).slice(0, 1) : []), part.path]
  const union = isMixed ? ', union_by_name = true' : ''
  const read = `read_parquet(${literal({ ...list, value: listValue(paths) })}, hive_partitioning = false${union})`
  const bounds = [
    ...(part && part.from > 0 ? [`file_row_number >= ${part.from}`] : []),
    ...(part?.to === undefined ? [] : [`file_row_number < ${part.to}`]),
  ]
  const rows = bounds.length === 0 ? read : `(FROM ${read} WHERE ${bounds.join(' AND ')})`
  return list.computed ? `(${completed(list.computed, rows)})` : rows
}

async function selected(on: DuckDBConnection, sql: string) {
  const statement = await prepareSelect(on, sql)
  try {
    return await statement.run()
  } finally {
    statement.destroySync()
  }
}

interface Column {
  readonly name: string
  readonly type: DuckDBType
}

/** The columns of the list. The statement is prepared only, which is enough to know them. */
async function columnsOf(on: DuckDBConnection, list: Bound): Promise<Column[]> {
  const statement = await prepareSelect(on, `FROM ${rowsSql(list)}`)
  try {
    return Array.from({ length: statement.columnCount }, (_, index) => ({
      name: statement.columnName(index),
      type: statement.columnType(index),
    }))
  } finally {
    statement.destroySync()
  }
}

/** The least rows of a table in which a dictionary of texts saves more than looking for them in the file costs. */
const ROWS_WORTH_A_DICTIONARY = 10_000

/** The columns of text whose values repeat: each row group of the list's last file has a dictionary of them. */
async function repeatedTexts(on: DuckDBConnection, list: Bound): Promise<ReadonlySet<string>> {
  const last = listValue(pathsOf(list).slice(-1))
  const read = await selected(
    on,
    `SELECT path_in_schema
    FROM parquet_metadata(${literal({ ...list, value: last })})
    WHERE type = 'BYTE_ARRAY'
    GROUP BY path_in_schema
    HAVING count(dictionary_page_offset) = count(*)`,
  )
  return new Set((await read.getRows()).map(([name]) => String(name)))
}

/** A column, as a table is created with it. */
const columnSql = ({ name, type }: Column, repeated: ReadonlySet<string>) =>
  `${identifier(name)} ${type}${compressionOf(type, repeated.has(name))}`

/**
 * How a column is compressed. Left to itself, DuckDB compresses a column in several ways and keeps the smallest. For wide
 * decimals and texts, which are not compressed at all, that takes a quarter of the time of a copy, and the smallest takes
 * longer to read. What fits in 64 bits is nearly always smallest in fewer bits, and the other ways are tried for nothing.
 * Texts that repeat are a dictionary: a condition is then evaluated once for each of its entries, not for each row.
 */
function compressionOf(type: DuckDBType, isRepeated: boolean): string {
  if (type.typeId === DuckDBTypeId.VARCHAR)
    return ` USING COMPRESSION ${isRepeated ? 'dict_fsst' : 'uncompressed'}`
  const isDecimal = type instanceof DuckDBDecimalType
  if (isDecimal && type.width > INT64_DIGITS) return ' USING COMPRESSION rle'
  return isDecimal || IN_64_BITS.has(type.typeId) ? ' USING COMPRESSION bitpacking' : '' // cspell:disable-line
}

/** The most digits of a decimal that is kept in 64 bits. */
const INT64_DIGITS = 18

const IN_64_BITS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
])

/** The bytes of all native tables of the instance. */
async function tableBytes(connection: DuckDBConnection): Promise<number> {
  const result = await connection.run(
    `SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'`,
  )
  return Number(result.getChunk(0).getColumnVector(0).getItem(0))
}

/** A file is known by its name, which is a hash of its content, and by its dataset; a publish may move it. */
export const placeOf = ({ path }: ParquetFile) => path.replaceAll('/superseded/', '/')

/** Names the files of a list, and how they are read. */
export function keyOf(list: Bound): string {
  const key = keys.get(list) ?? `${list.files} ${pathsOf(list).join(' ').replaceAll('/superseded/', '/')}`
  keys.set(list, key)
  return key
}

/** A list of a snapshot is bound once, so that its key is made once. */
const keys = new WeakMap<Bound, string>()
