import { type Digits, fieldText, jsonForms, mayNeedQuotes, minifiedForms, typedForms } from './forms.ts'
import { PAGE_COLUMNS, PAGE_END, type Page, pageSql } from './page.ts'
import { bracketed, identifier, literalText, rewrite, structPack } from './rewrite.ts'
import { assertEncodable, type ColumnType } from './types.ts'

export type { ColumnType } from './types.ts'

/** Fractional digits of the timestamps in a column, at any depth, by column name. Default: the fewest. */
export type DigitsShown = Readonly<Record<string, Digits>>

const columnId = (index: number) => `c${index}`
const columnIds = (columns: readonly ColumnType[]) => columns.map((_, index) => columnId(index)).join(', ')

/** JSON text around the rows of an answer. */
export type Envelope = readonly [head: string, tail: string]

/** JSON text around the rows of a page. It becomes SQL, so it must be a constant of the program. */
export interface Frame {
  readonly head: string
  readonly tail: string
  /** The tail is written if there are fewer rows than this: another page may follow a full one. */
  readonly fullRows: number
}

/** How an encoder writes rows as text. */
export interface TextOptions {
  readonly digits?: DigitsShown
  /** Written by the engine, because a copy of a long page in JavaScript causes garbage collection. Default: the rows alone. */
  readonly frame?: Frame | null
  /** Whether the rows follow others, whose header they share. */
  readonly follows?: boolean
  /** The page that they are; null: all rows of the template. */
  readonly page?: Page | null
}

function assertAllEncodable(columns: readonly ColumnType[]): void {
  for (const { name, type } of columns) assertEncodable(name, type)
}

const digitsOf = (name: string, shown: DigitsShown): Digits => shown[name] ?? 'fewest'

/**
 * A common table expression `numbered`: the rows of the template with their row number `n`. The columns are named `c0`,
 * `c1`, … so that they cannot conflict with other names. The row number is needed because aggregates do not keep the
 * order of their input (with several threads `string_agg` does mix it). Materialised, so that all threads encode rows.
 */
function numberedRows(template: string, columns: readonly ColumnType[], page: Page | null): string {
  const ids = columnIds(columns)
  const [number, rows, names] =
    page === null
      ? ['row_number() OVER () AS n', template, ids]
      : [`page_row AS n, ${PAGE_COLUMNS.join(', ')}`, pageSql(template, page), idsOfPage(ids)]
  return `WITH numbered AS MATERIALIZED (
  SELECT ${[number, ids].join(', ')}
  FROM ${bracketed(rows)} AS answer(${names})
)`
}

const idsOfPage = (ids: string) => `${ids}, ${PAGE_COLUMNS.join(', ')}`

/** The columns of an encoder's row: its bytes, the number of rows, and where a page ends. */
const encoderRow = (bytes: string, page: Page | null) =>
  [`encode(${bytes}) AS bytes`, 'count(*) AS rows', ...(page === null ? [] : [PAGE_END])].join(',\n  ')

function jsonRow(columns: readonly ColumnType[], shown: DigitsShown): string {
  const fields = columns.map(({ name, type }, index) => ({
    name,
    value: rewrite(columnId(index), type, jsonForms(digitsOf(name, shown))),
  }))
  return `to_json(${structPack(fields)})`
}

/**
 * SQL that runs `template` and returns one row: `bytes` (BLOB) are the rows as JSON objects joined by commas, without
 * brackets, empty if there are no rows, in the frame if there is one; `rows` (BIGINT) is their number. For a page, the
 * columns of `PAGE_END` follow.
 *
 * `columns` are the template's columns, from `describeSql`. Throws if the type of one cannot be encoded.
 */
export function jsonRowsSql(
  template: string,
  columns: readonly ColumnType[],
  { digits = {}, page = null, frame = null }: TextOptions = {},
): string {
  assertAllEncodable(columns)
  const objects = `coalesce(string_agg(${jsonRow(columns, digits)}, ',' ORDER BY n), '')`
  return `${numberedRows(template, columns, page)}
SELECT
  ${encoderRow(frame === null ? objects : framed(objects, frame), page)}
FROM numbered`
}

const framed = (objects: string, { head, tail, fullRows }: Frame) =>
  `concat(${literalText(head)}, ${objects}, CASE WHEN count(*) < ${fullRows} THEN ${literalText(tail)} END)`

/** Like `jsonRowsSql`, with one object per line. Every line ends with a line feed. */
export function ndjsonSql(
  template: string,
  columns: readonly ColumnType[],
  { digits = {}, page = null }: TextOptions = {},
): string {
  assertAllEncodable(columns)
  const lines = `coalesce(string_agg(${jsonRow(columns, digits)}, chr(10) ORDER BY n) || chr(10), '')`
  return `${numberedRows(template, columns, page)}
SELECT
  ${encoderRow(lines, page)}
FROM numbered`
}

const QUOTED_IF = `'[",\\r\\n]|^\\s|\\s$'`

function quotedField(text: string): string {
  return `CASE
    WHEN ${text} IS NULL THEN ''
    WHEN ${text} = '' OR regexp_matches(${text}, ${QUOTED_IF}) THEN '"' || replace(${text}, '"', '""') || '"'
    ELSE ${text}
  END`
}

/** A column's name as a field of the header. */
export const headerField = (name: string) => (/[",\s]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/**
 * Like `jsonRowsSql`, as CSV (RFC 4180, but lines end with a line feed): a header line, then one line per row. A result
 * without rows has a header too; a page that `follows` another has none. Null is an empty field, an empty string is `""`,
 * a nested value is its JSON text.
 */
export function csvSql(
  template: string,
  columns: readonly ColumnType[],
  { digits = {}, follows = false, page = null }: TextOptions = {},
): string {
  assertAllEncodable(columns)
  const texts = columns.map(
    ({ name, type }, index) =>
      `${fieldText(columnId(index), type, digitsOf(name, digits))} AS ${columnId(index)}`,
  )
  const fields = columns.map(({ type }, index) =>
    mayNeedQuotes(type) ? quotedField(columnId(index)) : columnId(index),
  )
  const header = literalText(columns.map(({ name }) => headerField(name)).join(','))
  // concat skips nulls, so a null becomes an empty field.
  const line = `concat(${fields.join(`, ',', `)}, chr(10))`
  const lines = `concat(${follows ? '' : `${header}, chr(10), `}string_agg(${line}, '' ORDER BY n))`
  const kept = page === null ? ['n'] : ['n', ...PAGE_COLUMNS]
  return `${numberedRows(template, columns, page)},
texts AS (
  SELECT ${[...kept, ...texts].join(', ')}
  FROM numbered
)
SELECT
  ${encoderRow(lines, page)}
FROM texts`
}

/** SQL that returns the values of `columns` in every `every`th row of the template and in its last row, in order. */
export function placesSql(template: string, columns: readonly string[], every: number): string {
  const places = columns.map((_, index) => `place_${index}`)
  const named = columns.map((name, index) => `${identifier(name)} AS ${places[index]}`)
  return `SELECT ${places.join(', ')}
FROM (SELECT ${named.join(', ')}, row_number() OVER () AS n, count(*) OVER () AS rows FROM ${bracketed(template)})
WHERE n % ${every} = 0 OR n = rows
ORDER BY n`
}

/** SQL whose result has the template's columns and no rows. The types depend on the files that are bound. */
export function describeSql(template: string): string {
  return `SELECT * FROM ${bracketed(template)} LIMIT 0`
}

/**
 * The template for answers that this process writes: the same columns, types and rows, but JSON is minified. A template without
 * JSON stays as it is.
 */
export function rowsSql(template: string, columns: readonly ColumnType[]): string {
  const forms = columns.map(({ type }, index) => rewrite(columnId(index), type, minifiedForms))
  if (forms.every((form, index) => form === columnId(index))) return template
  const values = columns.map(({ name }, index) => `${forms[index]} AS ${identifier(name)}`)
  return `SELECT ${values.join(', ')} FROM ${bracketed(template)} AS answer(${columnIds(columns)})`
}

/**
 * The template for Arrow and Parquet: the same columns and rows, but at any depth NaN and the infinities are null, times
 * are TIMESTAMPTZ, UUID and JSON are text, 128-bit integers are DECIMAL(38, 0) and an ARRAY is a LIST.
 *
 * Throws if the type of a column cannot be encoded.
 */
export function typedSql(template: string, columns: readonly ColumnType[]): string {
  assertAllEncodable(columns)
  const values = columns.map(
    ({ name, type }, index) => `${rewrite(columnId(index), type, typedForms)} AS ${identifier(name)}`,
  )
  return `SELECT ${values.join(', ')} FROM ${bracketed(template)} AS answer(${columnIds(columns)})`
}

/** A COPY of the template's rows to a Parquet file. Parameters stay. `path` is absolute and never from a client. */
export function parquetSql(template: string, path: string): string {
  return `COPY ${bracketed(template)} TO ${literalText(path)} (FORMAT parquet, COMPRESSION snappy)`
}
