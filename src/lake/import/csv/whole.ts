import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { Failure, firstLine } from '../../../engine/failure.ts'
import { writeFailure } from '../../store/durable.ts'
import type { Source } from '../format/format.ts'
import { assertUnchanged, type Input } from '../input/inputs.ts'
import { unpackedBytes } from '../input/source.ts'
import { defineRules } from '../layout/select.ts'
import { takeLines } from '../rows/raw.ts'
import type { Reading } from '../rows/reading.ts'
import { forgetFile } from '../rows/remove.ts'
import { recordFile } from '../rows/tables.ts'
import { takeTyped } from '../rows/typed-lines.ts'
import { checkLines, type Lines } from './line-check.ts'
import { type Start, startSearch } from './start.ts'

/** DuckDB reads a file name with any of these as a glob pattern. */
export const PATTERN = /[*?[\]{}]/

/**
 * Reads a CSV file of which each line is one record with DuckDB's reader, straight from the file or from a decompressed
 * copy: many times as fast as line by line. The bytes are checked first. Returns the header and the number of records, or
 * null if the file must be read line by line; the tables then do not change. Throws like `readByLine`.
 */
export async function readWhole(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<{ start: Start; records: number } | null> {
  const isDirect = input.compression === 'none' && !PATTERN.test(input.real)
  const path = isDirect ? input.real : join(reading.folder, 'records.csv')
  try {
    const search = startSearch(reading, input, sources)
    const lines = await checked(reading, input, checkLines(search), isDirect ? null : path)
    const start = search.found()
    if (lines === null || start === undefined) return null
    await assertUnchanged(input)
    const taken = lines.records === 0 ? 0 : await take(reading, number, input, start, path, lines)
    await assertUnchanged(input)
    return taken === lines.records ? { start, records: taken } : null
  } finally {
    if (!isDirect) await rm(path, { force: true })
  }
}

/** Checks the bytes of a file, and writes them to `copy`. Returns its lines, or null if they do not pass. */
async function checked(
  { writer, folder, canceling, advance }: Reading,
  input: Input,
  check: ReturnType<typeof checkLines>,
  copy: string | null,
): Promise<Lines | null> {
  const target = copy === null ? null : createWriteStream(copy)
  const written = target && finished(target).catch(thrown => Promise.reject(writeFailure(copy ?? '', thrown)))
  written?.catch(() => {})
  try {
    for await (const bytes of unpackedBytes(input, writer, folder, advance)) {
      canceling.check()
      if (!check.push(bytes)) return null
      if (target?.write(bytes) === false) await once(target, 'drain')
    }
    target?.end()
    await written
    return check.end()
  } finally {
    target?.destroy()
  }
}

/** Takes the records of a file. Returns their number, or null if DuckDB cannot read them all. */
async function take(
  reading: Reading,
  number: number,
  input: Input,
  { source, header, preamble }: Start,
  path: string,
  { first, records, isTrimmed }: Lines,
): Promise<number | null> {
  const { writer, format, canceling } = reading
  const { canonical } = format

  /** Returns whether all records were taken. If not, the tables do not change. */
  const isTaken = async (rows: () => Promise<number | null>) => {
    await recordFile(writer, number, input, preamble, header.names, header.bound?.layout.name)
    const taken = await rows().catch(thrown => {
      canceling.check()
      if (thrown instanceof Failure || !/CSV Error/.test(firstLine(thrown))) throw thrown
      return null
    })
    if (taken !== records) await forgetFile(writer, format, number)
    return taken === records
  }

  if (header.bound !== undefined) await defineRules(writer, header.bound)
  else if (canonical !== null) {
    if (await isTaken(() => takeTyped(reading, canonical, source, number, header, path, first)))
      return records
  }
  return (await isTaken(() => takeLines(reading, source, number, header, path, first, isTrimmed)))
    ? records
    : null
}
