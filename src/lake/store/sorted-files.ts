import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Bindings, dates, integers, literal, text } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from './datasets.ts'
import type { Digest, Digests } from './manifest.ts'
import { CATCH_ALL } from './partition.ts'
import type { StagedFile } from './written-file.ts'
import { copyRows, ROWS_A_FILE, ROWS_A_GROUP, ROWS_A_VECTOR, stagedFile } from './written-file.ts'

export const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
export const identifiers = (names: readonly string[]) => names.map(identifier).join(', ')

/** The dataset's columns as a SELECT list, in the schema's order. */
export const columnList = (dataset: Dataset) => identifiers(dataset.columns.map(({ name }) => name))

/** A partition to write, and its days. */
export interface Part {
  readonly partition: string
  readonly dates: readonly string[]
}

/** The files written for one partition, and the digests of its days. */
export interface Written {
  readonly staged: readonly StagedFile[]
  readonly days: Digests
}

/**
 * Writes the rows of `select` (exactly the dataset's columns) as sorted Parquet files of one partition into the
 * staging folder. The same rows produce the same bytes, whatever the number of threads: rows are first sorted into a
 * table and then copied slice by slice, because COPY with ROW_GROUPS_PER_FILE assigns row groups to files in the order
 * in which its threads finish. Rows with equal sort columns and key are in any order. Pass the rows' digests as `known`
 * if they are at hand.
 */
export async function writeSorted(
  writer: Writer,
  staging: string,
  dataset: Dataset,
  partition: string,
  select: string,
  bindings: Bindings = {},
  known?: Digests,
): Promise<Written> {
  const rows = `SELECT ${columnList(dataset)} FROM (${select})`
  return withSorted(writer, rows, orderOf(dataset), bindings, table =>
    writeInOrder(writer, staging, dataset, partition, table, known),
  )
}

/**
 * `writeSorted` for a table whose rows are already in the order of `orderOf`. Its rowids must have no gaps.
 */
export async function writeInOrder(
  writer: Writer,
  staging: string,
  dataset: Dataset,
  partition: string,
  table: string,
  known?: Digests,
): Promise<Written> {
  const [slices = []] = await writeSlices(writer, staging, dataset, table, '0', [partition])
  return { staged: slices, days: known ?? (await digestsOf(writer, dataset, table)) }
}

/**
 * `writeSorted` for several partitions at once: for many small ones it takes a fraction of the time and writes the same
 * files. `digests` has all days of all parts. Returns one item per part, in order.
 */
export async function writeParts(
  writer: Writer,
  staging: string,
  dataset: Dataset,
  parts: readonly Part[],
  select: string,
  digests: Digests,
): Promise<Written[]> {
  const days = parts.flatMap((part, number) => part.dates.map(day => ({ day, number })))
  const placed = 'SELECT unnest($days) AS lake_day, unnest($numbers)::INTEGER AS lake_part'
  const rows = `SELECT ${columnList(dataset)}, ${PART} FROM (${select}) JOIN (${placed}) ON ${identifier(dataset.partition.column)} = lake_day`
  const bindings = {
    days: dates(days.map(({ day }) => day)),
    numbers: integers(days.map(({ number }) => number)),
  }
  const partitions = parts.map(({ partition }) => partition)
  const order = [PART, ...orderOf(dataset)]
  const slices = await withSorted(writer, rows, order, bindings, table =>
    writeSlices(writer, staging, dataset, table, PART, partitions),
  )
  return parts.map((part, number) => ({
    staged: slices[number] ?? [],
    days: digestsAmong(digests, part.dates),
  }))
}

/** The digests of some of the days. */
export const digestsAmong = (digests: Digests, days: readonly string[]): Digests =>
  Object.fromEntries(
    days.flatMap(day => {
      const digest = digests[day]
      return digest ? [[day, digest]] : []
    }),
  )

/** The digests of days whose rows are in several parts. */
export function digestsTogether(parts: readonly Digests[]): Digests {
  const days = new Map<string, Digest>()
  for (const [day, digest] of parts.flatMap(part => Object.entries(part)))
    days.set(day, sumOf(days.get(day), digest))
  return Object.fromEntries(days)
}

/** The digest of two disjoint sets of rows together. */
export const sumOf = ([rows, checksum]: Digest = [0, '0'], [more, other]: Digest): Digest => [
  rows + more,
  BigInt.asUintN(64, BigInt(`0x${checksum}`) + BigInt(`0x${other}`))
    .toString(16)
    .padStart(16, '0'),
]

/** The order of a partition's rows. It is total, since a key has one row. */
export const orderOf = ({ sort, key }: Dataset) => [...new Set([...sort, ...key])]

/** That order by the values as stored, for rows whose columns may have other types. */
export const orderAsStored = (dataset: Dataset) =>
  orderOf(dataset)
    .map(name => `${identifier(name)}::${dataset.columns.find(column => column.name === name)?.type}`)
    .join(', ')

/** The column with the index of a row's partition among the parts. */
const PART = 'lake_part'

/** Sorts rows into a table that all connections see, and drops it after `use`. */
async function withSorted<T>(
  writer: Writer,
  rows: string,
  order: readonly string[],
  bindings: Bindings,
  use: (table: string) => Promise<T>,
): Promise<T> {
  const table = `lake_sorted_${randomBytes(8).toString('hex')}`
  await writer.run(`CREATE TABLE ${table} AS FROM (${rows}) ORDER BY ${identifiers(order)}`, bindings)
  try {
    return await use(table)
  } finally {
    await writer.run(`DROP TABLE ${table}`)
  }
}

/**
 * Copies the sorted rows to files, two files at a time: copying so few rows keeps only one core busy. `part` is SQL for
 * the index of a row's partition.
 */
async function writeSlices(
  writer: Writer,
  staging: string,
  dataset: Dataset,
  table: string,
  part: string,
  partitions: readonly string[],
): Promise<StagedFile[][]> {
  // Files do not span partitions.
  const starts =
    part === '0'
      ? ''
      : `JOIN (SELECT ${PART}, min(place) AS part_start FROM placed GROUP BY ${PART}) USING (${PART})`
  const slices = await writer.rows(
    `WITH placed AS (
       SELECT ${identifiers(bounded(dataset))}, ${part} AS ${PART}, rowid AS place FROM ${table}
     )
     SELECT ${PART}, min(place) AS first_row, count(*) AS row_count, ${boundsOf(dataset)}
     FROM placed ${starts}
     GROUP BY ${PART}, (place - ${part === '0' ? '0' : 'part_start'}) // ${ROWS_A_FILE}
     ORDER BY first_row`,
  )
  const files: StagedFile[] = []
  const waiting = slices.entries()
  const copyOn = async (connection: Writer) => {
    for (const [index, slice] of waiting) {
      const partition = partitions[Number(slice[PART])] ?? ''
      files[index] = await copySlice(connection, staging, dataset, table, partition, slice)
    }
  }
  if (slices.length < 2) await copyOn(writer)
  else {
    const beside = await writer.beside()
    const lanes = await Promise.allSettled([copyOn(writer), copyOn(beside)])
    beside.close()
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  }
  return partitions.map((_, number) =>
    files.filter((_file, index) => Number(slices[index]?.[PART]) === number),
  )
}

async function copySlice(
  writer: Writer,
  staging: string,
  dataset: Dataset,
  table: string,
  partition: string,
  slice: Record<string, unknown>,
): Promise<StagedFile> {
  const first = Number(slice.first_row)
  const rows = Number(slice.row_count)
  const path = join(staging, `${randomUUID()}.parquet`)
  const select = `SELECT ${columnList(dataset)} FROM ${table} WHERE rowid BETWEEN ${first} AND ${first + rows - 1}`
  // DuckDB ends row groups at vector boundaries. Where a slice starts within a vector, these differ between one thread
  // and several; the redundant ORDER BY aligns the vectors with the slice.
  const isCut = rows > ROWS_A_GROUP && first % ROWS_A_VECTOR > 0
  await copyRows(writer, isCut ? `${select} ORDER BY rowid` : select, path)
  return stagedFile(path, dataset, partition, { rows, ...readBounds(dataset, slice) })
}

/** The digest of each day in `source`, a table or a subquery with the dataset's columns. */
export async function digestsOf(
  writer: Writer,
  dataset: Dataset,
  source: string,
  bindings: Bindings = {},
): Promise<Digests> {
  return (await lookOver(writer, dataset, source, bindings)).digests
}

/** In one pass, the digest of each day and the number of rows that lack a required value. */
export async function lookOver(
  writer: Writer,
  dataset: Dataset,
  source: string,
  bindings: Bindings = {},
): Promise<{ digests: Digests; blanks: number }> {
  const day =
    dataset.partition.units.length === 0
      ? literal(text(CATCH_ALL))
      : `${identifier(dataset.partition.column)}::VARCHAR`
  const required = dataset.columns.filter(({ nullable }) => !nullable)
  const isBlank = required.map(({ name }) => `${identifier(name)} IS NULL`).join(' OR ')
  const rows = await writer.rows(
    `SELECT ${day} AS day, count(*)::VARCHAR AS row_count, ${checksumOf(dataset)} AS checksum,
       count(*) FILTER (WHERE ${isBlank})::VARCHAR AS blanks
     FROM ${source} GROUP BY day ORDER BY day`,
    bindings,
  )
  return {
    digests: Object.fromEntries(
      rows.map(row => [String(row.day), [Number(row.row_count), String(row.checksum)]]),
    ),
    blanks: rows.reduce((sum, row) => sum + Number(row.blanks), 0),
  }
}

/**
 * The checksum of a set of rows, independent of their order and files: the sum of each row's 64-bit hash over all
 * columns, modulo 2^64, in hex. It detects differences; it does not protect against forgery.
 */
export function checksumOf(dataset: Dataset): string {
  return `format('{:016x}', (sum(hash(${columnList(dataset)})::HUGEINT) % 18446744073709551616)::UBIGINT)`
}

/** The columns whose bounds are recorded for each file, without duplicates. */
const bounded = ({ partition, ranges }: Dataset) => [...new Set([partition.column, ...ranges])]

/** Aggregates for the bounds of a file's rows; `readBounds` reads them. */
export function boundsOf({ partition, ranges }: Dataset): string {
  const least = (column: string) => `min(${identifier(column)})::VARCHAR AS ${identifier(`least ${column}`)}`
  const greatest = (column: string) =>
    `max(${identifier(column)})::VARCHAR AS ${identifier(`greatest ${column}`)}`
  return [partition.column, ...ranges].map(column => `${least(column)}, ${greatest(column)}`).join(', ')
}

/** The dates and ranges of a file, from a row with the columns of `boundsOf`. */
export function readBounds({ partition, ranges }: Dataset, row: Record<string, unknown>) {
  const pair = (column: string): [string, string] => [
    String(row[`least ${column}`]),
    String(row[`greatest ${column}`]),
  ]
  return {
    dates: pair(partition.column),
    ranges: Object.fromEntries(ranges.map(column => [column, pair(column)])),
  }
}
