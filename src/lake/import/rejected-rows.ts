import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../engine/bind.ts'
import { makeFolder, renameFile, syncFolder, writeFailure } from '../store/durable.ts'
import { REJECT_LINE, REJECT_REASON } from './format/reject-columns.ts'
import { fileNameOf, type Input, oneLine } from './input/inputs.ts'
import { unpackedBytes } from './input/source.ts'
import { lookAtJson } from './json/documents.ts'
import { rowsRequest } from './json/json.ts'
import { readRows, withoutMark } from './json/rows.ts'
import { withParquet } from './parquet/parquet.ts'
import { beginning, sniff } from './read.ts'
import { csvCopier } from './rejected/csv.ts'
import { jsonCopier } from './rejected/json.ts'
import { layoutCopier } from './rejected/layout-json.ts'
import {
  COPIED_BYTES_MAX,
  COPIED_ROWS_MAX,
  headOf,
  type Marks,
  marksOf,
  marksSql,
  type Take,
} from './rejected/marks.ts'
import type { Reading } from './rows/reading.ts'
import { rejectsFolder } from './rows/rejects.ts'
import { layoutsRead } from './rows/tables.ts'
import { isWorkbookFile, sheetRead } from './workbooks.ts'

/**
 * Copies the rejected rows of each file to a file of the same layout, in the folder of the import's rejects: it can be
 * mended and imported. Reads files with rejects a second time. Returns the folder; null if no row was copied. Of an
 * import, at most COPIED_ROWS_MAX rows and about COPIED_BYTES_MAX are copied; of XML, and of
 * JSON rows without a place of their own, none.
 */
export async function copyRejectedRows(
  reading: Reading,
  lake: string,
  name: string,
  inputs: readonly Input[],
): Promise<string | null> {
  const folder = rejectsFolder(lake, name)
  await rm(folder, { recursive: true, force: true })
  const left = { rows: COPIED_ROWS_MAX, bytes: COPIED_BYTES_MAX }
  const names = new Set<string>()
  for (const [file, named] of inputs.entries()) {
    const marks = await marksOf(reading.writer, file, left.rows)
    const isSheet = marks.size > 0 && (await isWorkbookFile(named))
    const input = isSheet ? await sheetRead(reading, file, named) : named
    if (input === null) continue
    const kind = marks.size === 0 || left.bytes <= 0 ? null : await kindOf(reading, file, input)
    if (kind === null) continue
    await makeFolder(folder)
    const bare = oneLine(fileNameOf(input)).replace(/\.(parquet|xlsx)$/i, '.csv')
    const own = names.has(bare) ? `${file + 1}-${bare}` : bare
    names.add(own)
    const path = join(folder, own)
    const unfinished = `${path}.${process.pid}`
    try {
      if (kind === 'parquet') await copyParquet(reading, file, input, left.rows, unfinished)
      else left.bytes -= await copyText(reading, file, input, kind, marks, left.bytes, unfinished)
      await renameFile(unfinished, path)
    } finally {
      await rm(unfinished, { force: true })
    }
    left.rows -= marks.size
  }
  if (names.size === 0) return null
  await syncFolder(folder)
  return folder
}

/** How the rows of a file are copied; null if they are not. */
async function kindOf(
  reading: Reading,
  file: number,
  input: Input,
): Promise<'parquet' | 'csv' | 'json' | 'layout' | null> {
  const sniffed = sniff(await beginning(reading, input))
  if (sniffed === undefined) return 'csv'
  if (sniffed.kinds.includes('parquet')) return 'parquet'
  const isOfLayout = (await headOf(reading.writer, file))?.hasHeader ?? false
  if (!sniffed.kinds.includes('json')) return null
  if (!isOfLayout) return 'json'
  const copier = await layoutCopierOf(reading, file, input, new Map(), 0, () => {})
  return copier === null ? null : 'layout'
}

async function layoutCopierOf(
  { writer, folder, layouts }: Reading,
  file: number,
  input: Input,
  marks: Marks,
  most: number,
  take: Take,
) {
  const name = (await layoutsRead(writer)).get(file)
  const layout = layouts.find(each => each.name === name)
  const looked = await lookAtJson(() => withoutMark(unpackedBytes(input, writer, folder, () => {})))
  return layout === undefined || typeof looked === 'string'
    ? null
    : layoutCopier(layout, looked, marks, most, take)
}

async function copyParquet(reading: Reading, file: number, input: Input, rows: number, path: string) {
  await withParquet({ ...reading, advance: () => {} }, input, async table => {
    await reading.writer.run(
      `COPY (
         SELECT line AS ${REJECT_LINE}, reason AS ${REJECT_REASON}, source.* EXCLUDE (file_row_number)
         FROM ${table} AS source JOIN (${marksSql(file, rows)}) ON file_row_number + 1 = line ORDER BY line
       ) TO ${literal(text(path))} (FORMAT csv, HEADER)`,
    )
    return rows
  })
}

/** Copies rows of text, until `most` bytes are written. Returns the number of bytes. */
async function copyText(
  reading: Reading,
  file: number,
  input: Input,
  kind: 'csv' | 'json' | 'layout',
  marks: Marks,
  most: number,
  path: string,
): Promise<number> {
  const parts: Buffer[] = []
  const target = await open(path, 'w').catch(thrown => {
    throw writeFailure(path, thrown)
  })
  let written = 0
  const take: Take = part => void (written < most && parts.push(Buffer.from(part)))
  const flush = async () => {
    const bytes = Buffer.concat(parts.splice(0))
    written += bytes.length
    await write(target, path, bytes)
  }
  try {
    if (kind === 'csv') {
      const { above, hasHeader } = (await headOf(reading.writer, file)) ?? { above: 0, hasHeader: true }
      const copier = csvCopier(marks, above, hasHeader, take)
      for await (const bytes of unpackedBytes(input, reading.writer, reading.folder, () => {})) {
        reading.canceling.check()
        copier.push(bytes)
        await flush()
      }
      copier.end()
    } else if (kind === 'layout') {
      const copier = await layoutCopierOf(reading, file, input, marks, most, take)
      for await (const bytes of withoutMark(unpackedBytes(input, reading.writer, reading.folder, () => {}))) {
        reading.canceling.check()
        copier?.push(bytes)
      }
      copier?.end()
    } else
      await readRows(
        rowsRequest(reading, input, reading.format.sources, () => {}),
        {
          take: jsonCopier(marks, take),
          flushIfFull: flush,
        },
      )
    await flush()
    await target.sync()
    return written
  } finally {
    await target.close()
  }
}

const write = (target: FileHandle, path: string, bytes: Buffer) =>
  target.writeFile(bytes).catch(thrown => {
    throw writeFailure(path, thrown)
  })
