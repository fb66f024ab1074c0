import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from '../store/datasets.ts'
import { identifier } from '../store/sorted-files.ts'

/** The accepted rows of one dataset. */
export interface DatasetFigures {
  readonly dataset: string
  readonly rows: number
  /** The number of days with rows. */
  readonly days: number
  readonly firstDay: string
  readonly lastDay: string
  /** The main key of the dataset, such as its tickers: their number, and the first in alphabetical order. */
  readonly keys: { readonly column: string; readonly count: number; readonly first: readonly string[] } | null
}

/** The number of keys that are listed. */
const KEYS_LISTED = 5

/** The figures of the table or view `incoming`, which has rows. */
export async function figuresOf(writer: Writer, dataset: Dataset): Promise<DatasetFigures> {
  const { name, partition, ranges } = dataset
  const day = identifier(partition.column)
  const [days = {}] = await writer.rows(
    `SELECT
       sum(day_rows)::VARCHAR AS row_count,
       count(*)::VARCHAR AS day_count,
       min(day)::VARCHAR AS first_day,
       max(day)::VARCHAR AS last_day
     FROM (SELECT ${day} AS day, count(*) AS day_rows FROM incoming GROUP BY ${day})`,
  )
  const [column] = ranges
  return {
    dataset: name,
    rows: Number(days.row_count),
    days: Number(days.day_count),
    firstDay: String(days.first_day),
    lastDay: String(days.last_day),
    keys: column === undefined || column === partition.column ? null : await keysOf(writer, column),
  }
}

async function keysOf(writer: Writer, column: string): Promise<DatasetFigures['keys']> {
  const key = identifier(column)
  const [row] = await writer.rows(
    `SELECT count(*)::VARCHAR AS key_count, min(key, ${KEYS_LISTED}) AS first_keys
     FROM (SELECT DISTINCT ${key}::VARCHAR AS key FROM incoming WHERE ${key} IS NOT NULL)`,
  )
  const first = Array.isArray(row?.first_keys) ? row.first_keys : []
  return { column, count: Number(row?.key_count), first: first.map(String) }
}
