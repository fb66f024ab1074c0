import { compare, isDecimal } from './decimal.ts'
import type { Row, Value } from './parquet.ts'

/** Orders of rows: nulls last either way, ties by the next key. */

export type Direction = 'asc' | 'desc'

export interface Key<T> {
  readonly of: (row: T) => Value
  readonly direction: Direction
}

export const ascending = <T = Row>(of: (row: T) => Value): Key<T> => ({ of, direction: 'asc' })
export const descending = <T = Row>(of: (row: T) => Value): Key<T> => ({ of, direction: 'desc' })

/** Negative, 0 or positive. Text is in the order of its bytes in UTF-8, false before true; no value is null. */
export function compareValues(one: Value, other: Value): number {
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  if (isDecimal(one) && isDecimal(other)) return compare(one, other)
  if (Array.isArray(one) && Array.isArray(other)) return compareLists(one, other)
  if (one === null || other === null || isDecimal(one) || isDecimal(other) || typeof one !== typeof other)
    throw new Error(`${one} and ${other} are of different types`)
  return one < other ? -1 : one > other ? 1 : 0
}

/** By the first item that differs; the shorter list first. */
function compareLists(one: readonly Value[], other: readonly Value[]): number {
  for (const [at, item] of one.entries()) {
    if (at >= other.length) return 1
    const order = compareValues(item, other[at] as Value)
    if (order !== 0) return order
  }
  return one.length - other.length
}

/** Sorts rows by the first key in which they differ. */
export function ordered<T>(rows: readonly T[], ...keys: readonly Key<T>[]): T[] {
  const valued = rows.map(row => ({ row, values: keys.map(({ of }) => of(row)) }))
  valued.sort((one, other) => {
    for (const [at, { direction }] of keys.entries()) {
      const [left = null, right = null] = [one.values[at], other.values[at]]
      if (left === null && right === null) continue
      if (left === null || right === null) return left === null ? 1 : -1
      const order = compareValues(left, right)
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  })
  return valued.map(({ row }) => row)
}
