import { type DuckDBType, DuckDBTypeId, type DuckDBVector } from '@duckdb/node-api'
import { bytesOf, type Items, isNull, type Validity } from './memory.ts'

/** A 128-bit integer becomes a decimal of this many digits, the maximum of Arrow's Decimal128. */
export const INTEGER_DIGITS_MAX = 38

/** Bytes of one value in DuckDB's memory: a DECIMAL uses the smallest integer that holds its digits. */
function widthOf(type: DuckDBType): number {
  if (type.typeId !== DuckDBTypeId.DECIMAL) return 16
  if (type.width <= 4) return 2
  if (type.width <= 9) return 4
  return type.width <= 18 ? 8 : 16
}

/**
 * The unscaled values of a DECIMAL, HUGEINT or UHUGEINT vector as Decimal128: four 32-bit words per value, lowest first,
 * two's complement. Throws an error that names `column` for an integer of more than 38 digits.
 */
export function decimalWords(
  column: string,
  vector: DuckDBVector,
  items: Items,
  validity: Validity,
): Uint32Array {
  const width = widthOf(vector.type)
  const { buffer } = bytesOf(vector, items, width, validity)
  if (width === 2) return widened(new Int16Array(buffer), 1)
  if (width < 16) return widened(new Int32Array(buffer), width === 4 ? 1 : 2)
  const words = new Uint32Array(buffer)
  if (vector.type.typeId !== DuckDBTypeId.DECIMAL) assertDigits(column, vector.type, words, validity)
  return words
}

/** Sign-extends values of one or two words to four. */
function widened(source: Int16Array | Int32Array, parts: 1 | 2): Uint32Array {
  const words = new Uint32Array((source.length / parts) * 4)
  for (let from = 0, to = 0; from < source.length; from += parts, to += 4) {
    const low = source[from] ?? 0
    const second = parts === 1 ? low >> 31 : (source[from + 1] ?? 0)
    words[to] = low
    words[to + 1] = second
    words[to + 2] = words[to + 3] = second >> 31
  }
  return words
}

const LIMIT = 10n ** BigInt(INTEGER_DIGITS_MAX)
const LIMIT_TOP_WORD = Number(LIMIT >> 96n)

function assertDigits(column: string, type: DuckDBType, words: Uint32Array, validity: Validity): void {
  const signed = type.typeId === DuckDBTypeId.HUGEINT
  for (let index = 0; index * 4 < words.length; index += 1) {
    const unsignedTop = words[index * 4 + 3] ?? 0
    const top = signed ? unsignedTop | 0 : unsignedTop
    // Almost every value is far from the limit, which its top word shows.
    if (Math.abs(top) < LIMIT_TOP_WORD || isNull(validity, index)) continue
    const value = [2, 1, 0].reduce(
      (high, word) => (high << 32n) | BigInt(words[index * 4 + word] ?? 0),
      BigInt(top),
    )
    if (value >= LIMIT || value <= -LIMIT) {
      throw new Error(`column "${column}": ${value} (${type}) has more than ${INTEGER_DIGITS_MAX} digits`)
    }
  }
}
