import { integer } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { ImportFormat } from '../format/format.ts'
import { accepted, rawRows } from './tables.ts'

/** The numbers of accepted rows, by the table that has them. */
export type AcceptedRows = ReadonlyMap<string, number>

/** Counts the accepted rows of a format's datasets, for `removeFile`. */
export async function countAccepted(writer: Writer, { mappings }: ImportFormat): Promise<AcceptedRows> {
  const counts = new Map<string, number>()
  for (const { dataset } of mappings) {
    const [row] = await writer.rows(`SELECT count(*) AS number FROM ${accepted(dataset)}`)
    counts.set(accepted(dataset), Number(row?.number))
  }
  return counts
}

/**
 * Removes what the import's tables have of a file: its raw rows, rejects, notes, warnings and counts, and the rows that
 * were accepted after `before` was counted, in a format whose files are mapped as they are read.
 */
export async function removeFile(
  writer: Writer,
  { isAlone, sources }: ImportFormat,
  file: number,
  before: AcceptedRows = new Map(),
): Promise<void> {
  for (const [table, rows] of before) await keepFirst(writer, table, rows)
  const raw = isAlone ? [] : sources.map(rawRows)
  for (const table of [...raw, 'files', 'import_rejects', 'import_notes', 'import_warnings', 'import_kept'])
    await writer.run(`DELETE FROM ${table} WHERE file = $file`, { file: integer(file) })
}

/**
 * Deletes all rows of a table but the first `rows`. They are counted, because a checkpoint may renumber the rows after
 * deleted ones; it keeps their order.
 */
export const keepFirst = (writer: Writer, table: string, rows: number) =>
  writer.run(`DELETE FROM ${table} WHERE rowid >= (SELECT rowid FROM ${table} LIMIT 1 OFFSET ${rows})`)

/** Empties what the mappings of a format have filled. The first `broken` rejects are those of lines that were not read. */
export async function clearMapped(writer: Writer, { mappings }: ImportFormat, broken: number): Promise<void> {
  for (const { dataset } of mappings) await writer.run(`DELETE FROM ${accepted(dataset)}`)
  await keepFirst(writer, 'import_rejects', broken)
  for (const table of ['import_notes', 'import_warnings', 'import_kept'])
    await writer.run(`DELETE FROM ${table}`)
}
