import { isUtf8 } from 'node:buffer'
import { endOfQuotedRecord, QUOTE } from './quotes.ts'

/** Receives the lines of a CSV text; `end` is after the record and before its line end. */
export interface RecordSink {
  /**
   * A non-blank line before the first record, and its defect. Returns the code of the delimiter, and whether this line
   * is a record itself; null if the header has not been found yet.
   */
  header(line: Buffer, fault: string | undefined): { delimiter: number; isRecord: boolean } | null
  record(bytes: Buffer, start: number, end: number, line: number): void
  /** A line that is not a CSV record. */
  broken(bytes: Buffer, start: number, end: number, line: number, reason: string): void
}

export interface RecordScanner {
  push(chunk: Buffer): void
  /** Ends the input. */
  end(): void
}

/** The longest record; a longer one is damaged. Also bounds the search for the end of a quoted field. */
export const RECORD_BYTES_MAX = 1 << 20

/** Files with this delimiter have no quoting. */
export const PIPE = 124

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const TOO_LONG = `longer than ${RECORD_BYTES_MAX} bytes`

/**
 * Splits CSV bytes into records, each with the number of the line that it starts on, as in an editor: lines end in LF
 * or CRLF, a quoted field may have line ends (RFC 4180), blank lines are counted but are not records. Broken quotes
 * affect only their own line, so that one bad quote does not swallow the rows after it.
 *
 * DuckDB's reader does not number rows, hence this pass before it: the numbers become a column, which parallel reading
 * cannot change.
 */
export function scanRecords(sink: RecordSink): RecordScanner {
  let pending: Buffer = Buffer.alloc(0)
  let line = 1
  let delimiter: number | undefined
  let markSeen = false
  /** Whether the rest of a too long line is being skipped. */
  let skipping = false

  /** Scans the complete records in `bytes`. Returns the start of the rest. */
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
          // The sink has received it as the header or as a line before it.
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
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      pending = bytes.subarray(scan(bytes, false))
    },
    end() {
      scan(pending, true)
    },
  }
}

/** Finds the next `byte` at or after a position, for ascending positions; Infinity if there is none. */
export function seeker(bytes: Buffer, byte: number): (from: number) => number {
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
  let lineEnd = end
  while (lineEnd > start && bytes[lineEnd - 1] === RETURN) lineEnd -= 1
  return lineEnd
}

export function isBlank(bytes: Buffer, start: number, end: number): boolean {
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
