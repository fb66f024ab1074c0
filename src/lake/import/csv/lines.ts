import type { Source } from '../format/format.ts'
import { assertUnchanged, type Input } from '../input/inputs.ts'
import { fieldsIn } from '../input/quotes.ts'
import { PIPE, type RecordSink, scanRecords } from '../input/records.ts'
import { unpackedBytes } from '../input/source.ts'
import { defineRules } from '../layout/select.ts'
import { type ChunkBuffer, chunkBuffer } from '../rows/chunks.ts'
import { BROKEN_MAX, flushRecords } from '../rows/flush.ts'
import type { Reading } from '../rows/reading.ts'
import { brokenRecord, VALUE_CHARACTERS } from '../rows/rejects.ts'
import { recordFile } from '../rows/tables.ts'
import { isOfSeveralLines, mendQuotes } from './mend-quotes.ts'
import { type Start, type StartSearch, startSearch } from './start.ts'

/** Enough bytes of a broken line for its value in the rejects file. */
const VALUE_BYTES = VALUE_CHARACTERS * 4

/**
 * Reads a CSV file line by line into the table of its source, and rejects invalid lines with a reason. Returns its
 * header and its number of records. Throws Failure `input_refused` if the file cannot be read to its end, or matches no
 * source.
 */
export async function readByLine(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<{ start: Start; records: number }> {
  const { writer, canceling, folder } = reading
  const chunk = chunkBuffer(folder)
  const search = startSearch(reading, input, sources)
  let isUtf8 = true
  const { sink, broken } = collect(search, chunk, () => {
    isUtf8 = false
  })
  const scanner = scanRecords(sink)
  let records = 0
  let isRecorded = false

  const flush = async ({ source, header, preamble }: Start) => {
    if (!isRecorded) {
      await recordFile(writer, number, input, preamble, header.names, header.bound?.layout.name)
      if (header.bound !== undefined) await defineRules(writer, header.bound)
    }
    isRecorded = true
    records += await flushRecords(reading, source, number, header, broken, chunk)
  }

  for await (const bytes of unpackedBytes(input, writer, folder, reading.advance)) {
    canceling.check()
    scanner.push(bytes)
    const start = search.found()
    if (start !== undefined && (chunk.isFull() || broken.length > BROKEN_MAX)) await flush(start)
  }
  scanner.end()
  await assertUnchanged(input)
  const start = search.found() ?? search.refuse()
  await flush(start)
  if (!isUtf8)
    reading.notice(
      `${input.shown} has lines that are not UTF-8: if they are text, specify --encoding, e.g. --encoding windows-1252`,
    )
  return { start, records }
}

/** Collects the scanner's output: valid records in `chunk`, the others in `broken`. */
function collect(search: StartSearch, chunk: ChunkBuffer, foundOtherEncoding: () => void) {
  let width = 0
  let delimiter = 0
  let footer: RegExp | undefined
  const broken: string[] = []

  const reject = (bytes: Buffer, from: number, to: number, line: number, reason: string) => {
    const value = bytes.toString('utf8', from, Math.min(to, from + VALUE_BYTES))
    if (footer?.test(value)) return
    broken.push(brokenRecord(line, reason, value))
  }
  const take = (bytes: Buffer, from: number, to: number, line: number) => {
    const fields = fieldsIn(bytes, from, to, delimiter, delimiter !== PIPE)
    // A delimiter at the end of the line adds an empty field, which can be ignored.
    const more = bytes[to - 1] === delimiter ? 1 : 0
    if (fields < width) reject(bytes, from, to, line, 'too few fields')
    else if (fields > width + more) reject(bytes, from, to, line, 'too many fields')
    else chunk.add(bytes, from, to, line, delimiter)
  }
  /** Takes a line whose quotes are not those of CSV. Returns whether its meaning is certain. */
  const takeMended = (bytes: Buffer, line: number) => {
    const mended = mendQuotes(bytes, delimiter)
    if (mended !== null) take(mended, 0, mended.length, line)
    return mended !== null
  }
  const record: RecordSink['record'] = (bytes, from, to, line) => {
    const whole = bytes.subarray(from, to)
    if (!isOfSeveralLines(whole, delimiter, width)) return take(bytes, from, to, line)
    for (const [index, text] of whole.toString('utf8').split(/\r*\n/).entries())
      if (text.trim() !== '') takeMended(Buffer.from(text), line + index)
  }
  const sink: RecordSink = {
    header(bytes, fault) {
      const found = search.look(bytes, fault)
      if (found === null) return null
      const { header } = search.found() ?? {}
      width = header?.width ?? 0
      const pattern = header?.bound?.layout.file.footer
      footer = pattern === undefined ? undefined : new RegExp(pattern)
      delimiter = found.delimiter
      return found
    },
    record,
    broken(bytes, from, to, line, reason) {
      if (reason === 'broken quotes' && takeMended(bytes.subarray(from, to), line)) return
      const isEncoding = reason === 'not UTF-8'
      if (!isEncoding || search.found()?.source.isWindows1252 !== true) {
        if (isEncoding) foundOtherEncoding()
        return reject(bytes, from, to, line, reason)
      }
      const text = Buffer.from(new TextDecoder('windows-1252').decode(bytes.subarray(from, to)))
      take(text, 0, text.length, line)
    },
  }
  return { sink, broken }
}
