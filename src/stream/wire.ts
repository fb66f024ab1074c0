import { reserve, type Wire, writeBytes } from '../engine/text/wire.ts'

/** Writes an unsigned 32-bit varint. The caller reserves 5 bytes. */
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
 * Writes a 64-bit varint from its low and high word in two's complement. The caller reserves 10 bytes, which a negative
 * number takes.
 */
export function writeVarint64(wire: Wire, low: number, high: number): void {
  if (high === 0) return writeVarint(wire, low)
  writeGroups(wire, low)
  // 28 bits are written: 4 of the low word and all of the high word are left.
  const middle = ((low >>> 28) | (high << 4)) & 0xfffffff
  const top = high >>> 24
  if (top === 0) return writeVarint(wire, middle)
  writeGroups(wire, middle)
  writeVarint(wire, top)
}

/** Writes 28 bits as four groups with continuation bits. */
function writeGroups(wire: Wire, bits: number): void {
  const { bytes, at } = wire
  bytes[at] = bits | 0x80
  bytes[at + 1] = (bits >>> 7) | 0x80
  bytes[at + 2] = (bits >>> 14) | 0x80
  bytes[at + 3] = (bits >>> 21) | 0x80
  wire.at = at + 4
}

/**
 * Prefixes the bytes written since `start` with their length as a varint. The byte at `start` must be free; it is
 * enough for a length below 128.
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

/** The tag before a field's value: its number in the proto and its wire type. */
export const tagOf = (number: number, wireType: number): number => (number << 3) | wireType

/** Writes a tag. The caller reserves 5 bytes. */
export function writeTag(wire: Wire, tag: number): void {
  if (tag < 0x80) wire.bytes[wire.at++] = tag
  else writeVarint(wire, tag)
}

/** Writes a length-delimited field: its tag, its length and bytes `from` to `to` of `source`. */
export function writeDelimited(wire: Wire, tag: number, source: Uint8Array, from: number, to: number): void {
  reserve(wire, to - from + 10)
  writeTag(wire, tag)
  writeVarint(wire, to - from)
  writeBytes(wire, source, from, to)
}
