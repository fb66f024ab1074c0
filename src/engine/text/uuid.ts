import { utf8 } from './json-string.ts'
import { reserve, type Wire } from './wire.ts'

const DIGITS = utf8('0123456789abcdef')
const DASH = 0x2d
/** Bytes of a UUID that follow a dash. */
const AFTER_DASH = new Set([4, 6, 8, 10])
const UUID_CHARACTERS = 36

/**
 * Writes the UUID that DuckDB stores in 16 bytes: a 128-bit integer, its lowest byte first, whose highest bit is inverted so
 * that its order is that of the text.
 */
export function writeUuid(wire: Wire, bytes: Uint8Array, from: number): void {
  reserve(wire, UUID_CHARACTERS)
  for (let place = 0; place < 16; place += 1) {
    if (AFTER_DASH.has(place)) wire.bytes[wire.at++] = DASH
    const byte = (bytes[from + 15 - place] ?? 0) ^ (place === 0 ? 0x80 : 0)
    wire.bytes[wire.at++] = DIGITS[byte >> 4] ?? 0
    wire.bytes[wire.at++] = DIGITS[byte & 15] ?? 0
  }
}
