import { type Data, DataType, type Vector } from 'apache-arrow'
import { decimalText } from '../encode/scalar-shapes.ts'

/** All values of an Arrow column, read from its buffers, in the terms of `Sample.typed`. */
export function readColumn(column: Vector | null): unknown[] {
  if (column === null) throw new Error('no such column')
  return column.data.flatMap(data => Array.from({ length: data.length }, (_, index) => readItem(data, index)))
}

function readItem(data: Data, index: number): unknown {
  const { type, values, valueOffsets, children } = data
  if (data.nullCount > 0) {
    const bit = data.offset + index
    if (((data.nullBitmap[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return null
  }
  if (DataType.isBool(type)) return (values[index >> 3] & (1 << (index & 7))) !== 0
  if (DataType.isDecimal(type)) {
    const words: bigint[] = [0, 1, 2, 3].map(word => BigInt(values[index * 4 + word]))
    const unscaled = words.reduceRight((high, word) => (high << 32n) | word, 0n)
    return decimalText(BigInt.asIntN(128, unscaled), type.scale)
  }
  const [from, to] = [Number(valueOffsets?.[index]), Number(valueOffsets?.[index + 1])]
  if (DataType.isUtf8(type))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(values.subarray(from, to))
  if (DataType.isBinary(type)) return Buffer.from(values.subarray(from, to)).toString('hex')
  const [child] = children
  const items = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, item) => child && readItem(child, start + item))
  if (DataType.isList(type) || DataType.isMap(type)) return items(from, to)
  if (DataType.isFixedSizeList(type)) return items(index * type.listSize, (index + 1) * type.listSize)
  if (DataType.isStruct(type)) return children.map(field => readItem(field, index))
  return values[index]
}
