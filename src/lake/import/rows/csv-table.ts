import { literal, text } from '../../../engine/bind.ts'
import type { Header } from './header.ts'

export interface CsvTableOptions {
  /** Columns before the fields, as `'name': 'TYPE'`. */
  readonly columns?: readonly string[]
  /** Types of the fields. Default: text. */
  readonly types?: readonly string[]
  /** The number of lines before the first record. */
  readonly skip?: number
}

/** SQL of a CSV file as a table of its fields, after other columns. `more` has further options of DuckDB's reader. */
export function csvTable(
  { delimiter, width }: Header,
  path: string,
  { columns = [], types = [], skip = 0 }: CsvTableOptions = {},
  more = '',
): string {
  const fields = Array.from(
    { length: width },
    (_, position) => `'field${position}': '${types[position] ?? 'VARCHAR'}'`,
  )
  const quote = delimiter === '|' ? `quote = '', escape = ''` : `quote = '"', escape = '"'`
  return `read_csv(${literal(text(path))}, columns = {${[...columns, ...fields].join(', ')}},
      auto_detect = false, header = false, skip = ${skip}, delim = ${literal(text(delimiter))}, ${quote},
      compression = 'none', hive_partitioning = false,
      strict_mode = true, null_padding = false, allow_quoted_nulls = false${more})`
}
