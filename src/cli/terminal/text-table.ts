import { printable, printableStart } from './printable.ts'

const CELL_MAX = 40

/** NDJSON rows with the same members as an aligned text table. Numbers are right-aligned, nulls are empty. */
export function textTable(ndjson: Uint8Array): string {
  const lines = new TextDecoder().decode(ndjson).split('\n').filter(Boolean)
  const rows = lines.map(line => JSON.parse(line) as Record<string, unknown>)
  const names = Object.keys(rows[0] ?? {})
  if (names.length === 0) return '(no rows)\n'
  const cells = rows.map(row => names.map(name => cell(row[name])))
  const titles = names.map(printable)
  const columns = titles.map((name, column) => ({
    width: Math.max(name.length, ...cells.map(texts => texts[column]?.length ?? 0)),
    numeric: cells.every(texts => /^(-?\d[\d.e+-]*)?$/.test(texts[column] ?? '')),
  }))
  const line = (texts: readonly string[]) =>
    columns
      .map(({ width, numeric }, column) =>
        numeric ? (texts[column] ?? '').padStart(width) : (texts[column] ?? '').padEnd(width),
      )
      .join('  ')
      .trimEnd()
  const rule = columns.map(({ width }) => '─'.repeat(width))
  return `${[titles, rule, ...cells].map(line).join('\n')}\n`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return printableStart(text, CELL_MAX)
}
