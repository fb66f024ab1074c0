import type { Row, Value } from './parquet.ts'
import { shownColumns } from './shown.ts'

/** The value of a column of a row. */
export const column =
  (name: string) =>
  (row: Row): Value =>
    row[name] ?? null

/** The greatest text of a column; empty without a row. */
export const latestOf = (rows: readonly Row[], name: string): string =>
  rows.map(row => String(row[name])).reduce((one, other) => (one > other ? one : other), '')

/** The columns of a joined row, space-separated, as the JSON shows them: null without the row. */
export const joinedColumns = (row: Row | undefined, names: string): Record<string, unknown> =>
  row === undefined
    ? Object.fromEntries(names.split(/\s+/).map(name => [name, null]))
    : shownColumns(row, names)
