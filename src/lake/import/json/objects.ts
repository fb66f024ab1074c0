import { isUtf8 } from 'node:buffer'
import { RECORD_BYTES_MAX } from '../input/records.ts'

/** The values of a JSON object's members: a string as its text, any other value as JSON text; null for null. */
export type Values = ReadonlyMap<string, string | null>

const SPACE = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const DEPTH_MAX = 64

/**
 * Parses one JSON object (RFC 8259). Numbers keep all their digits, unlike with JSON.parse; objects and arrays stay
 * JSON text. Returns a reason as a string if the line is invalid.
 */
export function readObject(line: string): Values | string {
  const members = new Map<string, string | null>()
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const [found] = pattern.exec(line) ?? []
    if (found !== undefined) at += found.length
    return found
  }
  const next = (character: string) => {
    take(SPACE)
    if (line[at] !== character) return false
    at += 1
    return true
  }
  /** Skips one value. Returns whether there is one. */
  const value = (depth: number): boolean => {
    take(SPACE)
    if (depth > DEPTH_MAX) return false
    if (next('{')) return list('}', () => take(STRING) !== undefined && next(':') && value(depth + 1))
    if (next('[')) return list(']', () => value(depth + 1))
    return (take(STRING) ?? take(SCALAR)) !== undefined
  }
  const list = (close: string, item: () => boolean): boolean => {
    if (next(close)) return true
    do {
      take(SPACE)
      if (!item()) return false
    } while (next(','))
    return next(close)
  }

  let repeated: string | undefined
  const whole =
    next('{') &&
    list('}', () => {
      const key = take(STRING)
      if (key === undefined || !next(':')) return false
      take(SPACE)
      const start = at
      if (!value(0)) return false
      const name = JSON.parse(key) as string
      if (members.has(name)) repeated ??= name
      members.set(name, textOf(line.slice(start, at)))
      return true
    })
  take(SPACE)
  if (!whole || at < line.length) return 'not a JSON object'
  return repeated === undefined ? members : 'a repeated member'
}

function textOf(written: string): string | null {
  if (written === 'null') return null
  return written.startsWith('"') ? (JSON.parse(written) as string) : written
}

/** Receives the non-blank lines of a text without line ends. `fault` is the reason if a line cannot be read. */
export type LineSink = (text: string, line: number, fault: string | undefined) => void

/** Splits bytes into lines, with line numbers as in an editor. A line of more than 1 MiB is a fault. */
export function scanLines(sink: LineSink) {
  let pending: Buffer = Buffer.alloc(0)
  let line = 1
  /** Whether the rest of a too long line is being skipped. */
  let skipping = false

  const emit = (bytes: Buffer) => {
    const start = line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const content = bytes.subarray(start)
    const fault =
      content.length > RECORD_BYTES_MAX
        ? `longer than ${RECORD_BYTES_MAX} bytes`
        : content.includes(0)
          ? 'binary'
          : isUtf8(content)
            ? undefined
            : 'not UTF-8'
    const text = content.toString('utf8', 0, Math.min(content.length, RECORD_BYTES_MAX))
    if (fault !== undefined || text.trim() !== '') sink(text, line, fault)
  }
  return {
    push(chunk: Buffer) {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        if (!skipping) emit(bytes.subarray(start, end))
        skipping = false
        line += 1
        start = end + 1
      }
      pending = bytes.subarray(start)
      if (pending.length > RECORD_BYTES_MAX + 1) {
        if (!skipping) emit(pending)
        skipping = true
        pending = Buffer.alloc(0)
      }
    },
    end() {
      if (pending.length > 0 && !skipping) emit(pending)
    },
  }
}
