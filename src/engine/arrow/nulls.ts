import type { DuckDBDataChunk } from '@duckdb/node-api'
import bindings from '@duckdb/node-bindings'
import { Data, DataType } from 'apache-arrow'

/** The rows of a chunk at most, and the bytes of its widest values. */
const [ROWS_MAX, WIDTH_MAX] = [2048, 16]

/** What stands in place of the values of all columns without values. Nobody writes to it. */
const ZEROS = new ArrayBuffer(WIDTH_MAX * (ROWS_MAX + 1))

/**
 * Whether a column has no value in any row of a chunk; false if its type has other columns. A view of its vector would count as
 * memory of the process, which is collected the sooner, and nobody reads it.
 */
export function hasNoValue({ chunk, rowCount }: DuckDBDataChunk, column: number, type: DataType): boolean {
  if ((type.children?.length ?? 0) > 0) return false
  const vector = bindings.data_chunk_get_vector(chunk, column)
  const bits: Uint8Array | null = bindings.vector_get_validity(vector, 8 * Math.ceil(rowCount / 64))
  const whole = rowCount >> 3
  // Bits after the last row say nothing.
  const last = (bits?.[whole] ?? 0) & ((1 << (rowCount % 8)) - 1)
  return bits !== null && last === 0 && bits.subarray(0, whole).every(byte => byte === 0)
}

/** So many nulls, at most the rows of a chunk, of a type without children. */
export function nulls(type: DataType, length: number): Data {
  const hasOffsets = DataType.isUtf8(type) || DataType.isBinary(type)
  const { ArrayType } = type
  const values = hasOffsets
    ? new Uint8Array()
    : new ArrayType(ZEROS, 0, (WIDTH_MAX / ArrayType.BYTES_PER_ELEMENT) * length)
  const offsets = hasOffsets ? new Int32Array(ZEROS, 0, length + 1) : undefined
  return new Data(type, 0, length, length, {
    0: offsets,
    1: values,
    2: new Uint8Array(ZEROS, 0, (length + 7) >> 3),
  })
}
