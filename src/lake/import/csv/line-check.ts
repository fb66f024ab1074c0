import { isAscii, isUtf8 } from 'node:buffer'
import { endOfQuotedRecord, QUOTE } from '../input/quotes.ts'
import { BYTE_ORDER_MARK, isBlank, PIPE, RECORD_BYTES_MAX, seeker } from '../input/records.ts'
import type { StartSearch } from './start.ts'

const NEWLINE = 10
const RETURN = 13

/** Where the records of a file begin. */
export interface Lines {
  /** The line of the first record. */
  readonly first: number
  readonly records: number
  /** Whether no field needs trimming: the text is ASCII, without quotes, and no blank is at the edge of a field. */
  readonly isTrimmed: boolean
}

/** Checks whether each line of a CSV text after its header is one record, so that DuckDB's reader can number them. */
export interface LineCheck {
  /** Whether all lines so far are. */
  push(chunk: Buffer): boolean
  /** The lines, or null if the end is not a record or no header was found. */
  end(): Lines | null
}

/**
 * A file passes if it is UTF-8 without zero bytes, all its lines end alike, no record is longer than RECORD_BYTES_MAX,
 * quotes are well-formed and contain no line ends, and blank lines are before the header or at the end. The number of
 * fields is not checked. Any other file is read line by line.
 */
export function checkLines(search: StartSearch): LineCheck {
  let pending: Buffer = Buffer.alloc(0)
  let line = 1
  let first: number | undefined
  let records = 0
  let delimiter = 0
  let lineEnd: '\n' | '\r\n' | undefined
  let isOver = false
  let isTrimmed = true

  /** Whether the record from `start` to `end` ends there. */
  const isRecord = (bytes: Buffer, start: number, end: number, newline: number, quote: number) =>
    end - start <= RECORD_BYTES_MAX &&
    (quote > end || delimiter === PIPE || endOfQuotedRecord(bytes, start, delimiter, true) === newline)

  function take(bytes: Buffer): boolean {
    if (!isUtf8(bytes) || bytes.includes(0)) return false
    const quoteFrom = seeker(bytes, QUOTE)
    const returnFrom = seeker(bytes, RETURN)
    let start = line === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0
    for (; start < bytes.length; line += 1) {
      const newline = bytes.indexOf(NEWLINE, start)
      const isWindows = newline > start && bytes[newline - 1] === RETURN
      const end = isWindows ? newline - 1 : newline
      lineEnd ??= isWindows ? '\r\n' : '\n'
      if ((lineEnd === '\r\n') !== isWindows || returnFrom(start) < end) return false
      if (isBlank(bytes, start, end)) isOver = first !== undefined
      else if (isOver) return false
      else if (first === undefined) {
        const found = search.look(bytes.subarray(start, end), undefined)
        delimiter = found?.delimiter ?? 0
        if (found?.isRecord) {
          if (!isRecord(bytes, start, end, newline, quoteFrom(start))) return false
          records += 1
        }
        if (found !== null) first = found.isRecord ? line : line + 1
      } else if (isRecord(bytes, start, end, newline, quoteFrom(start))) records += 1
      else return false
      start = newline + 1
    }
    isTrimmed &&= hasTrimmedFields(bytes, delimiter)
    return true
  }

  return {
    push(chunk) {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = bytes.lastIndexOf(NEWLINE) + 1
      pending = bytes.subarray(end)
      return pending.length <= RECORD_BYTES_MAX && take(bytes.subarray(0, end))
    },
    end() {
      const isTaken = pending.length === 0 || take(Buffer.concat([pending, Buffer.from(lineEnd ?? '\n')]))
      return isTaken && first !== undefined ? { first, records, isTrimmed } : null
    },
  }
}

const BLANK = ' '

/** Whether whole lines are ASCII without quotes, and have no blank at the edge of a field. */
function hasTrimmedFields(bytes: Buffer, delimiter: number): boolean {
  const edge = String.fromCharCode(delimiter)
  const blanks = [`${BLANK}${edge}`, `${edge}${BLANK}`, `${BLANK}\n`, `${BLANK}\r`, `\n${BLANK}`]
  return (
    isAscii(bytes) &&
    !bytes.includes(QUOTE) &&
    bytes[0] !== BLANK.charCodeAt(0) &&
    !blanks.some(each => bytes.includes(each, 0, 'latin1'))
  )
}
