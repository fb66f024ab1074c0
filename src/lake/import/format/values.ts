import { literal, text } from '../../../engine/bind.ts'
import type { Column } from '../../store/schema.ts'
import { identifier } from '../../store/sorted-files.ts'
import { isTicker, tickerValue } from './tickers.ts'
import { type Vocabulary, vocabularyOf } from './vocabularies.ts'

/** How text is converted to one type: SQL over an expression `x` that is non-blank text or NULL. */
interface Conversion {
  readonly value: (x: string) => string
  /** Checks in order: a condition on the text `x` and its value `v`, and the reason. */
  readonly faults: readonly (readonly [when: (x: string, v: string) => string, reason: Reason])[]
}

/** Why a value is refused; a function gives it as SQL over the text. */
type Reason = string | ((x: string) => string)

const unlike = (pattern: string) => (x: string) => `NOT regexp_full_match(${x}, '${pattern}')`
const notRead = (x: string, v: string) => `${x} IS NOT NULL AND ${v} IS NULL`
const castTo = (type: string) => (x: string) => `TRY_CAST(${x} AS ${type})`
/** A number may have an exponent (1e-05), of which a cast would round the digits away from zero. */
const numberTo = (type: string) => (x: string) => `TRY_CAST(without_exponent(${x}) AS ${type})`

const NUMBER = String.raw`-?\d+(\.\d+)?([eE][-+]?\d{1,2})?`
const TIME = String.raw`([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d+)?(Z|[+-]\d{2}(:?\d{2})?)?)?`

/** A number of the pattern: one check, since most numbers pass it. Others may have an exponent. */
const numeric = (pattern: string, otherwise: string): Conversion['faults'] => [
  [
    x =>
      `${unlike(pattern)(x)}
        AND (${unlike(NUMBER)(x)} OR ${unlike(String.raw`${pattern}|-?\d+\.`)(`without_exponent(${x})`)})`,
    x => `CASE WHEN ${unlike(NUMBER)(x)} THEN 'not a plain decimal number' ELSE '${otherwise}' END`,
  ],
  [notRead, 'too large'],
]

const WHOLE = numeric(String.raw`-?\d+(\.0+)?`, 'not a whole number')

// DuckDB's casts alone would accept 1e3, 0x10, 1_000 and 'infinity', round decimals, and ignore the zone of a
// TIMESTAMP.
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  VARCHAR: { value: x => x, faults: [] },
  INTEGER: { value: numberTo('INTEGER'), faults: WHOLE },
  BIGINT: { value: numberTo('BIGINT'), faults: WHOLE },
  DOUBLE: {
    value: castTo('DOUBLE'),
    faults: [
      [unlike(String.raw`-?\d+(\.\d+)?([eE][+-]?\d+)?`), 'not a number'],
      [(_, v) => `isinf(${v})`, 'too large'],
      [notRead, 'too large'],
    ],
  },
  DATE: {
    value: x => `TRY_CAST(left(${x}, 10) AS DATE)`,
    faults: [
      [unlike(String.raw`\d{4}-\d{2}-\d{2}([ T]00:00:00(\.0+)?)?`), 'not a date YYYY-MM-DD'],
      [notRead, 'invalid date'],
      [(_, v) => `${v} < DATE '0001-01-01'`, 'invalid date'],
    ],
  },
  TIMESTAMP: {
    // A time without a zone is UTC, which is the engine's time zone.
    // Without an offset, the cast of a TIMESTAMP has the same result in a fifth of the time.
    value: x =>
      `if(contains(${x}, '+') OR ${x} LIKE '%-%-%-%',
        TRY_CAST(${x} AS TIMESTAMPTZ) AT TIME ZONE 'UTC', TRY_CAST(${x} AS TIMESTAMP))`,
    faults: [
      [unlike(String.raw`\d{4}-\d{2}-\d{2}[ T]${TIME}`), 'not an ISO 8601 time'],
      [
        x => String.raw`strlen(${x}) > 26 AND regexp_matches(${x}, '\.\d{6}\d*[1-9]')`,
        'finer than a microsecond',
      ],
      [notRead, 'no such time'],
      [
        (_, v) => `${v} NOT BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'`,
        'no such time',
      ],
    ],
  },
  BOOLEAN: {
    value: castTo('BOOLEAN'),
    faults: [[unlike('(?i)true|false|1|0'), 'neither true nor false']],
  },
  UUID: {
    value: castTo('UUID'),
    faults: [
      [unlike('(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'), 'not a UUID'],
      [notRead, 'not a UUID'],
    ],
  },
}

const decimal = (type: string, places: string): Conversion => ({
  value: numberTo(type),
  faults: numeric(String.raw`-?\d+(\.\d{1,${places}}0*)?`, `more than ${places} decimals`),
})

/** A list is a JSON array, or in DuckDB's notation: `[a, b]`. */
function list(item: string): Conversion {
  const { value, faults } = conversionOf(item)
  const items = (x: string) =>
    item === 'VARCHAR'
      ? String.raw`CASE WHEN regexp_matches(${x}, '^\[\s*"') AND json_valid(${x})
        THEN TRY(from_json(${x}, '["VARCHAR"]')) ELSE TRY_CAST(${x} AS VARCHAR[]) END`
      : `TRY_CAST(${x} AS VARCHAR[])`
  const wrong = (x: string) => [`${x} IS NULL`, ...faults.map(([when]) => when(x, value(x)))].join(' OR ')
  return {
    value: x =>
      item === 'VARCHAR' ? items(x) : `list_transform(${items(x)}, lambda each: ${value('each')})`,
    faults: [
      [notRead, 'not a list'],
      [
        (x, v) =>
          item === 'VARCHAR'
            ? `len(list_filter(${v}, lambda each: each IS NULL)) > 0`
            : `len(list_filter(${items(x)}, lambda each: ${wrong('each')})) > 0`,
        'a list with a value that does not fit',
      ],
    ],
  }
}

const TICKER: Conversion = { value: tickerValue, faults: [] }

/** A blank text is no value, except where the vocabulary has one. */
const vocabulary = ({ values, value }: Vocabulary, nullable: boolean): Conversion => ({
  value,
  faults: [
    [
      (x, v) => `${notRead(x, v)}${nullable ? ` AND trim(${x}) <> ''` : ''}`,
      `not one of ${values.filter(each => each !== '').join(', ')}`,
    ],
  ],
})

function conversionFor(column: Column): Conversion {
  if (isTicker(column)) return TICKER
  const closed = vocabularyOf(column)
  return closed === null ? conversionOf(column.type) : vocabulary(closed, column.nullable)
}

function conversionOf(type: string): Conversion {
  if (type.endsWith('[]')) return list(type.slice(0, -2))
  const [, places] = /^DECIMAL\(\d+,(\d+)\)$/.exec(type) ?? []
  const conversion = places === undefined ? CONVERSIONS[type] : decimal(type, places)
  if (conversion === undefined) throw new Error(`there is no conversion of text to ${type}`)
  return conversion
}

/** Checks of values that already have their type, by type, except for lists. */
const TYPED_CHECKS: Readonly<Record<string, (v: string) => string>> = {
  DOUBLE: v => `NOT isfinite(${v})`,
  DATE: v => `${v} NOT BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'`,
  TIMESTAMP: v => `${v} NOT BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'`,
}

/**
 * One SELECT over `raw` of file, line, the columns in order, and `fault`: NULL, or the first defect of the row as
 * [column, reason, value]. `raw` has file, line, and each column as text or, if `hasOwnType`, in its own type.
 */
export function mappingSql(columns: readonly Column[], hasOwnType: (column: Column) => boolean): string {
  // A text of a vocabulary and a ticker are converted even if they are one.
  const isTyped = (column: Column) => vocabularyOf(column) === null && !isTicker(column) && hasOwnType(column)
  const valueName = (name: string) => identifier(`${name} as value`)
  const values = columns
    .filter(column => !isTyped(column))
    .map(column => `${conversionFor(column).value(identifier(column.name))} AS ${valueName(column.name)}`)
  const faults = columns.flatMap(column => {
    const { name, type, nullable } = column
    const [x, v] = [identifier(name), valueName(name)]
    const conditions: (readonly [string, Reason])[] = isTyped(column)
      ? [
          ...(TYPED_CHECKS[type] ? [[TYPED_CHECKS[type](x), 'out of range'] as const] : []),
          ...(type.endsWith('[]')
            ? [
                [
                  `len(list_filter(${x}, lambda each: each IS NULL)) > 0`,
                  'a list with a value that does not fit',
                ] as const,
              ]
            : []),
        ]
      : conversionFor(column).faults.map(([when, reason]) => [when(x, v), reason] as const)
    return [...(nullable ? [] : [[`${x} IS NULL`, 'missing'] as const]), ...conditions].map(
      ([when, reason]) =>
        `    WHEN ${when} THEN [${literal(text(name))}, ${typeof reason === 'string' ? literal(text(reason)) : reason(x)}, ${x}::VARCHAR]`,
    )
  })
  return `WITH typed AS (SELECT ${['*', ...values].join(',\n    ')} FROM raw)
SELECT
  file,
  line,
${columns.map(column => `  ${isTyped(column) ? identifier(column.name) : `${valueName(column.name)} AS ${identifier(column.name)}`},`).join('\n')}
  ${faults.length === 0 ? 'NULL' : `CASE\n${faults.join('\n')}\n  END`}::VARCHAR[] AS fault
FROM typed`
}
