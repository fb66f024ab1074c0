import { Failure } from '../../../engine/failure.ts'
import type { Source } from '../format/format.ts'
import { assertUnchanged, type Input, OTHER_FORMAT, oneLine } from '../input/inputs.ts'
import { fieldsIn } from '../input/quotes.ts'
import { PIPE, type RecordSink, scanRecords } from '../input/records.ts'
import { unpackedBytes } from '../input/source.ts'
import { defineRules } from '../layout/select.ts'
import { type ChunkBuffer, chunkBuffer } from '../rows/chunks.ts'
import { BROKEN_MAX, flushRecords } from '../rows/flush.ts'
import { delimiterOf, type Header, type Match, matchHeader, readHeader } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { brokenRecord, VALUE_CHARACTERS } from '../rows/rejects.ts'
import { recordFile } from '../rows/tables.ts'
import { type LayoutHeaders, layoutHeaders } from './layout-headers.ts'

/** Enough bytes of a broken line for its value in the rejects file. */
const VALUE_BYTES = VALUE_CHARACTERS * 4
/** The number of lines that are searched for a header. */
const PREAMBLE_LINES_MAX = 50
const LINE_SHOWN = 60

/**
 * Reads a CSV file line by line into the table of its source, and rejects invalid lines with a reason. Returns its
 * number of records. Throws Failure `input_refused` if the file cannot be read to its end, matches no source, or has no
 * records.
 */
export async function readLines(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<number> {
  const { writer, canceling, folder } = reading
  const chunk = chunkBuffer(folder)
  const found = collect(input, sources, chunk, layoutHeaders(reading, input))
  const scanner = scanRecords(found.sink)
  let records = 0
  let isRecorded = false

  const flush = async ({ source, header, preamble }: Start) => {
    if (!isRecorded) {
      await recordFile(writer, number, input, preamble, header.names)
      if (header.bound !== undefined) await defineRules(writer, header.bound)
    }
    isRecorded = true
    records += await flushRecords(reading, source, number, header, found.broken, chunk)
  }

  for await (const bytes of unpackedBytes(input, writer, folder, reading.advance)) {
    canceling.check()
    scanner.push(bytes)
    const start = found.start()
    if (start !== undefined && (chunk.isFull() || found.broken.length > BROKEN_MAX)) await flush(start)
  }
  scanner.end()
  await assertUnchanged(input)
  const start = found.start() ?? found.refuse()
  await flush(start)
  if (records === 0)
    throw new Failure(
      'input_refused',
      `${input.shown} has a header and no rows: download it again, or exclude it`,
    )
  reading.unused(input, start.header.unused)
  return records
}

/** The header of a file's records, and their source. */
interface Start {
  readonly source: Source
  readonly header: Header
  /** The lines before the header. */
  readonly preamble: readonly string[]
}

/** Collects the scanner's output: valid records in `chunk`, the others in `broken`. */
function collect(
  input: Input,
  sources: readonly Source[],
  chunk: ChunkBuffer,
  { find: layoutHeader, isGiven: isLayoutGiven }: LayoutHeaders,
) {
  const preamble: string[] = []
  let start: Start | undefined
  let width = 0
  let delimiter = 0
  let footer: RegExp | undefined
  const broken: string[] = []

  function begin(source: Source, header: Header, isRecord: boolean) {
    start = { source, header, preamble }
    width = header.width
    delimiter = header.delimiter.charCodeAt(0)
    const pattern = header.bound?.layout.file.footer
    footer = pattern === undefined ? undefined : new RegExp(pattern)
    return { delimiter, isRecord }
  }
  /** Throws the Failure for a file in which no header was found. */
  function refuse(): never {
    const [first] = preamble
    if (first === undefined)
      throw new Failure('input_refused', `${input.shown} is empty: download it again, or exclude it`)
    const nearest = nearestHeader(preamble, sources)
    if (nearest && sources.length === 1 && !isLayoutGiven)
      readHeader(input.shown, nearest.line, nearest.source)
    const lacking = nearest?.match.missing.map(({ name }) => name).join(', ')
    const hint = nearest ? `; it is most like ${nearest.source.name}, but lacks ${lacking}` : ''
    throw new Failure(
      'input_refused',
      `${input.shown} is not a file of this format: it starts with ${JSON.stringify(oneLine(first.slice(0, LINE_SHOWN)))}${hint}`,
      { cause: OTHER_FORMAT },
    )
  }
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
  const sink: RecordSink = {
    header(bytes, fault) {
      if (fault !== undefined && preamble.length === 0 && !sources.some(({ isWindows1252 }) => isWindows1252))
        throw new Failure(
          'input_refused',
          `${input.shown} is not CSV text: its first line is ${fault}; save it as UTF-8 with one row per line`,
        )
      const line = bytes.toString('utf8')
      const found = layoutHeader(line, preamble)
      if (found !== undefined) return begin(found.source, found.header, found.isRecord)
      for (const source of isLayoutGiven ? [] : sources) {
        const match = source.hasHeader ? matchHeader(line, source) : impliedHeader(line, source, preamble)
        if (match === undefined || match.missing.length > 0) continue
        if (match.repeated !== undefined) readHeader(input.shown, line, source)
        return begin(source, match, !source.hasHeader)
      }
      preamble.push(line)
      if (preamble.length >= PREAMBLE_LINES_MAX) refuse()
      return null
    },
    record: take,
    broken(bytes, from, to, line, reason) {
      if (reason !== 'not UTF-8' || start?.source.isWindows1252 !== true)
        return reject(bytes, from, to, line, reason)
      const text = Buffer.from(new TextDecoder('windows-1252').decode(bytes.subarray(from, to)))
      take(text, 0, text.length, line)
    },
  }
  return { sink, broken, start: () => start, refuse }
}

/** The implied header of a file without one, if its first line matches the source. */
export function impliedHeader(
  line: string,
  { begins, columns }: Source,
  before: readonly string[],
): Match | undefined {
  if (before.length > 0 || begins?.test(line) === false) return undefined
  const delimiter = delimiterOf(line)
  const positions = new Map(columns.map(({ name }, place) => [name, place]))
  return { delimiter, width: columns.length, positions, unused: [], names: [], missing: [] }
}

/** The line that lacks the fewest columns of any source, for the message. */
function nearestHeader(lines: readonly string[], sources: readonly Source[]) {
  const matches = sources
    .filter(({ hasHeader }) => hasHeader)
    .flatMap(source => lines.map(line => ({ line, source, match: matchHeader(line, source) })))
  const [nearest] = matches.toSorted((a, b) => a.match.missing.length - b.match.missing.length)
  return nearest
}
