import { type Column, columnTable, tableWidth, verticalTable } from './columns.ts'
import { printable, printableStart } from './printable.ts'

const CELL_MAX = 40
/** Beyond this, a table is unreadable in a file or a pager too. */
const WIDTH_MAX = 240

export interface TableOptions {
  /** Names of the columns to print, in this order. Default: all. */
  readonly columns?: readonly string[] | undefined
  /** Whether each record is printed as lines with a name and a value. Default: if the table is wider than the terminal. */
  readonly isVertical?: boolean
}

/**
 * NDJSON rows with the same members as an aligned text table, or vertically. Numbers are right-aligned, nulls are empty,
 * and long values are cut in a table, but not vertically.
 */
export function textTable(ndjson: Uint8Array, { columns, isVertical = false }: TableOptions = {}): string {
  const lines = new TextDecoder().decode(ndjson).split('\n').filter(Boolean)
  const rows = lines.map(line => JSON.parse(line) as Record<string, unknown>)
  const names = columns ?? Object.keys(rows[0] ?? {})
  if (names.length === 0 || rows.length === 0) return '(no rows)\n'
  const shown = columnsOf(rows, names, CELL_MAX)
  return isVertical || tableWidth(shown) > (process.stdout.columns ?? WIDTH_MAX)
    ? verticalTable(columnsOf(rows, names, Number.POSITIVE_INFINITY))
    : columnTable(shown, Number.POSITIVE_INFINITY)
}

/** The names of the columns of NDJSON rows; none without rows. */
export const columnNames = (ndjson: Uint8Array): readonly string[] => {
  const [first] = new TextDecoder().decode(ndjson).split('\n', 1)
  return first ? Object.keys(JSON.parse(first) as object) : []
}

function columnsOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
  widthMax: number,
): Column[] {
  return names.map(name => {
    const cells = rows.map(row => cell(row[name], widthMax))
    const isNumeric = cells.every(text => /^(-?\d[\d.e+-]*)?$/.test(text))
    return { name: printable(name), cells, align: isNumeric ? 'right' : 'left' }
  })
}

function cell(value: unknown, widthMax: number): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return printableStart(text, widthMax)
}
