import { randomUUID } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bindings, files } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from './datasets.ts'
import {
  boundsOf,
  columnList,
  identifiers,
  lookOver,
  readBounds,
  type Written,
  writeSorted,
} from './sorted-files.ts'
import { copyRows, ROWS_A_FILE, stagedFile } from './written-file.ts'

/** Rows that are computed while they are written. */
export interface InOrder {
  /** A table with the dataset's keys in the order of `orderOf`, without duplicates and without gaps in its rowids. */
  readonly table: string
  /** Returns the dataset's columns, one row per row of the table, usually but not always in its order. */
  readonly select: string
  readonly bindings: Bindings
}

/** The written files, and the number of rows that lack a required value. */
export interface Made extends Written {
  readonly blanks: number
}

/**
 * Writes rows as files of one partition without storing or sorting them first, which takes half the time. DuckDB
 * happens to keep the order of a table through joins while one thread does all the work, but does not guarantee it. So
 * the file is read back, also for its digests and bounds, and sorted if its rows are not in the table's order.
 */
export async function writeMade(
  writer: Writer,
  staging: string,
  dataset: Dataset,
  partition: string,
  { table, select, bindings }: InOrder,
): Promise<Made> {
  const key = identifiers(dataset.key)
  const [wanted = {}] = await writer.rows(`SELECT ${rowsAndPlaces(`${key}, rowid`)} FROM ${table}`)
  const rows = Number(wanted.row_count)
  if (rows === 0) return { staged: [], days: {}, blanks: 0 }
  const path = join(staging, `${randomUUID()}.parquet`)
  await copyRows(writer, `SELECT ${columnList(dataset)} FROM (${select})`, path, bindings)
  const file = { made: files([path]) }
  const source = 'read_parquet($made, hive_partitioning = false, file_row_number = true)'
  const { digests: days, blanks } = await lookOver(writer, dataset, source, file)
  const [got = {}] = await writer.rows(
    `SELECT ${rowsAndPlaces(`${key}, file_row_number`)}, ${boundsOf(dataset)} FROM ${source}`,
    file,
  )
  if (got.row_count !== wanted.row_count)
    throw new Error(`${dataset.name}: ${got.row_count} rows were made of ${wanted.row_count}`)
  if (rows <= ROWS_A_FILE && got.places === wanted.places) {
    const staged = await stagedFile(path, dataset, partition, { rows, ...readBounds(dataset, got) })
    return { staged: [staged], days, blanks }
  }
  const sorted = await writeSorted(writer, staging, dataset, partition, `FROM ${source}`, file, days)
  await unlink(path)
  return { ...sorted, blanks }
}

/** The number of rows, and a digest of rows with their positions. */
const rowsAndPlaces = (columns: string) =>
  `count(*)::DOUBLE AS row_count, sum(hash(${columns})::HUGEINT)::VARCHAR AS places`
