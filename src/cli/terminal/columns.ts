/** A column of a text table. */
export interface Column {
  readonly name: string
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
  const widths = columns.map(({ name, cells }) => Math.max(name.length, ...cells.map(cell => cell.length)))
  const total = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length)
  const left = total > width ? columns.findLastIndex(({ optional }) => optional) : -1
  if (left >= 0) return columnTable(columns.toSpliced(left, 1), width)
  const line = (texts: readonly string[]) =>
    columns
      .map(({ align }, index) => {
        const text = texts[index] ?? ''
        return align === 'right' ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)
      })
      .join(GAP)
      .trimEnd()
  const rows = columns[0]?.cells.map((_, row) => columns.map(({ cells }) => cells[row] ?? '')) ?? []
  return [columns.map(({ name }) => name), widths.map(each => '─'.repeat(each)), ...rows]
    .map(texts => `${line(texts)}\n`)
    .join('')
}

const WIDTH_WITHOUT_TERMINAL = 120

/** The number of characters per line of standard output. */
export const outputWidth = () => process.stdout.columns ?? WIDTH_WITHOUT_TERMINAL
