import { type Bindings, files } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from '../store/datasets.ts'
import { boundsOf, identifier, readBounds } from '../store/sorted-files.ts'

/** The bounds of the rows of a file. */
export interface Bounds {
  readonly rows: number
  readonly dates: [string, string]
  readonly ranges: Record<string, [string, string]>
  /** A required column with a NULL. */
  readonly blank: string | null
}

const required = (dataset: Dataset) =>
  dataset.columns.filter(({ nullable }) => !nullable).map(({ name }) => name)

/**
 * The bounds from a Parquet file's footer; null unless they are exact and complete. Writers may truncate statistics of
 * strings, and many order them by other rules than UTF-8 bytes: they are used only if the footer marks them as exact
 * (`is_min_value_exact`, `is_max_value_exact` of the Parquet format, which no writer with the old rules sets). Dates
 * are integers and never truncated.
 */
export async function footerBounds(writer: Writer, dataset: Dataset, path: string): Promise<Bounds | null> {
  const columns = await writer.rows(
    `SELECT
       path_in_schema AS name,
       sum(row_group_num_rows)::BIGINT AS row_count,
       min(stats_min_value) AS least,
       max(stats_max_value) AS greatest,
       bool_and(
         stats_min_value IS NOT NULL AND stats_max_value IS NOT NULL
         AND (type <> 'BYTE_ARRAY' OR coalesce(min_is_exact AND max_is_exact, false))
       ) AS exact,
       CASE WHEN bool_and(stats_null_count IS NOT NULL) THEN sum(stats_null_count)::BIGINT END AS nulls
     FROM parquet_metadata($file)
     WHERE row_group_num_rows > 0
     GROUP BY name`,
    { file: files([path]) },
  )
  const stated = new Map(columns.map(row => [String(row.name), row]))
  const rows = Number(columns[0]?.row_count ?? 0)
  const bounded = [dataset.partition.column, ...dataset.ranges]
  const complete =
    bounded.every(name => stated.get(name)?.exact === true) &&
    required(dataset).every(name => typeof stated.get(name)?.nulls === 'string')
  if (rows > 0 && !complete) return null

  const pair = (name: string): [string, string] => [
    String(stated.get(name)?.least),
    String(stated.get(name)?.greatest),
  ]
  return {
    rows,
    dates: pair(dataset.partition.column),
    ranges: Object.fromEntries(dataset.ranges.map(name => [name, pair(name)])),
    blank: required(dataset).find(name => rows > 0 && stated.get(name)?.nulls !== '0') ?? null,
  }
}

/** The same, from the rows of `select` (exactly the dataset's columns). */
export async function scannedBounds(
  writer: Writer,
  dataset: Dataset,
  select: string,
  bindings: Bindings,
): Promise<Bounds> {
  const blanks = required(dataset).map(
    name => `count(*) FILTER (${identifier(name)} IS NULL) AS ${identifier(`blank ${name}`)}`,
  )
  const [row = {}] = await writer.rows(
    `SELECT count(*) AS row_count, ${[boundsOf(dataset), ...blanks].join(', ')} FROM (${select})`,
    bindings,
  )
  return {
    rows: Number(row.row_count),
    ...readBounds(dataset, row),
    blank: required(dataset).find(name => row[`blank ${name}`] !== '0') ?? null,
  }
}
