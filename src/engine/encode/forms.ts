import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import { type Forms, rewrite } from './rewrite.ts'
import { isJson } from './types.ts'

/** Fractional digits of a second in a timestamp: the fewest of 0, 3 and 6 that lose nothing, always 3, or always 6. */
export type Digits = 'fewest' | 'millis' | 'micros'

const unless = (condition: string, form: string) => `CASE WHEN ${condition} THEN ${form} END`

/** NaN and the infinities become null in every format. */
const finite = (value: string, form = value) => unless(`isfinite(${value})`, form)

/** The same instant as a TIMESTAMP: `strftime` misreads TIMESTAMP_S and TIMESTAMP_MS as nanoseconds. */
function plainTimestamp(value: string, type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.TIMESTAMP_TZ:
      // Unlike AT TIME ZONE, this depends on neither the session's time zone nor the ICU extension.
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
  // epoch_us rounds nanoseconds towards 1970, so earlier times would be one microsecond late.
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
  // DuckDB writes a DECIMAL without integer digits as `.5`, which is not valid JSON.
  return `regexp_replace(${text}, '^(-?)\\.', '\\10.')`
}

// DuckDB's JSON accepts NaN, Inf and Infinity, in upper and lower case, as numbers and writes them again. This matches
// all of them, and also some strings that only look like them.
const NOT_A_NUMBER = `'(?:^|[-:,\\[\\s])(?:nan|inf)'`

/** Minified JSON text with null in place of NaN and the infinities. Strings such as "NaN" stay. */
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
      // to_json would write all digits of the nearest DOUBLE.
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

/** Rewrites values so that `to_json` writes them by the rules of this API. */
export function jsonForms(digits: Digits): Forms {
  return {
    scalar: (value, type) => jsonScalar(value, type, digits),
    // A key cannot be null, so a key that would become null keeps DuckDB's text.
    key: (value, type) => {
      const form = jsonScalar(value, type, digits)
      if (form === value) return value
      return `coalesce(CAST(${form} AS VARCHAR), CAST(${value} AS VARCHAR))`
    },
  }
}

/** Minifies JSON, as all formats have it, and leaves other values as they are. */
export const minifiedForms: Forms = {
  key: value => value,
  scalar: (value, type) => (isJson(type) ? `to_json(${jsonValue(value)})` : value),
}

/** SQL of a value as the text of a CSV field, before quoting; NULL for null. */
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

/** Whether text of this type can contain a comma, a quote, a line break, or a space at its start or end. */
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

/** DuckDB writes a 128-bit integer to Parquet as a DOUBLE, hence the cast. More than 38 digits fail the query. */
function integerDecimal(value: string, type: DuckDBType): string {
  const wide = type.typeId === DuckDBTypeId.HUGEINT || type.typeId === DuckDBTypeId.UHUGEINT
  return wide ? `CAST(${value} AS DECIMAL(38, 0))` : value
}

/** A cast would depend on the session's time zone. */
const zoned = (value: string) => `make_timestamptz(epoch_us(${value}))`

/** Keys must not be null and stay distinct, so NaN stays, and infinity is cast. */
function typedKey(value: string, type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.UUID:
      return `CAST(${value} AS VARCHAR)`
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
      return `coalesce(${zoned(value)}, CAST(${value} AS TIMESTAMPTZ))`
    default:
      return integerDecimal(value, type)
  }
}

/**
 * Rewrites values for Arrow and Parquet. Values keep their type if all common readers agree on it. They do not agree on
 * UUID and JSON, which become text, and on times without a zone, which become TIMESTAMPTZ: stored times are UTC. There
 * is no such type for nanoseconds, which no dataset has.
 */
export const typedForms: Forms = {
  key: typedKey,
  scalar(value, type) {
    if (isJson(type)) return `CAST(${minifiedForms.scalar(value, type)} AS VARCHAR)`
    switch (type.typeId) {
      case DuckDBTypeId.UUID:
        return `CAST(${value} AS VARCHAR)`
      case DuckDBTypeId.DOUBLE:
      case DuckDBTypeId.FLOAT:
      case DuckDBTypeId.DATE:
      case DuckDBTypeId.TIMESTAMP_NS:
      case DuckDBTypeId.TIMESTAMP_TZ:
        return finite(value)
      case DuckDBTypeId.TIMESTAMP:
      case DuckDBTypeId.TIMESTAMP_S:
      case DuckDBTypeId.TIMESTAMP_MS:
        return finite(value, zoned(value))
      default:
        return integerDecimal(value, type)
    }
  },
}
