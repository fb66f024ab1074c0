import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bindings, literal, text } from '../engine/bind.ts'
import type { Writer } from '../engine/writer.ts'
import { contentName, sha256OfFile } from './content.ts'
import type { Dataset } from './datasets.ts'
import { failpoint } from './failpoint.ts'
import type { StagedFile } from './publish.ts'

/** A file holds ten row groups: a lookup then opens one or two small files, and reads one or two groups of them. */
const ROWS_A_GROUP = 10_240
const ROWS_A_FILE = 10 * ROWS_A_GROUP

/** Measured on a year of 3,000 tickers: lookups 1.9 ms against ZSTD's 2.5, scans 14 ms against 24, at 1.6 times its size. */
const COMPRESSION = 'lz4_raw'

export const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
export const identifiers = (names: readonly string[]) => names.map(identifier).join(', ')

/** The dataset's columns as a SELECT list, in the schema's order. */
export const columnList = (dataset: Dataset) => identifiers(dataset.columns.map(({ name }) => name))

/**
 * Writes the rows of `select` (exactly the dataset's columns) as sorted Parquet files of one partition into the
 * staging folder. The same rows make the same bytes, whatever the number of threads: rows are sorted into a table
 * first and copied slice by slice, since COPY with ROW_GROUPS_PER_FILE deals row groups out to files as its threads
 * happen to finish. Rows that share sort columns and key may stand in any order.
 */
export async function writeSorted(
  writer: Writer,
  staging: string,
  dataset: Dataset,
  partition: string,
  select: string,
  bindings: Bindings = {},
): Promise<StagedFile[]> {
  const order = [...new Set([...dataset.sort, ...dataset.key])]
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE lake_sorted AS
     SELECT ${columnList(dataset)} FROM (${select}) ORDER BY ${identifiers(order)}`,
    bindings,
  )
  const slices = await writer.rows(
    `SELECT rowid // ${ROWS_A_FILE} AS slice, count(*) AS row_count, ${boundsOf(dataset)}
     FROM lake_sorted GROUP BY slice ORDER BY slice`,
  )
  const staged: StagedFile[] = []
  for (const bounds of slices) {
    const first = Number(bounds.slice) * ROWS_A_FILE
    const path = join(staging, `${randomUUID()}.parquet`)
    failpoint('before copy')
    await writer.run(
      `COPY (FROM lake_sorted WHERE rowid BETWEEN ${first} AND ${first + ROWS_A_FILE - 1})
       TO ${literal(text(path))} (FORMAT parquet, COMPRESSION ${COMPRESSION}, ROW_GROUP_SIZE ${ROWS_A_GROUP})`,
    )
    failpoint('after copy')
    const sha256 = await sha256OfFile(path)
    staged.push({
      path,
      file: {
        name: `${dataset.name}/${partition}/${contentName(sha256)}.parquet`,
        rows: Number(bounds.row_count),
        bytes: (await stat(path)).size,
        sha256,
        ...readBounds(dataset, bounds),
      },
    })
  }
  await writer.run('DROP TABLE lake_sorted')
  return staged
}

/** Aggregates that give the bounds of a file's rows; `readBounds` reads them. */
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
