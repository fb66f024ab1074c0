import { type Digits, fieldText, jsonForms, mayNeedQuotes, typedForms } from './forms.ts'
import { identifier, literalText, rewrite, structPack } from './rewrite.ts'
import { assertEncodable, type ColumnType } from './types.ts'

export type { ColumnType } from './types.ts'

/** Fractional digits of the timestamps in a column, at any depth, by column name. Default: the fewest. */
export type DigitsShown = Readonly<Record<string, Digits>>

// On separate lines, so that a comment at the end of the template does not hide the closing parenthesis.
const bracketed = (template: string) => `(\n${template}\n)`

const columnId = (index: number) => `c${index}`
const columnIds = (columns: readonly ColumnType[]) => columns.map((_, index) => columnId(index)).join(', ')

function assertAllEncodable(columns: readonly ColumnType[]): void {
  for (const { name, type } of columns) assertEncodable(name, type)
}

const digitsOf = (name: string, shown: DigitsShown): Digits => shown[name] ?? 'fewest'

/**
 * A common table expression `numbered`: the rows of the template with their row number `n`. The columns are named `c0`,
 * `c1`, … so that they cannot conflict with other names. The row number is needed because aggregates do not keep the
 * order of their input (with several threads `string_agg` does mix it). Materialised, so that all threads encode rows.
 */
function numberedRows(template: string, columns: readonly ColumnType[]): string {
  return `WITH numbered AS MATERIALIZED (
  SELECT row_number() OVER () AS n, ${columnIds(columns)}
  FROM ${bracketed(template)} AS answer(${columnIds(columns)})
)`
}

function jsonRow(columns: readonly ColumnType[], shown: DigitsShown): string {
  const fields = columns.map(({ name, type }, index) => ({
    name,
    value: rewrite(columnId(index), type, jsonForms(digitsOf(name, shown))),
  }))
  return `to_json(${structPack(fields)})`
}

/**
 * SQL that runs `template` and returns one row: `bytes` (BLOB) are the rows as JSON objects joined by commas, without
 * brackets, empty if there are no rows; `rows` (BIGINT) is their number.
 *
 * `columns` are the template's columns, from `describeSql`. Throws if the type of one cannot be encoded.
 */
export function jsonRowsSql(
  template: string,
  columns: readonly ColumnType[],
  shown: DigitsShown = {},
): string {
  assertAllEncodable(columns)
  return `${numberedRows(template, columns)}
SELECT
  encode(coalesce(string_agg(${jsonRow(columns, shown)}, ',' ORDER BY n), '')) AS bytes,
  count(*) AS rows
FROM numbered`
}

/** Like `jsonRowsSql`, with one object per line. Every line ends with a line feed. */
export function ndjsonSql(template: string, columns: readonly ColumnType[], shown: DigitsShown = {}): string {
  assertAllEncodable(columns)
  return `${numberedRows(template, columns)}
SELECT
  encode(coalesce(string_agg(${jsonRow(columns, shown)}, chr(10) ORDER BY n) || chr(10), '')) AS bytes,
  count(*) AS rows
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

const headerField = (name: string) => (/[",\s]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/**
 * Like `jsonRowsSql`, as CSV (RFC 4180, but lines end with a line feed): a header line, then one line per row. A result
 * without rows has a header too; a page that `follows` another has none. Null is an empty field, an empty string is `""`,
 * a nested value is its JSON text.
 */
export function csvSql(
  template: string,
  columns: readonly ColumnType[],
  shown: DigitsShown = {},
  follows = false,
): string {
  assertAllEncodable(columns)
  const texts = columns.map(
    ({ name, type }, index) =>
      `${fieldText(columnId(index), type, digitsOf(name, shown))} AS ${columnId(index)}`,
  )
  const fields = columns.map(({ type }, index) =>
    mayNeedQuotes(type) ? quotedField(columnId(index)) : columnId(index),
  )
  const header = literalText(columns.map(({ name }) => headerField(name)).join(','))
  // concat skips nulls, so a null becomes an empty field.
  const line = `concat(${fields.join(`, ',', `)}, chr(10))`
  return `${numberedRows(template, columns)},
texts AS (
  SELECT n, ${texts.join(', ')}
  FROM numbered
)
SELECT
  encode(concat(${follows ? '' : `${header}, chr(10), `}string_agg(${line}, '' ORDER BY n))) AS bytes,
  count(*) AS rows
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
