import { reserve, type Wire, writeAll } from './wire.ts'

const [QUOTE, BACKSLASH, BLANK] = [0x22, 0x5c, 0x20]

const ESCAPED = /[\u0000-\u001f"\\]/g

/** As the engine writes it: with short escapes where JSON has them, and hexadecimal digits in upper case. */
const escaped = (character: string) =>
  JSON.stringify(character)
    .slice(1, -1)
    .replace(/[0-9a-f]{4}$/, digits => digits.toUpperCase())

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text)
const encoder = new TextEncoder()

/** Bytes `from` to `to` of UTF-8 as a JSON string. */
export function writeString(wire: Wire, values: Uint8Array, from: number, to: number): void {
  reserve(wire, to - from + 2)
  const { bytes } = wire
  let at = wire.at
  bytes[at++] = QUOTE
  for (let index = from; index < to; index += 1) {
    const byte = values[index] as number
    if (byte < BLANK || byte === QUOTE || byte === BACKSLASH) return writeEscaped(wire, values, from, to)
    bytes[at++] = byte
  }
  bytes[at++] = QUOTE
  wire.at = at
}

/** Rare, so it may take longer. */
function writeEscaped(wire: Wire, values: Uint8Array, from: number, to: number): void {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(values.subarray(from, to))
  writeAll(wire, utf8(`"${text.replace(ESCAPED, escaped)}"`))
}
