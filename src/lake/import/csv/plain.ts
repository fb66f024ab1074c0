import type { Column } from '../../store/schema.ts'
import { RECORD_BYTES_MAX } from '../input/records.ts'
import type { Delimiter } from '../rows/header.ts'
import {
  byte,
  either,
  many,
  optional,
  type Pattern,
  sequence,
  span,
  type Table,
  tableOf,
  times,
  word,
} from './automaton.ts'

/**
 * Plain CSV: every field has a form that DuckDB's typed reader and the line-by-line reader convert to the same value. A
 * file that is not plain may still be valid; the line-by-line reader decides.
 */

const NEWLINE = 10

const digit = byte('0123456789')
const digits = sequence(digit, many(digit))
const minus = optional(byte('-'))
const hex = byte('0123456789abcdefABCDEF')
const dash = byte('-')
// Years from 1000 on: the line-by-line reader handles earlier ones, which are not all valid.
const date = sequence(byte('12'), times(digit, 3), dash, times(digit, 2), dash, times(digit, 2))
const time = sequence(
  either(sequence(byte('01'), digit), sequence(byte('2'), byte('0123'))),
  times(sequence(byte(':'), times(digit, 2)), 2),
  optional(sequence(byte('.'), times(digit, 1, 6))),
)
const decimal = (places: number) =>
  sequence(minus, digits, optional(sequence(byte('.'), times(digit, 1, places), many(byte('0')))))

const PATTERNS: Readonly<Record<string, Pattern>> = {
  INTEGER: sequence(minus, digits),
  BIGINT: sequence(minus, digits),
  DOUBLE: sequence(
    minus,
    digits,
    optional(sequence(byte('.'), digits)),
    optional(sequence(byte('eE'), byte('+-'), times(digit, 2))),
  ),
  DATE: date,
  TIMESTAMP: sequence(date, byte(' T'), time, optional(byte('Z'))),
  BOOLEAN: either(word('true'), word('false'), byte('01')),
  UUID: sequence(times(hex, 8), times(sequence(dash, times(hex, 4)), 3), dash, times(hex, 12)),
}

// An unquoted item of a list. Items that may be NULL are not plain.
const WORD_START = 'abcdefghijklmopqrstuvwxyzABCDEFGHIJKLMOPQRSTUVWXYZ0123456789_'
const listWord = sequence(byte(WORD_START), many(byte(`${WORD_START}nN.:/-`)))

const quote = byte('"')

/** A UTF-8 character (RFC 3629, section 4) other than NUL, a line end, a quote or the delimiter. */
function text(delimiter: Delimiter, quoted: boolean): Pattern {
  const unlike = ['\0', '\n', '\r', '"', ...(quoted ? [] : [delimiter])].map(each => each.charCodeAt(0))
  const rest = byte(span(0x80, 0xbf))
  return either(
    byte(span(1, 0x7f).filter(code => !unlike.includes(code))),
    sequence(byte(span(0xc2, 0xdf)), rest),
    sequence(byte([0xe0]), byte(span(0xa0, 0xbf)), rest),
    sequence(byte([...span(0xe1, 0xec), 0xee, 0xef]), rest, rest),
    sequence(byte([0xed]), byte(span(0x80, 0x9f)), rest),
    sequence(byte([0xf0]), byte(span(0x90, 0xbf)), rest, rest),
    sequence(byte(span(0xf1, 0xf3)), rest, rest, rest),
    sequence(byte([0xf4]), byte(span(0x80, 0x8f)), rest, rest),
  )
}

function patternOf(type: string): Pattern {
  const places = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1]
  const pattern = places === undefined ? PATTERNS[type] : decimal(Number(places))
  if (pattern === undefined) throw new Error(`there is no plain form of ${type}`)
  return pattern
}

function listOf(type: string): Pattern {
  const bare = type === 'VARCHAR' ? listWord : patternOf(type)
  const item =
    type === 'DOUBLE' || type === 'BOOLEAN' ? bare : either(bare, sequence(quote, quote, bare, quote, quote))
  const items = sequence(item, many(sequence(byte(','), optional(byte(' ')), item)))
  return sequence(byte('['), optional(items), byte(']'))
}

/** The plain forms of a column's fields; any text if the column is not imported. */
function fieldOf(column: Column | undefined, delimiter: Delimiter): Pattern {
  const type = column?.type ?? 'VARCHAR'
  const blank: Pattern[] = column?.nullable === false ? [] : [(_, from) => from]
  const quoted = (inner: Pattern) => sequence(quote, inner, quote)
  if (type === 'VARCHAR') {
    const bare = text(delimiter, false)
    return either(
      sequence(bare, many(bare)),
      quoted(many(either(text(delimiter, true), sequence(quote, quote)))),
      ...blank,
    )
  }
  if (type.endsWith('[]'))
    return either(sequence(byte('['), byte(']')), quoted(listOf(type.slice(0, -2))), ...blank)
  return either(patternOf(type), quoted(patternOf(type)), ...blank)
}

/** Checks whether the CSV bytes after the header line are plain, chunk by chunk. */
export interface PlainScan {
  /** Whether all bytes so far are plain. */
  push(chunk: Buffer): boolean
  /** The number of records, or null if the end is not plain. */
  end(): number | null
}

export function scanPlain(
  columns: readonly (Column | undefined)[],
  delimiter: Delimiter,
  lineEnd: '\n' | '\r\n',
): PlainScan {
  const stop = lineEnd === '\n' ? byte('\n') : sequence(byte('\r'), byte('\n'))
  const fields = new Map<string, Pattern>()
  const field = (column: Column | undefined, index: number) => {
    const last = index === columns.length - 1
    const name = `${column?.type} ${column?.nullable} ${last}`
    const pattern = fields.get(name) ?? sequence(fieldOf(column, delimiter), last ? stop : byte(delimiter))
    fields.set(name, pattern)
    return pattern
  }
  const table = tableOf(columns.map(field))
  let state = table.start
  let records = 0
  /** Bytes since the start of the record. */
  let length = 0

  /** A piece has at most RECORD_BYTES_MAX bytes, so only the first record that ends in it can be too long. */
  const pushPiece = (piece: Buffer) => {
    const found = run(table, piece, state)
    state = found.state
    records += found.records
    const first = piece.indexOf(NEWLINE)
    if (state === 0 || length + (first === -1 ? piece.length : first) > RECORD_BYTES_MAX) return false
    length = first === -1 ? length + piece.length : piece.length - 1 - piece.lastIndexOf(NEWLINE)
    return true
  }
  const push = (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; from += RECORD_BYTES_MAX)
      if (!pushPiece(chunk.subarray(from, from + RECORD_BYTES_MAX))) return false
    return true
  }
  return {
    push,
    end: () =>
      state === table.start || (push(Buffer.from(lineEnd)) && state === table.start) ? records : null,
  }
}

/** The state after some bytes, 0 if they do not match, and the number of records that end in them. */
interface Run {
  readonly state: number
  readonly records: number
}

const step = ({ classes, next }: Table, state: number, byte: number | undefined) =>
  next[state + (classes[byte ?? 0] ?? 0)] ?? 0

function runAlone(table: Table, bytes: Buffer, from: number, to: number, before: number): Run {
  let state = before
  let records = 0
  for (let at = from; at < to; at += 1) {
    state = step(table, state, bytes[at])
    if (state === table.start) records += 1
  }
  return { state, records }
}

/**
 * Runs a table over bytes from a state on. Four sections run interleaved, because each look-up depends on the one
 * before it and would leave the processor idle: this halves the time. Plain fields have no line ends, so a section may
 * start after any line end; if the section before it does not end a record there, the bytes do not match. The functions
 * are at module level: as closures created for each file, those for the second file took twice as long.
 */
function run(table: Table, bytes: Buffer, before: number): Run {
  const { start } = table
  const quarter = bytes.length >> 2
  const second = bytes.indexOf(NEWLINE, quarter) + 1
  const third = bytes.indexOf(NEWLINE, 2 * quarter) + 1
  const fourth = bytes.indexOf(NEWLINE, 3 * quarter) + 1
  // No line end in the last quarter: too short to split.
  if (fourth === 0) return runAlone(table, bytes, 0, bytes.length, before)

  const shared = Math.min(second, third - second, fourth - third, bytes.length - fourth)
  let records = 0
  let [a, b, c, d] = [before, start, start, start]
  for (let at = 0; at < shared; at += 1) {
    a = step(table, a, bytes[at])
    b = step(table, b, bytes[second + at])
    c = step(table, c, bytes[third + at])
    d = step(table, d, bytes[fourth + at])
    if (a === start) records += 1
    if (b === start) records += 1
    if (c === start) records += 1
    if (d === start) records += 1
  }
  const last = runAlone(table, bytes, fourth + shared, bytes.length, d)
  const others = [
    runAlone(table, bytes, shared, second, a),
    runAlone(table, bytes, second + shared, third, b),
    runAlone(table, bytes, third + shared, fourth, c),
  ]
  return {
    state: others.every(({ state }) => state === start) ? last.state : 0,
    records: others.reduce((sum, other) => sum + other.records, records + last.records),
  }
}
