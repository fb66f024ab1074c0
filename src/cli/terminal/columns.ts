import { padded, widthOf } from './width.ts'

/** A column of a text table. */
export interface Column {
  readonly name: string
  /** Text that is fit to print: see `printable`. */
  readonly cells: readonly string[]
  readonly align: 'left' | 'right'
  /** Whether the column is omitted if the table is too wide. */
  readonly optional?: boolean
}

const GAP = '  '

/**
 * Columns as an aligned text table with a header. If it is wider than `width`, its optional columns are omitted, the
 * last one first.
 */
export function columnTable(columns: readonly Column[], width: number): string {
  const left = tableWidth(columns) > width ? columns.findLastIndex(({ optional }) => optional) : -1
  if (left >= 0) return columnTable(columns.toSpliced(left, 1), width)
  const widths = columns.map(columnWidth)
  const line = (texts: readonly string[]) =>
    columns
      .map(({ align }, index) => padded(texts[index] ?? '', widths[index] ?? 0, align))
      .join(GAP)
      .trimEnd()
  const rows = columns[0]?.cells.map((_, row) => columns.map(({ cells }) => cells[row] ?? '')) ?? []
  return [columns.map(({ name }) => name), widths.map(each => '─'.repeat(each)), ...rows]
    .map(texts => `${line(texts)}\n`)
    .join('')
}

/** Each record below a line with its number: a line per column, with the name and the value. */
export function verticalTable(columns: readonly Column[]): string {
  const width = Math.max(...columns.map(({ name }) => widthOf(name)))
  const records = columns[0]?.cells ?? []
  return records
    .map((_, row) =>
      [
        `──── ${row + 1} ────`,
        ...columns.map(({ name, cells }) =>
          `${padded(name, width, 'left')}${GAP}${cells[row] ?? ''}`.trimEnd(),
        ),
      ]
        .map(line => `${line}\n`)
        .join(''),
    )
    .join('')
}

/** The number of columns of the terminal that a table takes. */
export const tableWidth = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + columnWidth(column) + GAP.length, -GAP.length)

const columnWidth = ({ name, cells }: Column): number =>
  cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), widthOf(name))

const WIDTH_WITHOUT_TERMINAL = 120

/** The number of characters per line of standard output. */
export const outputWidth = () => process.stdout.columns ?? WIDTH_WITHOUT_TERMINAL
