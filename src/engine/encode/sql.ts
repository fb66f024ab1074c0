import { type Digits, fieldText, jsonForms, mayNeedQuotes, typedForms } from './forms.ts'
import { identifier, literalText, rewrite, structPack } from './rewrite.ts'
import { type ColumnType, refuseUnanswerable } from './types.ts'

export type { ColumnType } from './types.ts'

/** Digits of the timestamps in a column, at any depth, by the column's name; the fewest where it is left out. */
export type DigitsShown = Readonly<Record<string, Digits>>

// On lines of its own, so that a comment at the template's end does not swallow the bracket.
const bracketed = (template: string) => `(\n${template}\n)`

const columnId = (index: number) => `c${index}`
const columnIds = (columns: readonly ColumnType[]) => columns.map((_, index) => columnId(index)).join(', ')

function refuseAny(columns: readonly ColumnType[]): void {
  for (const { name, type } of columns) refuseUnanswerable(name, type)
}

const digitsOf = (name: string, shown: DigitsShown): Digits => shown[name] ?? 'fewest'

/**
 * A common table `numbered`: the template's rows with their number `n`; their columns are `c0`, `c1`, … so that no
 * name of the template's can mean anything else. Aggregates promise no order of their input (with several threads
 * `string_agg` really mixes it), hence the number. Materialised, so that the rows are written by all threads.
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
 * SQL that runs `template` and answers one row: `bytes`, the rows as JSON objects joined by commas, without
 * brackets (a BLOB, empty if there are no rows), and `rows`, their number (BIGINT).
 *
 * `columns` are the template's, as its `describeSql` says. Throws if one has no form in JSON.
 */
export function jsonRowsSql(
  template: string,
  columns: readonly ColumnType[],
  shown: DigitsShown = {},
): string {
  refuseAny(columns)
  return `${numberedRows(template, columns)}
SELECT
  encode(coalesce(string_agg(${jsonRow(columns, shown)}, ',' ORDER BY n), '')) AS bytes,
  count(*) AS rows
FROM numbered`
}

/** Like `jsonRowsSql`, with one object a line. Every line ends with a line feed. */
export function ndjsonSql(template: string, columns: readonly ColumnType[], shown: DigitsShown = {}): string {
  refuseAny(columns)
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
 * Like `jsonRowsSql`, as CSV (RFC 4180, lines end with a line feed): a line of column names, also when there are no
 * rows but not on a page that `follows` another, then one line a row. Null is an empty field, an empty string `""`, a nested value its JSON text.
 */
export function csvSql(
  template: string,
  columns: readonly ColumnType[],
  shown: DigitsShown = {},
  follows = false,
): string {
  refuseAny(columns)
  const texts = columns.map(
    ({ name, type }, index) =>
      `${fieldText(columnId(index), type, digitsOf(name, shown))} AS ${columnId(index)}`,
  )
  const fields = columns.map(({ type }, index) =>
    mayNeedQuotes(type) ? quotedField(columnId(index)) : columnId(index),
  )
  const header = literalText(columns.map(({ name }) => headerField(name)).join(','))
  // concat leaves nulls out, which is what an empty field is.
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

/** SQL that answers what `columns` hold in every `every`th row of the template's and in the last one, in their order. */
export function placesSql(template: string, columns: readonly string[], every: number): string {
  const places = columns.map((_, index) => `place_${index}`)
  const named = columns.map((name, index) => `${identifier(name)} AS ${places[index]}`)
  return `SELECT ${places.join(', ')}
FROM (SELECT ${named.join(', ')}, row_number() OVER () AS n, count(*) OVER () AS rows FROM ${bracketed(template)})
WHERE n % ${every} = 0 OR n = rows
ORDER BY n`
}

/** SQL whose result has the template's columns and no rows. Types are known only once the files are bound. */
export function describeSql(template: string): string {
  return `SELECT * FROM ${bracketed(template)} LIMIT 0`
}

/**
 * The template for Arrow and Parquet: the same columns and rows, with NaN and the infinities null at any depth and
 * 128-bit integers as DECIMAL(38, 0). An ARRAY becomes a LIST.
 *
 * Throws if a column has no form in an answer.
 */
export function typedSql(template: string, columns: readonly ColumnType[]): string {
  refuseAny(columns)
  const values = columns.map(
    ({ name, type }, index) => `${rewrite(columnId(index), type, typedForms)} AS ${identifier(name)}`,
  )
  return `SELECT ${values.join(', ')} FROM ${bracketed(template)} AS answer(${columnIds(columns)})`
}

/** A COPY of the template's rows into a Parquet file. Parameters stay; `path` is absolute, and never a client's. */
export function parquetSql(template: string, path: string): string {
  return `COPY ${bracketed(template)} TO ${literalText(path)} (FORMAT parquet, COMPRESSION snappy)`
}
