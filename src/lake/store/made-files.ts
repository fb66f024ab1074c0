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

/** Rows that are computed as they are written. */
export interface InOrder {
  /** A table with the dataset's key in the order of `orderOf`, one row each, and no gap in its rowids. */
  readonly table: string
  /** Answers the dataset's columns, a row for each of the table's; as a rule, but not for certain, in its order. */
  readonly select: string
  readonly bindings: Bindings
}

/** What was written, and how many rows lack a value that the dataset requires. */
export interface Made extends Written {
  readonly blanks: number
}

/**
 * Writes rows as files of one partition without keeping or sorting them before: they are copied out as they are
 * computed, which takes half of the time. The engine keeps the order of a table through joins as long as one thread
 * does all of it, and promises nothing. So the file is read back, for its digests and bounds too, and sorted once more
 * where its rows are not in the table's order.
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

/** How many rows, and a digest of which of them stands where. */
const rowsAndPlaces = (columns: string) =>
  `count(*)::DOUBLE AS row_count, sum(hash(${columns})::HUGEINT)::VARCHAR AS places`
