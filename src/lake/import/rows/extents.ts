import type { Writer } from '../../../engine/writer.ts'
import type { Extent } from '../../land/import-record.ts'
import type { Dataset } from '../../store/datasets.ts'
import { identifier } from '../../store/sorted-files.ts'

/** Creates the table of the accepted rows by file and dataset: their number and extent. */
export const createKept = (writer: Pick<Writer, 'run'>) =>
  writer.run(
    `CREATE TEMP TABLE import_kept (file INTEGER, dataset VARCHAR, rows BIGINT,
       first_day VARCHAR, last_day VARCHAR, first_key VARCHAR, last_key VARCHAR)`,
  )

/** Counts the accepted rows of a table and a condition. */
export const countKept = (writer: Writer, dataset: Dataset, mapped: string) =>
  writer.run(
    `INSERT INTO import_kept SELECT file, '${dataset.name}', count(*), ${extentSql(dataset)}
     FROM ${mapped} GROUP BY file`,
  )

/** The extent of a table of rows of a dataset; null if it has none. */
export async function extentOfRows(writer: Writer, dataset: Dataset, table: string): Promise<Extent | null> {
  const [row] = await writer.rows(`SELECT ${extentSql(dataset)} FROM ${table}`)
  return row === undefined ? null : extentIn(row)
}

/** The extents of the rows of each file that was mapped, by dataset. */
export async function fileExtents(writer: Writer): Promise<Map<number, Record<string, Extent>>> {
  const rows = await writer.rows(
    `SELECT file, dataset, min(first_day) AS first_day, max(last_day) AS last_day,
       CASE WHEN count(first_key) = count(*) THEN min(first_key) END AS first_key,
       CASE WHEN count(first_key) = count(*) THEN max(last_key) END AS last_key
     FROM import_kept GROUP BY file, dataset`,
  )
  const extents = new Map<number, Record<string, Extent>>()
  for (const row of rows) {
    const extent = extentIn(row)
    const file = Number(row.file)
    if (extent !== null) extents.set(file, { ...extents.get(file), [String(row.dataset)]: extent })
  }
  return extents
}

/** The days and the main keys of rows: the first column of the key that is recorded per file too, if there is one. */
function extentSql({ key, ranges, partition }: Dataset): string {
  const main = ranges.find(name => key.includes(name))
  const day = identifier(partition.column)
  const text = `${main === undefined ? 'NULL' : identifier(main)}::VARCHAR`
  const bound = (of: 'min' | 'max') => `CASE WHEN count(${text}) = count(*) THEN ${of}(${text}) END`
  return `min(${day})::VARCHAR AS first_day, max(${day})::VARCHAR AS last_day,
    ${bound('min')} AS first_key, ${bound('max')} AS last_key`
}

function extentIn({
  first_day,
  last_day,
  first_key,
  last_key,
}: Readonly<Record<string, unknown>>): Extent | null {
  const [first, last] = [first_day, last_day].map(String)
  if (first_day === null || first === undefined || last === undefined) return null
  return {
    days: [first, last],
    keys: first_key === null || last_key === null ? null : [String(first_key), String(last_key)],
  }
}
