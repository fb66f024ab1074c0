import {
  BIGINT,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBDateValue,
  DuckDBDecimalValue,
  type DuckDBPreparedStatement,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBUUIDValue,
  type DuckDBValue,
  LIST,
  listValue,
  TIMESTAMP,
  VARCHAR,
} from '@duckdb/node-api'
import { DAY_MS, epochMsOf } from '../market/day.ts'
import type { ComputedColumns } from './computed-columns.ts'
import { Failure } from './failure.ts'

/** A value for one named parameter of a template, and the SQL type that it is bound as. */
export interface Bound {
  readonly type: DuckDBType
  readonly value: DuckDBValue
  /** Only for a list of files: `mixed` if some lack columns that the first one has. */
  readonly files?: 'alike' | 'mixed'
  /** Only for a list of files: their size. */
  readonly bytes?: number
  /** Only for files of which some lack columns: those that are computed when they are read. */
  readonly computed?: ComputedColumns | null
  /** Only for a list of values: whether few different ones occur in requests. Default: many do. */
  readonly isOfFew?: boolean
}

/** Values of a template's named parameters: `{ticker: text('AAPL')}` binds `$ticker`. */
export type Bindings = Readonly<Record<string, Bound>>

const dateValue = (day: string) => new DuckDBDateValue(epochMsOf(day) / DAY_MS)

const orNull = <T>(value: T | null, make: (value: T) => DuckDBValue): DuckDBValue =>
  value === null ? null : make(value)

export const text = (value: string | null): Bound => ({ type: VARCHAR, value })
export const integer = (value: bigint | number | null): Bound => ({
  type: BIGINT,
  value: orNull(value, BigInt),
})
/** Decimals of fewer units, which are of at most 18 digits, are kept in 64 bits by DuckDB. */
const UNITS_IN_64_BITS = 10n ** 18n

/** The exact decimal `unscaled` × 10^-`scale`, at most 38 digits. */
export function decimal(unscaled: bigint | null, scale: number): Bound {
  const isShort = unscaled !== null && unscaled < UNITS_IN_64_BITS && -unscaled < UNITS_IN_64_BITS
  const width = isShort ? 18 : 38
  return {
    type: DECIMAL(width, scale),
    value: orNull(unscaled, units => new DuckDBDecimalValue(units, width, scale)),
  }
}
export const double = (value: number | null): Bound => ({ type: DOUBLE, value })
export const boolean = (value: boolean | null): Bound => ({ type: BOOLEAN, value })

/** A calendar date, `YYYY-MM-DD`. */
export const date = (value: string | null): Bound => ({
  type: DATE,
  value: orNull(value, dateValue),
})

/** An instant in milliseconds since 1970-01-01 UTC, bound as a TIMESTAMP in UTC. */
export const instant = (epochMs: number | null): Bound => ({
  type: TIMESTAMP,
  value: orNull(epochMs, ms => new DuckDBTimestampValue(BigInt(ms) * 1000n)),
})

/** An instant in microseconds since 1970-01-01 UTC, bound as a TIMESTAMP in UTC. */
export const microInstant = (epochMicros: bigint | null): Bound => ({
  type: TIMESTAMP,
  value: orNull(epochMicros, micros => new DuckDBTimestampValue(micros)),
})

/** Instants in milliseconds since 1970-01-01 UTC, bound as a list of TIMESTAMP in UTC. */
export const instants = (values: readonly number[]): Bound => ({
  type: LIST(TIMESTAMP),
  value: listValue(values.map(epochMs => new DuckDBTimestampValue(BigInt(epochMs) * 1000n))),
})

export const texts = (values: readonly string[]): Bound => ({
  type: LIST(VARCHAR),
  value: listValue([...values]),
})
/** A list of which few different ones occur: it may be a part of a statement that is planned once. */
export const ofFew = (list: Bound): Bound => ({ ...list, isOfFew: true })
export const integers = (values: readonly (number | null)[]): Bound => ({
  type: LIST(BIGINT),
  value: listValue(values.map(value => orNull(value, BigInt))),
})
export const dates = (values: readonly string[]): Bound => ({
  type: LIST(DATE),
  value: listValue(values.map(dateValue)),
})

/** Parquet files for `read_parquet($dataset)`, which rejects an empty list: bind the dataset's empty file instead. */
export function files(
  paths: readonly string[],
  columns: 'alike' | 'mixed' = 'alike',
  computed: ComputedColumns | null = null,
): Bound {
  if (paths.length === 0)
    throw new Error('an empty list of files cannot be bound: bind the empty file of the dataset')
  return { ...texts(paths), files: columns, ...(columns === 'mixed' ? { computed } : {}) }
}

/** Binds every parameter of `statement`. A parameter without a value in `bindings` is bound to NULL. */
export function bindAll(statement: DuckDBPreparedStatement, bindings: Bindings): void {
  for (let index = 1; index <= statement.parameterCount; index += 1) {
    const bound = bindings[statement.parameterName(index)]
    if (bound === undefined || bound.value === null) statement.bindNull(index)
    else statement.bindValue(index, bound.value, bound.type)
  }
}

/** A value of a result as a value to bind. A UUID is bound as text. */
export const boundOf = (value: DuckDBValue, type: DuckDBType | undefined): Bound =>
  value instanceof DuckDBUUIDValue || type === undefined ? text(String(value)) : { type, value }

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`

/**
 * A bound value as a SQL literal, so that a filled-in template can be pasted into any DuckDB client. Throws `usage` for
 * a number that is not finite: SQL has no literal for it.
 */
export function literal(bound: Bound | undefined): string {
  if (bound === undefined || bound.value === null) return 'NULL'
  const { type, value } = bound
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Failure('usage', `${value} cannot be written as SQL: a number must be finite`)
  if (typeof value === 'object' && 'items' in value && Array.isArray(value.items)) {
    const element = (type as { valueType?: DuckDBType }).valueType ?? VARCHAR
    // In parentheses, so that a template can index it: brackets after a cast belong to the type.
    return `([${value.items.map(item => literal({ type: element, value: item })).join(', ')}]::${type})`
  }
  if (typeof value === 'object') return `${type} ${quoted(String(value))}`
  return `${value}::${type}`
}
