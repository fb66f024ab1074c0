import type { Json } from '@duckdb/node-api'

export type Row = Readonly<Record<string, Json | undefined>>

const literalOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return 'NULL'
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`
  return `'${String(value).replaceAll("'", "''")}'`
}

/** A SELECT of the rows, of which each may leave out columns: all texts, the table that takes them has the types. */
export function rowsAsSql(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap(Object.keys))]
  const values = rows.map(row => `(${columns.map(column => literalOf(row[column])).join(', ')})`)
  return `SELECT * FROM (VALUES ${values.join(', ')}) AS given (${columns.map(each => `"${each}"`).join(', ')})`
}
