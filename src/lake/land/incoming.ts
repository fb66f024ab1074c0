import { Failure } from '../../engine/failure.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from '../store/datasets.ts'
import { isUndivided } from '../store/held-days.ts'
import type { Digests } from '../store/manifest.ts'
import { identifier, lookOver } from '../store/sorted-files.ts'

/**
 * Row counts and digests of the incoming days, ascending. Rejects with input_refused for rows that cannot be stored.
 */
export async function inspectIncoming(
  writer: Writer,
  dataset: Dataset,
): Promise<{ days: ReadonlyMap<string, number>; digests: Digests }> {
  const { digests, blanks } = await lookOver(writer, dataset, 'incoming')
  if (blanks > 0) throw await blankRefusal(writer, dataset)
  const days = isUndivided(dataset) ? await countDays(writer, dataset) : rowsOf(digests)
  const strange = [...days.keys()].find(day => !/^\d{4}-\d{2}-\d{2}$/.test(day))
  if (strange !== undefined)
    throw new Failure('input_refused', `${dataset.name}: the year of ${strange} does not have four digits`)
  return { days, digests }
}

async function blankRefusal(writer: Writer, { name, columns }: Dataset): Promise<Failure> {
  const required = columns.filter(({ nullable }) => !nullable).map(column => column.name)
  const counts = required.map(
    column => `count(*) FILTER (WHERE ${identifier(column)} IS NULL) AS ${identifier(column)}`,
  )
  const [blanks = {}] = await writer.rows(`SELECT ${counts.join(', ')} FROM incoming`)
  const blank = required.find(column => blanks[column] !== '0')
  return new Failure(
    'input_refused',
    `${name}.${blank} is NULL in ${blanks[blank ?? '']} rows, so nothing was imported`,
  )
}

/** The number of rows of each day. */
export const rowsOf = (digests: Digests) =>
  new Map(Object.entries(digests).map(([day, [rows]]) => [day, rows]))

async function countDays(writer: Writer, { partition }: Dataset): Promise<Map<string, number>> {
  const day = identifier(partition.column)
  const rows = await writer.rows(
    `SELECT ${day}::VARCHAR AS day, count(*) AS row_count FROM incoming GROUP BY ${day} ORDER BY ${day}`,
  )
  return new Map(rows.map(row => [String(row.day), Number(row.row_count)]))
}
