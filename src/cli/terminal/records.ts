import { textTable } from './text-table.ts'

/** How a command prints a list: a text table, `{"data": [...]}`, or CSV with a header. */
export const LIST_FORMATS = ['table', 'json', 'csv'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

export type Cell = string | number | boolean | null

/** Records with the same members as a text table or as CSV. */
export function listText(
  records: readonly Readonly<Record<string, Cell>>[],
  format: 'table' | 'csv',
): string {
  if (format === 'table')
    return textTable(Buffer.from(records.map(record => `${JSON.stringify(record)}\n`).join('')))
  const lines = [Object.keys(records[0] ?? {}), ...records.map(record => Object.values(record))]
  return records.length === 0 ? '' : lines.map(line => `${line.map(csvCell).join(',')}\n`).join('')
}

/** The document of a list, with a line per record. */
export const listJson = (records: readonly unknown[]) =>
  `{"data":[${records.map(record => `\n${JSON.stringify(record)}`).join(',')}\n]}\n`

function csvCell(value: Cell): string {
  const text = value === null ? '' : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
