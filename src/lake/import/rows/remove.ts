import { integer } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { ImportFormat } from '../format/format.ts'
import { accepted, rawRows } from './tables.ts'

/** Removes all that the tables of an import have of a file. */
export async function forgetFile(writer: Writer, format: ImportFormat, file: number): Promise<void> {
  const tables = [
    'files',
    ...format.mappings.map(({ dataset }) => accepted(dataset)),
    ...(format.isAlone ? [] : format.sources.map(rawRows)),
    ...['import_rejects', 'import_notes', 'import_warnings', 'import_kept', 'import_renamed'],
  ]
  for (const table of tables)
    await writer.run(`DELETE FROM ${table} WHERE file = $file`, { file: integer(file) })
}

/** Empties what the mappings of a format have filled. The first `broken` rejects are those of lines that were not read. */
export async function clearMapped(writer: Writer, { mappings }: ImportFormat, broken: number): Promise<void> {
  for (const { dataset } of mappings) await writer.run(`DELETE FROM ${accepted(dataset)}`)
  // Rows are counted, because a checkpoint may renumber the rows after deleted ones; it keeps their order.
  await writer.run(
    `DELETE FROM import_rejects WHERE rowid >= (SELECT rowid FROM import_rejects LIMIT 1 OFFSET ${broken})`,
  )
  for (const table of ['import_notes', 'import_warnings', 'import_kept'])
    await writer.run(`DELETE FROM ${table}`)
}
