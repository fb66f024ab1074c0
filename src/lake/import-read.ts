import { Failure } from '../engine/failure.ts'
import { type ChunkBuffer, chunkBuffer } from './import-chunks.ts'
import { BROKEN_MAX, flushRecords } from './import-flush.ts'
import type { ImportFormat } from './import-format.ts'
import { type Header, readHeader } from './import-header.ts'
import { assertUnchanged, type Input } from './import-inputs.ts'
import { readObjects } from './import-ndjson.ts'
import { readParquet } from './import-parquet.ts'
import { fieldsIn } from './import-quotes.ts'
import type { Reading } from './import-reading.ts'
import { type RecordSink, scanRecords } from './import-records.ts'
import { brokenRecord, VALUE_CHARACTERS } from './import-rejects.ts'
import { unpackedBytes } from './import-source.ts'
import { readTyped } from './import-typed.ts'

/** Enough bytes of a broken line for what a rejects file shows of it. */
const VALUE_BYTES = VALUE_CHARACTERS * 4

/**
 * Reads one file into the import's tables, and answers how many records it has. Throws Failure `input_refused` if
 * the file cannot be read as a whole, if it lacks a column, or if it has no records.
 */
export async function readInput(reading: Reading, number: number, input: Input): Promise<number> {
  const { format, advance } = reading
  if (format.kind === 'parquet') return readParquet(reading, number, input)
  if (format.kind === 'ndjson') return readObjects(reading, number, input)
  if (!format.canonical) return readLines(reading, number, input)
  let advanced = 0
  const noted = (bytes: number) => {
    advanced += bytes
    advance(bytes)
  }
  const typed = await readTyped({ ...reading, advance: noted }, input)
  if (typed !== null) {
    await assertUnchanged(input)
    if (advanced < input.bytes) advance(input.bytes - advanced)
    reading.unused(input, typed.header.unused)
    return typed.records
  }
  advance(-advanced)
  return readLines(reading, number, input)
}

/** Reads a CSV file line by line: slower, but it says of every line that does not fit why. */
export async function readLines(reading: Reading, number: number, input: Input): Promise<number> {
  const { writer, format, canceling, folder } = reading
  const chunk = chunkBuffer(folder)
  const found = collect(input, format, chunk)
  const scanner = scanRecords(found.sink)
  let records = 0

  const flush = async (header: Header) => {
    records += await flushRecords(reading, number, header, found.broken, chunk)
  }

  for await (const bytes of unpackedBytes(input, writer, folder, reading.advance)) {
    canceling.check()
    scanner.push(bytes)
    const header = found.header()
    if (header !== undefined && (chunk.isFull() || found.broken.length > BROKEN_MAX)) await flush(header)
  }
  scanner.end()
  await assertUnchanged(input)
  const header = found.header()
  if (header === undefined)
    throw new Failure('input_refused', `${input.shown} is empty: fetch it again, or leave it out`)
  await flush(header)
  if (records === 0)
    throw new Failure(
      'input_refused',
      `${input.shown} has a header and no rows: fetch it again, or leave it out`,
    )
  reading.unused(input, header.unused)
  return records
}

/** Takes what the scanner finds: whole records into `chunk`, the rest into `broken`. */
function collect(input: Input, format: ImportFormat, chunk: ChunkBuffer) {
  let header: Header | undefined
  let width = 0
  let delimiter = 0
  const broken: string[] = []
  const setAside = (bytes: Buffer, start: number, end: number, line: number, reason: string) => {
    const value = bytes.toString('utf8', start, Math.min(end, start + VALUE_BYTES))
    broken.push(brokenRecord(line, reason, value))
  }
  const sink: RecordSink = {
    header(line, fault) {
      if (fault !== undefined)
        throw new Failure(
          'input_refused',
          `${input.shown} is not a CSV text: its first line is ${fault}; save it as UTF-8, one row a line`,
        )
      header = readHeader(input.shown, line.toString('utf8'), format)
      width = header.width
      delimiter = header.delimiter.charCodeAt(0)
      return delimiter
    },
    record(bytes, start, end, line) {
      const fields = fieldsIn(bytes, start, end, delimiter)
      // A delimiter at the end of the line makes one empty field more: nothing is lost with it.
      const more = bytes[end - 1] === delimiter ? 1 : 0
      if (fields < width) setAside(bytes, start, end, line, 'too few fields')
      else if (fields > width + more) setAside(bytes, start, end, line, 'too many fields')
      else chunk.add(bytes, start, end, line, delimiter)
    },
    broken: setAside,
  }
  return { sink, broken, header: () => header }
}
