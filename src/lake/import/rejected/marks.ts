import { integer } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'

/** The most rejected rows of an import that are copied, and the most bytes of them. */
export const COPIED_ROWS_MAX = 100_000
export const COPIED_BYTES_MAX = 64 << 20

/** The rejected lines of a file that are copied, ascending, with their reasons. */
export type Marks = ReadonlyMap<number, string>

/** A SELECT of the rejected lines of a file, and the reasons of each. */
export const marksSql = (file: number, most: number) =>
  `SELECT line, string_agg(DISTINCT concat_ws(': ', "column", reason), '; ') AS reason
   FROM import_rejects WHERE file = ${file} GROUP BY line ORDER BY line LIMIT ${most}`

export async function marksOf(writer: Writer, file: number, most: number): Promise<Marks> {
  const rows = await writer.rows(marksSql(file, most))
  return new Map(rows.map(({ line, reason }) => [Number(line), String(reason)]))
}

/** The lines above the header of a file, and whether it has one; null: the file was read without one being recorded. */
export async function headOf(
  writer: Writer,
  file: number,
): Promise<{ readonly above: number; readonly hasHeader: boolean } | null> {
  const [row] = await writer.rows(
    'SELECT len(preamble) AS above, len(header) > 0 AS named FROM files WHERE file = $file',
    { file: integer(file) },
  )
  return row === undefined ? null : { above: Number(row.above), hasHeader: row.named === true }
}

/** Receives the parts of a copy. */
export type Take = (part: Buffer | string) => void
