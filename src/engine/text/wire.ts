/**
 * A growing array of bytes. All values are written directly into it: an object or an array per field would cost several
 * times as much as the writing.
 */
export interface Wire {
  bytes: Uint8Array<ArrayBuffer>
  /** The number of written bytes. */
  at: number
}

export const newWire = (size: number): Wire => ({ bytes: new Uint8Array(size), at: 0 })

/** Reserves `size` more bytes. */
export function reserve(wire: Wire, size: number): void {
  if (wire.at + size <= wire.bytes.length) return
  const grown = new Uint8Array(Math.max(wire.bytes.length * 2, wire.at + size))
  grown.set(wire.bytes.subarray(0, wire.at))
  wire.bytes = grown
}

/** A copy of the bytes written from `start` on. */
export const written = (wire: Wire, start = 0): Uint8Array<ArrayBuffer> => wire.bytes.slice(start, wire.at)

export function writeByte(wire: Wire, byte: number): void {
  reserve(wire, 1)
  wire.bytes[wire.at++] = byte
}

/** Writes bytes `from` to `to` of `source`. */
export function writeBytes(wire: Wire, source: Uint8Array, from: number, to: number): void {
  reserve(wire, to - from)
  const { bytes } = wire
  let at = wire.at
  // Names and contracts are short: a call of `set` costs more than this loop.
  if (to - from > 64) {
    bytes.set(source.subarray(from, to), at)
    at += to - from
  } else for (let index = from; index < to; index += 1) bytes[at++] = source[index] ?? 0
  wire.at = at
}

const encoder = new TextEncoder()
/** The most bytes of UTF-8 that a unit of UTF-16 takes. */
const UNIT_BYTES = 3

/** Writes text in UTF-8. Memory for the most that it could take is reserved only if it is not all ASCII, which most text is. */
export function writeText(wire: Wire, text: string): void {
  const read = encodeInto(wire, text, text.length)
  if (read < text.length) encodeInto(wire, text.slice(read), (text.length - read) * UNIT_BYTES)
}

/** Writes as much of the text as `size` more bytes hold at least, and returns the number of its units that were written. */
function encodeInto(wire: Wire, text: string, size: number): number {
  reserve(wire, size)
  const { read, written } = encoder.encodeInto(text, wire.bytes.subarray(wire.at))
  wire.at += written
  return read
}

export const writeAll = (wire: Wire, bytes: Uint8Array): void => writeBytes(wire, bytes, 0, bytes.length)
