import type { Texts } from './values.ts'
import { newWire, type Wire, writeByte, writeBytes } from './wire.ts'

const [COMMA, LINE_FEED, QUOTE] = [0x2c, 0x0a, 0x22]
/** What `\s` means to the engine: tab, line feed, form feed, carriage return, space. */
const BLANKS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20])
const QUOTED = new Set([QUOTE, COMMA, LINE_FEED, 0x0d])

/**
 * Writes a row as CSV (RFC 4180, but the line ends with a line feed). Null is an empty field, an empty text is `""`, a nested
 * value is its JSON. Returns false for a value that only the engine writes.
 */
export function writeCsvRow(wire: Wire, texts: readonly Texts[], item: number): boolean {
  for (let column = 0; column < texts.length; column += 1) {
    if (column > 0) writeByte(wire, COMMA)
    if (!writeField(wire, texts[column] as Texts, item)) return false
  }
  writeByte(wire, LINE_FEED)
  return true
}

function writeField(wire: Wire, { is, isNull, plain }: Texts, item: number): boolean {
  if (isNull(item)) return true
  if (is === 'plain') return plain(wire, item)
  const text = newWire(256)
  if (!plain(text, item)) return false
  if (needsQuotes(text)) writeQuoted(wire, text)
  else writeBytes(wire, text.bytes, 0, text.at)
  return true
}

function needsQuotes({ bytes, at }: Wire): boolean {
  if (at === 0 || BLANKS.has(bytes[0] ?? 0) || BLANKS.has(bytes[at - 1] ?? 0)) return true
  for (let index = 0; index < at; index += 1) if (QUOTED.has(bytes[index] ?? 0)) return true
  return false
}

function writeQuoted(wire: Wire, { bytes, at }: Wire): void {
  writeByte(wire, QUOTE)
  for (let index = 0; index < at; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte === QUOTE) writeByte(wire, QUOTE)
    writeByte(wire, byte)
  }
  writeByte(wire, QUOTE)
}
