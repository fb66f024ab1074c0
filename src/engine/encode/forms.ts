import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import { type Forms, rewrite } from './rewrite.ts'
import { isJson } from './types.ts'

/** How many digits of a second a timestamp shows: the fewest of 0, 3 and 6 that lose nothing, always 3, or always 6. */
export type Digits = 'fewest' | 'millis' | 'micros'

const unless = (condition: string, form: string) => `CASE WHEN ${condition} THEN ${form} END`

/** NaN and the infinities are no values of this API: null, in every format. */
const finite = (value: string, form = value) => unless(`isfinite(${value})`, form)

/** The same instant as a TIMESTAMP: `strftime` takes the seconds and milliseconds of other types for nanoseconds. */
function plainTimestamp(value: string, type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.TIMESTAMP_TZ:
      // Not AT TIME ZONE: this needs neither the session's zone nor the ICU extension.
      return `make_timestamp(epoch_us(${value}))`
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
      return `CAST(${value} AS TIMESTAMP)`
    default:
      return value
  }
}

const SECONDS = `'%Y-%m-%dT%H:%M:%SZ'`
const MILLISECONDS = `'%Y-%m-%dT%H:%M:%S.%gZ'`
const MICROSECONDS = `'%Y-%m-%dT%H:%M:%S.%fZ'`

function timestampText(value: string, type: DuckDBType, digits: Digits): string {
  const shown = (format: string) => `strftime(${plainTimestamp(value, type)}, ${format})`
  if (digits === 'micros') return finite(value, shown(MICROSECONDS))
  if (digits === 'millis') return finite(value, shown(MILLISECONDS))
  if (type.typeId === DuckDBTypeId.TIMESTAMP_MS) return finite(value, shown(MILLISECONDS))
  // epoch_us rounds nanoseconds towards 1970, so a time before it would come out a microsecond late.
  const micros =
    type.typeId === DuckDBTypeId.TIMESTAMP_NS ? `nanosecond(${value}) // 1000` : `epoch_us(${value})`
  return `CASE
    WHEN NOT isfinite(${value}) THEN NULL
    WHEN ${micros} % 1000000 = 0 THEN ${shown(SECONDS)}
    WHEN ${micros} % 1000 = 0 THEN ${shown(MILLISECONDS)}
    ELSE ${shown(MICROSECONDS)}
  END`
}

function timeText(value: string): string {
  const text = `CAST(${value} AS VARCHAR)`
  return `CASE WHEN microsecond(${value}) % 1000000 = 0 THEN ${text} ELSE rpad(${text}, 15, '0') END`
}

function decimalText(value: string, width: number, scale: number): string {
  const text = `CAST(${value} AS VARCHAR)`
  if (width > scale) return text
  // A DECIMAL without integer digits is written `.5`, which no JSON or CSV reader has to take.
  return `regexp_replace(${text}, '^(-?)\\.', '\\10.')`
}

// DuckDB's JSON takes NaN, Inf and Infinity, in any case, for numbers and writes them out again. This finds all of
// them, and some text that only looks so.
const NOT_A_NUMBER = `'(?:^|[-:,\\[\\s])(?:nan|inf)'`

/** JSON text, minified, with null in place of the numbers that are none. Strings that say "NaN" stay. */
function jsonValue(value: string): string {
  const pieces = `regexp_extract_all(CAST(to_json(${value}) AS VARCHAR), '"(?:[^"\\\\]|\\\\.)*"|[^"]+')`
  const clean = `regexp_replace(piece, '-?(?:nan|inf(?:inity)?)', 'null', 'gi')`
  const kept = `CASE WHEN starts_with(piece, '"') THEN piece ELSE ${clean} END`
  const cleaned = `list_transform(${pieces}, lambda piece: ${kept})`
  return `CASE
    WHEN regexp_matches(CAST(${value} AS VARCHAR), ${NOT_A_NUMBER}, 'i')
    THEN CAST(array_to_string(${cleaned}, '') AS JSON)
    ELSE ${value}
  END`
}

function jsonScalar(value: string, type: DuckDBType, digits: Digits): string {
  if (isJson(type)) return jsonValue(value)
  switch (type.typeId) {
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.DATE:
      return finite(value)
    case DuckDBTypeId.FLOAT:
      // to_json would write all the digits of the DOUBLE that is nearest to it.
      return finite(value, `CAST(CAST(${value} AS VARCHAR) AS DOUBLE)`)
    case DuckDBTypeId.DECIMAL:
      return decimalText(value, type.width, type.scale)
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return timestampText(value, type, digits)
    case DuckDBTypeId.TIME:
      return timeText(value)
    case DuckDBTypeId.BLOB:
      return `base64(${value})`
    default:
      return value
  }
}

/** Values that `to_json` writes by this API's rules. */
export function jsonForms(digits: Digits): Forms {
  return {
    scalar: (value, type) => jsonScalar(value, type, digits),
    // A key has no null to become, so what has no JSON value keeps DuckDB's own text.
    key: (value, type) => {
      const form = jsonScalar(value, type, digits)
      if (form === value) return value
      return `coalesce(CAST(${form} AS VARCHAR), CAST(${value} AS VARCHAR))`
    },
  }
}

/** A value as the text of a CSV field, before quoting; SQL NULL for null. */
export function fieldText(value: string, type: DuckDBType, digits: Digits): string {
  const form = rewrite(value, type, jsonForms(digits))
  switch (type.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.STRUCT:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.FLOAT:
      return `CAST(to_json(${form}) AS VARCHAR)`
    default:
      return `CAST(${isJson(type) ? `to_json(${form})` : form} AS VARCHAR)`
  }
}

/** Types whose field can hold a comma, a quote, a line break or a blank at its ends. */
export function mayNeedQuotes(type: DuckDBType): boolean {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.ENUM:
    case DuckDBTypeId.BLOB:
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.STRUCT:
    case DuckDBTypeId.MAP:
      return true
    default:
      return false
  }
}

/** Parquet would store a 128-bit integer as a DOUBLE. One of more than 38 digits fails the query. */
function integerDecimal(value: string, type: DuckDBType): string {
  const wide = type.typeId === DuckDBTypeId.HUGEINT || type.typeId === DuckDBTypeId.UHUGEINT
  return wide ? `CAST(${value} AS DECIMAL(38, 0))` : value
}

/** Values for the typed formats: they keep their type wherever Arrow and Parquet both have it. */
export const typedForms: Forms = {
  // NaN among keys stays: a key has no null to become.
  key: integerDecimal,
  scalar(value, type) {
    if (isJson(type)) return `to_json(${jsonValue(value)})`
    switch (type.typeId) {
      case DuckDBTypeId.DOUBLE:
      case DuckDBTypeId.FLOAT:
      case DuckDBTypeId.DATE:
      case DuckDBTypeId.TIMESTAMP:
      case DuckDBTypeId.TIMESTAMP_S:
      case DuckDBTypeId.TIMESTAMP_MS:
      case DuckDBTypeId.TIMESTAMP_NS:
      case DuckDBTypeId.TIMESTAMP_TZ:
        return finite(value)
      default:
        return integerDecimal(value, type)
    }
  },
}
