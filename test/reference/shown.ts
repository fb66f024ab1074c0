import { isDecimal, textOf } from './decimal.ts'
import type { Row, Value } from './parquet.ts'
import { timeText } from './time.ts'

/** A value as the JSON shows it: decimals as text with their digits, times with the fewest digits that lose nothing. */
export function shown(value: Value | undefined): unknown {
  if (value === undefined) throw new Error('a field is missing')
  if (isDecimal(value)) return textOf(value)
  if (typeof value === 'bigint') return timeText(value)
  return Array.isArray(value) ? value.map(shown) : value
}

/** The columns of a row, space-separated, as the JSON shows them. */
export const shownColumns = (row: Row, names: string): Record<string, unknown> =>
  Object.fromEntries(names.split(/\s+/).map(name => [name, shown(row[name])]))
