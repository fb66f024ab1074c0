/**
 * Bytes that grow at their end. What is written goes straight into one array: making a value or an array for every
 * field would cost several times the writing.
 */
export interface Wire {
  bytes: Uint8Array<ArrayBuffer>
  /** How many bytes are written. */
  at: number
}

export const newWire = (size: number): Wire => ({ bytes: new Uint8Array(size), at: 0 })

/** Makes room for `size` more bytes. */
export function reserve(wire: Wire, size: number): void {
  if (wire.at + size <= wire.bytes.length) return
  const grown = new Uint8Array(Math.max(wire.bytes.length * 2, wire.at + size))
  grown.set(wire.bytes.subarray(0, wire.at))
  wire.bytes = grown
}

/** A copy of the bytes written from `start` on. */
export const written = (wire: Wire, start = 0): Uint8Array<ArrayBuffer> => wire.bytes.slice(start, wire.at)

/** A varint of 32 bits, taken as not negative. Room for 5 bytes must be reserved. */
export function writeVarint(wire: Wire, value: number): void {
  const { bytes } = wire
  let at = wire.at
  let rest = value | 0
  while ((rest & ~0x7f) !== 0) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[at++] = rest
  wire.at = at
}

/**
 * A varint of 64 bits, given as its low and its high word in two's complement: a negative number takes ten bytes, which
 * must be reserved.
 */
export function writeVarint64(wire: Wire, low: number, high: number): void {
  if (high === 0) return writeVarint(wire, low)
  writeGroups(wire, low)
  // 28 bits are gone: what is left are 4 of the low word and all of the high one.
  const middle = ((low >>> 28) | (high << 4)) & 0xfffffff
  const top = high >>> 24
  if (top === 0) return writeVarint(wire, middle)
  writeGroups(wire, middle)
  writeVarint(wire, top)
}

/** 28 bits as four groups, with more to come. */
function writeGroups(wire: Wire, bits: number): void {
  const { bytes, at } = wire
  bytes[at] = bits | 0x80
  bytes[at + 1] = (bits >>> 7) | 0x80
  bytes[at + 2] = (bits >>> 14) | 0x80
  bytes[at + 3] = (bits >>> 21) | 0x80
  wire.at = at + 4
}

/** Bytes `from` to `to` of `source`. */
export function writeBytes(wire: Wire, source: Uint8Array, from: number, to: number): void {
  reserve(wire, to - from)
  const { bytes } = wire
  let at = wire.at
  // Names and contracts are short, and a call of `set` costs more than they.
  if (to - from > 64) {
    bytes.set(source.subarray(from, to), at)
    at += to - from
  } else for (let index = from; index < to; index += 1) bytes[at++] = source[index] ?? 0
  wire.at = at
}

/**
 * Puts the length of what was written from `start` on in front of it, as a varint. `start` must have one byte left free
 * before the content, which is all that a length below 128 needs.
 */
export function prefixLength(wire: Wire, start: number): void {
  const length = wire.at - start - 1
  if (length < 0x80) {
    wire.bytes[start] = length
    return
  }
  let more = 0
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) more += 1
  reserve(wire, more)
  wire.bytes.copyWithin(start + 1 + more, start + 1, wire.at)
  wire.at = start
  writeVarint(wire, length)
  wire.at += length
}

/** Wire types of proto3: https://protobuf.dev/programming-guides/encoding */
export const VARINT = 0
export const LENGTH_DELIMITED = 2

/** The number in front of a field's value: its number in the proto and its wire type. */
export const tagOf = (number: number, wireType: number): number => (number << 3) | wireType

/** Room for 5 bytes must be reserved. */
export function writeTag(wire: Wire, tag: number): void {
  if (tag < 0x80) wire.bytes[wire.at++] = tag
  else writeVarint(wire, tag)
}

/** A field of text or of a message: its tag, its length and bytes `from` to `to` of `source`. */
export function writeDelimited(wire: Wire, tag: number, source: Uint8Array, from: number, to: number): void {
  reserve(wire, to - from + 10)
  writeTag(wire, tag)
  writeVarint(wire, to - from)
  writeBytes(wire, source, from, to)
}
