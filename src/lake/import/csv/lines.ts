import { Failure } from '../../../engine/failure.ts'
import type { Source } from '../format/format.ts'
import { assertUnchanged, type Input, NOT_TAKEN, oneLine } from '../input/inputs.ts'
import { fieldsIn } from '../input/quotes.ts'
import { PIPE, type RecordSink, scanRecords } from '../input/records.ts'
import { unpackedBytes } from '../input/source.ts'
import { type ChunkBuffer, chunkBuffer } from '../rows/chunks.ts'
import { BROKEN_MAX, flushRecords } from '../rows/flush.ts'
import { delimiterOf, type Header, type Match, matchHeader, readHeader } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { brokenRecord, VALUE_CHARACTERS } from '../rows/rejects.ts'
import { noteFile } from '../rows/tables.ts'

/** Enough bytes of a broken line for what a rejects file shows of it. */
const VALUE_BYTES = VALUE_CHARACTERS * 4
/** How far down a header is looked for. */
const PREAMBLE_LINES_MAX = 50
const LINE_SHOWN = 60

/**
 * Reads a CSV file line by line into the table of the source that it belongs to, and says of every line that does not
 * fit why. Answers how many records it has. Throws Failure `input_refused` if the file cannot be read as a whole, if it
 * is of none of the sources, or if it has no record.
 */
export async function readLines(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<number> {
  const { writer, canceling, folder } = reading
  const chunk = chunkBuffer(folder)
  const found = collect(input, sources, chunk)
  const scanner = scanRecords(found.sink)
  let records = 0
  let isNoted = false

  const flush = async ({ source, header, preamble }: Start) => {
    if (!isNoted) await noteFile(writer, number, input, preamble, header.names)
    isNoted = true
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
      `${input.shown} has a header and no rows: fetch it again, or leave it out`,
    )
  reading.unused(input, start.header.unused)
  return records
}

/** Where a file's records begin, and of which source they are. */
interface Start {
  readonly source: Source
  readonly header: Header
  /** The lines before the header. */
  readonly preamble: readonly string[]
}

/** Takes what the scanner finds: whole records into `chunk`, the rest into `broken`. */
function collect(input: Input, sources: readonly Source[], chunk: ChunkBuffer) {
  const preamble: string[] = []
  let start: Start | undefined
  let width = 0
  let delimiter = 0
  const broken: string[] = []

  function begin(source: Source, header: Header, isRecord: boolean) {
    start = { source, header, preamble }
    width = header.width
    delimiter = header.delimiter.charCodeAt(0)
    return { delimiter, isRecord }
  }
  /** Throws what is wrong with a file whose records never began. */
  function refuse(): never {
    const [first] = preamble
    if (first === undefined)
      throw new Failure('input_refused', `${input.shown} is empty: fetch it again, or leave it out`)
    const nearest = nearestHeader(preamble, sources)
    if (nearest && sources.length === 1) readHeader(input.shown, nearest.line, nearest.source)
    const lacking = nearest?.match.missing.map(({ name }) => name).join(', ')
    const hint = nearest ? `; nearest to ${nearest.source.name}, for which it lacks ${lacking}` : ''
    throw new Failure(
      'input_refused',
      `${input.shown} is none of the files that this format takes: it begins ${JSON.stringify(oneLine(first.slice(0, LINE_SHOWN)))}${hint}`,
      { cause: NOT_TAKEN },
    )
  }
  const setAside = (bytes: Buffer, from: number, to: number, line: number, reason: string) => {
    const value = bytes.toString('utf8', from, Math.min(to, from + VALUE_BYTES))
    broken.push(brokenRecord(line, reason, value))
  }
  const take = (bytes: Buffer, from: number, to: number, line: number) => {
    const fields = fieldsIn(bytes, from, to, delimiter, delimiter !== PIPE)
    // A delimiter at the end of the line makes one empty field more: nothing is lost with it.
    const more = bytes[to - 1] === delimiter ? 1 : 0
    if (fields < width) setAside(bytes, from, to, line, 'too few fields')
    else if (fields > width + more) setAside(bytes, from, to, line, 'too many fields')
    else chunk.add(bytes, from, to, line, delimiter)
  }
  const sink: RecordSink = {
    header(bytes, fault) {
      if (fault !== undefined && preamble.length === 0 && !sources.some(({ isWindows1252 }) => isWindows1252))
        throw new Failure(
          'input_refused',
          `${input.shown} is not a CSV text: its first line is ${fault}; save it as UTF-8, one row a line`,
        )
      const line = bytes.toString('utf8')
      for (const source of sources) {
        const match = source.hasHeader ? matchHeader(line, source) : bareHeader(line, source, preamble)
        if (match === undefined || match.missing.length > 0) continue
        if (match.twice !== undefined) readHeader(input.shown, line, source)
        return begin(source, match, !source.hasHeader)
      }
      preamble.push(line)
      if (preamble.length >= PREAMBLE_LINES_MAX) refuse()
      return null
    },
    record: take,
    broken(bytes, from, to, line, reason) {
      if (reason !== 'not UTF-8' || start?.source.isWindows1252 !== true)
        return setAside(bytes, from, to, line, reason)
      const text = Buffer.from(new TextDecoder('windows-1252').decode(bytes.subarray(from, to)))
      take(text, 0, text.length, line)
    },
  }
  return { sink, broken, start: () => start, refuse }
}

/** What the records of a file without a header are like, if its first line is of that source. */
function bareHeader(line: string, { begins, columns }: Source, before: readonly string[]): Match | undefined {
  if (before.length > 0 || begins?.test(line) === false) return undefined
  const delimiter = delimiterOf(line)
  const positions = new Map(columns.map(({ name }, place) => [name, place]))
  return { delimiter, width: columns.length, positions, unused: [], names: [], missing: [] }
}

/** The line that lacks the fewest of a source's columns, to say which; the first line that has any of them. */
function nearestHeader(lines: readonly string[], sources: readonly Source[]) {
  const matches = sources
    .filter(({ hasHeader }) => hasHeader)
    .flatMap(source => lines.map(line => ({ line, source, match: matchHeader(line, source) })))
  const [nearest] = matches.toSorted((a, b) => a.match.missing.length - b.match.missing.length)
  return nearest
}
