import { isUtf8 } from 'node:buffer'
import { endOfQuotedRecord, QUOTE } from './quotes.ts'

/** Takes the lines of a CSV text; `end` is behind the record and before its line end. */
export interface RecordSink {
  /**
   * A line that is not blank, while it is not known where the records begin, and what is wrong with it. Answers the code of
   * the delimiter, and whether this line is a record itself; null to be asked again with the next.
   */
  header(line: Buffer, fault: string | undefined): { delimiter: number; isRecord: boolean } | null
  record(bytes: Buffer, start: number, end: number, line: number): void
  /** A line that no CSV reader can make a record of. */
  broken(bytes: Buffer, start: number, end: number, line: number, reason: string): void
}

export interface RecordScanner {
  push(chunk: Buffer): void
  /** Says that there is no more. */
  end(): void
}

/** A longer record is not data but damage; also how far a quoted field may run on. */
export const RECORD_BYTES_MAX = 1 << 20

/** Files with this delimiter know no quotes. */
export const PIPE = 124

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const TOO_LONG = `longer than ${RECORD_BYTES_MAX} bytes`

/**
 * Splits CSV bytes into records and numbers each by the line that it starts on, as an editor counts: lines end in
 * LF or CRLF, a quoted field may hold line ends (RFC 4180), blank lines count but are no records. A line with
 * broken quotes is broken alone and the next line starts afresh, so that one bad quote swallows no rows behind it.
 *
 * DuckDB's reader numbers no rows, hence this pass before it: the numbers travel with the rows, and reading in
 * parallel cannot change them.
 */
export function scanRecords(sink: RecordSink): RecordScanner {
  let held: Buffer = Buffer.alloc(0)
  let line = 1
  let delimiter: number | undefined
  let markSeen = false
  /** The rest of a line that was too long is still to come. */
  let skipping = false

  /** Scans all that is whole in `bytes`; answers where the part begins that must wait for more. */
  function scan(bytes: Buffer, last: boolean): number {
    const quoteFrom = seeker(bytes, QUOTE)
    const returnFrom = seeker(bytes, RETURN)
    const zeroFrom = seeker(bytes, 0)
    const allUtf8 = isUtf8(last ? bytes : bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1))
    const faultIn = (start: number, end: number, quoted: boolean) => {
      if (end - start > RECORD_BYTES_MAX) return TOO_LONG
      if (zeroFrom(start) < end) return 'binary'
      if (!quoted && returnFrom(start) < end) return 'broken by carriage returns'
      return allUtf8 || isUtf8(bytes.subarray(start, end)) ? undefined : 'not UTF-8'
    }

    let start = 0
    if (!markSeen) {
      if (bytes.length < BYTE_ORDER_MARK.length && !last) return 0
      if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) start = BYTE_ORDER_MARK.length
      markSeen = true
    }
    while (start < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, start)
      if (newline === -1 && !last && !skipping && bytes.length - start <= RECORD_BYTES_MAX) return start
      let lineEnd = newline === -1 ? bytes.length : newline
      let fault: string | undefined
      let quoted = false
      if (!skipping && delimiter !== undefined && delimiter !== PIPE && quoteFrom(start) < lineEnd) {
        const found = endOfQuotedRecord(bytes, start, delimiter, last)
        if (found === 'cut off' && bytes.length - start <= RECORD_BYTES_MAX) return start
        if (typeof found === 'number') {
          lineEnd = found
          quoted = true
        } else fault = 'broken quotes'
      }
      const end = withoutReturns(bytes, start, lineEnd)
      if (!skipping && !isBlank(bytes, start, end)) {
        fault ??= faultIn(start, end, quoted)
        let isRecord = true
        if (delimiter === undefined) {
          const found = sink.header(bytes.subarray(start, end), fault)
          delimiter = found?.delimiter
          isRecord = found?.isRecord ?? false
        }
        if (!isRecord) {
          // Told as a header, or as what stands before it.
        } else if (fault === undefined) sink.record(bytes, start, end, line)
        else sink.broken(bytes, start, end, line, fault)
      }
      line += quoted ? linesIn(bytes, start, lineEnd) : 1
      skipping = newline === -1 && !last
      if (skipping) line -= 1
      start = lineEnd + 1
    }
    return bytes.length
  }

  return {
    push(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      held = bytes.subarray(scan(bytes, false))
    },
    end() {
      scan(held, true)
    },
  }
}

/** Finds the next `byte` from a position on, for positions that only grow; Infinity if there is none. */
function seeker(bytes: Buffer, byte: number): (from: number) => number {
  let at = -1
  return from => {
    if (at < from) {
      const found = bytes.indexOf(byte, from)
      at = found === -1 ? Number.POSITIVE_INFINITY : found
    }
    return at
  }
}

function withoutReturns(bytes: Buffer, start: number, end: number): number {
  let behind = end
  while (behind > start && bytes[behind - 1] === RETURN) behind -= 1
  return behind
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  while (at < end && bytes[at] === SPACE) at += 1
  return at === end
}

function linesIn(bytes: Buffer, start: number, end: number): number {
  let lines = 1
  for (let at = bytes.indexOf(NEWLINE, start); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, at + 1))
    lines += 1
  return lines
}
