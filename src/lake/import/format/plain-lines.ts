import type { Column } from '../../store/schema.ts'
import { isTicker } from './tickers.ts'
import { vocabularyOf } from './vocabularies.ts'

const DAY = String.raw`[12]\d{3}-[01]\d-[0-3]\d`

/**
 * A text of each type that DuckDB's CSV reader either reads in that type as the conversion of the text does, or fails to
 * read. Other texts of a value, such as one with an exponent or a zone, are not plain.
 */
const PLAIN: Readonly<Record<string, string>> = {
  INTEGER: String.raw`-?\d+`,
  BIGINT: String.raw`-?\d+`,
  DATE: DAY,
  TIMESTAMP: String.raw`${DAY}[ T][0-2]\d:\d{2}:\d{2}(\.\d{1,6})?`,
  BOOLEAN: 'true|false',
  UUID: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
}

function plainPattern(type: string): string | undefined {
  const [, places] = /^DECIMAL\(\d+,(\d+)\)$/.exec(type) ?? []
  return places === undefined ? PLAIN[type] : String.raw`-?\d+(\.\d{1,${places}})?`
}

/** Whether a column of a plain line is read in its own type. Others are read as text. */
export const isReadTyped = (column: Column): boolean =>
  plainPattern(column.type) !== undefined && vocabularyOf(column) === null && !isTicker(column)

/**
 * The pattern of a line of which each field that is read in its own type is plain or blank. The columns are those of the
 * fields, null for one that is not imported.
 */
export function plainLine(columns: readonly (Column | null)[], delimiter: string): string {
  const text = `[^"${delimiter}]*|"([^"]|"")*"`
  return columns
    .map(column => (column !== null && isReadTyped(column) ? `(${plainPattern(column.type)})?` : `(${text})`))
    .join(delimiter)
}
