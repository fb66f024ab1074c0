import { createHash } from 'node:crypto'
import { type Dataset, dataset } from './datasets.ts'
import { sqlHeader } from './sql-header.ts'

/** How a file may be written. */
export const KINDS = ['csv', 'ndjson', 'parquet'] as const
export type Kind = (typeof KINDS)[number]

export const isKind = (name: string): name is Kind => KINDS.some(kind => kind === name)

/** One raw column that a mapping reads, and the header names it goes by, the best one first; all in lower case. */
export interface RawColumn {
  readonly name: string
  readonly required: boolean
  readonly accepted: readonly string[]
}

/** A format of files. A foreign one stands as a whole in `sql/import/<name>.sql`. */
export interface ImportFormat {
  readonly name: string
  /** How its files are written. */
  readonly kind: Kind
  /** Whether the files have the dataset's own columns. */
  readonly canonical: boolean
  readonly summary: string
  readonly dataset: Dataset
  readonly columns: readonly RawColumn[]
  /** Raw columns that are kept as they are written; of the others, blanks around them are not part of the value. */
  readonly verbatim: ReadonlySet<string>
  /** One SELECT over `raw` that answers line, the dataset's columns in order, and fault. */
  readonly sql: string
}

/** Where the foreign formats stand. */
export const FOLDER = 'sql/import'
const NAME = /^[a-z][a-z0-9_]*$/

/**
 * Reads the header of a mapping: `-- name: summary`, `-- dataset: name`, then for each raw column `-- column:` if
 * a file must have it, else `-- optional:`, with the accepted header names behind ` = `.
 */
export function parseFormat(name: string, sql: string): ImportFormat {
  const { values, only, wrong } = sqlHeader(`${FOLDER}/${name}.sql`, sql)
  const columnsOf = (label: string, required: boolean) =>
    values(label).map((value): RawColumn => {
      const [column = '', names = ''] = value.split(' = ')
      const accepted = names.split(',').map(each => each.trim())
      if (!NAME.test(column) || accepted.some(each => each === '' || each !== each.toLowerCase()))
        throw wrong(
          `expected "-- ${label}: name = header name, header name", in lower case, found "${value}"`,
        )
      return { name: column, required, accepted }
    })

  const columns = [...columnsOf('column', true), ...columnsOf('optional', false)]
  if (columns.length === 0) throw wrong('expected a line "-- column: …"')
  return {
    name,
    kind: 'csv',
    canonical: false,
    summary: only(name),
    dataset: dataset(only('dataset')),
    columns,
    verbatim: new Set(),
    sql,
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The hash that the lake knows an input by. The format and its SQL are part of it, so that a corrected mapping
 * imports the same file again.
 */
export function inputHash(format: ImportFormat, fileHash: string): string {
  return sha256(`${format.name}\0${sha256(format.sql)}\0${fileHash}`)
}

/** The name of one import, made from what goes in: the same inputs give the same name. */
export function importName(format: ImportFormat, inputs: readonly string[]): string {
  return `${format.name}-${sha256(inputs.join('\n')).slice(0, 12)}`
}
