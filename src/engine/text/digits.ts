import type { Wire } from './wire.ts'

const ZERO = 48
const MINUS = 45
const POINT = 46
const TWO_TO_32 = 4_294_967_296
/** High words of the integers that a double holds exactly. */
const EXACT_HIGH_WORD = 2 ** 21

/** The most bytes of a number: 38 digits, a sign, a point and a zero before it. */
export const NUMBER_BYTES_MAX = 41

/** Ten to the power of an index. */
const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power)

/** Numbers are divided in parts of nine digits: 31-bit integers divide several times as fast as doubles. */
const PART_DIGITS = 9
const PART = 1_000_000_000

/** The number of digits of an integer of at most 2^53; 1 for zero. */
function digitsOf(value: number): number {
  let digits = 1
  while (digits < 16 && value >= (POWERS[digits] ?? 0)) digits += 1
  return digits
}

/** Writes a 64-bit integer from its low and high word as decimal text. The caller reserves NUMBER_BYTES_MAX. */
export function writeInteger(wire: Wire, low: number, high: number): void {
  writeWords(wire, low, high, high >> 31, high >> 31, 0)
}

/**
 * Writes a 128-bit number over 10^scale from its words (lowest first, two's complement) as decimal text with all of its
 * decimals: `-0.0500`. The caller reserves NUMBER_BYTES_MAX.
 */
export function writeDecimal(wire: Wire, words: Int32Array, index: number, scale: number): void {
  const at = index * 4
  writeWords(wire, words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0, scale)
}

function writeWords(wire: Wire, one: number, two: number, three: number, four: number, scale: number): void {
  const sign = two >> 31
  const isShort = three === sign && four === sign && two < EXACT_HIGH_WORD && two >= -EXACT_HIGH_WORD
  if (!isShort) return writeLong(wire, one, two, three, four, scale)
  const value = two * TWO_TO_32 + (one >>> 0)
  const magnitude = Math.abs(value)
  const high = magnitude < PART ? 0 : Math.floor(magnitude / PART)
  const digits = Math.max(digitsOf(magnitude), scale + 1)
  const { bytes } = wire
  if (value < 0) bytes[wire.at++] = MINUS
  let at = wire.at + digits + (scale > 0 ? 1 : 0)
  wire.at = at
  let rest = (magnitude - high * PART) | 0
  for (let place = 0; place < digits; place += 1) {
    if (place === PART_DIGITS) rest = high | 0
    if (place === scale && scale > 0) bytes[--at] = POINT
    const next = (rest / 10) | 0
    bytes[--at] = ZERO + rest - next * 10
    rest = next
  }
}

function writeLong(wire: Wire, one: number, two: number, three: number, four: number, scale: number): void {
  const value =
    (BigInt(four) << 96n) | (BigInt(three >>> 0) << 64n) | (BigInt(two >>> 0) << 32n) | BigInt(one >>> 0)
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  const text = `${value < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? '.' : ''}${digits.slice(point)}`
  for (let index = 0; index < text.length; index += 1) wire.bytes[wire.at++] = text.charCodeAt(index)
}
