import fc from 'fast-check'

/** A value in SQL, and what must come of it. */
export interface Sample {
  /** An expression of the shape's type. */
  readonly sql: string
  /** What JSON.parse must give; for `toEqual`. */
  readonly json: unknown
  /**
   * What a reader of Arrow must give: bigint for 64-bit integers and for ticks of time, days of a date, text of a
   * decimal, hexadecimal text of bytes, arrays of lists, structs and (in pairs) maps.
   */
  readonly typed: unknown
}

/** A SQL type, with random values of it. */
export interface Shape {
  readonly type: string
  readonly sample: fc.Arbitrary<Sample>
}

/** `ticks` since 1970 as an instant, with as many digits of a second. Floor division, so that it holds before 1970. */
export function isoInstant(ticks: bigint, ticksASecond: bigint, digits: number): string {
  const fraction = ((ticks % ticksASecond) + ticksASecond) % ticksASecond
  const whole = new Date(Number((ticks - fraction) / ticksASecond) * 1000).toISOString().slice(0, 19)
  if (digits === 0) return `${whole}Z`
  const width = String(ticksASecond).length - 1
  return `${whole}.${String(fraction).padStart(width, '0').slice(0, digits)}Z`
}

/** The fewest of 0, 3 and 6 digits that lose nothing of whole microseconds. */
export function fewestDigits(micros: bigint): number {
  if (micros % 1_000_000n === 0n) return 0
  return micros % 1_000n === 0n ? 3 : 6
}

/** A decimal in plain notation, of its unscaled value. */
export function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const sign = unscaled < 0n ? '-' : ''
  if (scale === 0) return `${sign}${digits}`
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/**
 * Matches a number of at most 9 digits, which a float never needs more of, that is this float. DuckDB writes whole
 * numbers of ten digits out in full (-4253999872), which is the float exactly.
 */
const float = (value: number) => ({
  asymmetricMatch: (other: unknown) =>
    typeof other === 'number' &&
    Math.fround(other) === value &&
    (Number(other.toPrecision(9)) === other || (other === value && Number.isInteger(other))),
})

const scalar = <T>(
  type: string,
  arbitrary: fc.Arbitrary<T>,
  sql: (value: T) => string,
  json: (value: T) => unknown,
  typed: (value: T) => unknown = json,
): Shape => ({
  type,
  sample: arbitrary.map(value => ({ sql: sql(value), json: json(value), typed: typed(value) })),
})

// String(-0) is '0'.
const written = (value: number) => (Object.is(value, -0) ? '-0.0' : String(value))
const finite = (value: number) => (Number.isFinite(value) ? value : null)

function integer(type: string, min: bigint, max: bigint, typed: (value: bigint) => unknown): Shape {
  const arbitrary = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max))
  return scalar(type, arbitrary, value => `'${value}'::${type}`, Number, typed)
}

function decimal(width: number, scale: number): Shape {
  const max = 10n ** BigInt(width) - 1n
  const type = `DECIMAL(${width}, ${scale})`
  const arbitrary = fc.oneof(fc.bigInt({ min: -max, max }), fc.constantFrom(-max, max, 0n, -1n))
  const shown = (value: bigint) => decimalText(value, scale)
  return scalar(type, arbitrary, value => `'${shown(value)}'::${type}`, shown)
}

// The years 1 to 9999, where everyone prints four digits.
const SECONDS_MIN = -62_135_596_800n
const SECONDS_MAX = 253_402_300_799n
const MICROS = 1_000_000n
const seconds = fc.oneof(
  fc.bigInt({ min: SECONDS_MIN, max: SECONDS_MAX }),
  fc.constantFrom(-1n, 0n, SECONDS_MIN, SECONDS_MAX),
)
const fractions = (ticks: bigint) =>
  fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: ticks - 1n }),
    fc.constantFrom(1n, ticks - 1n, ticks / 2n),
  )
const instants = (ticks: bigint) =>
  fc.tuple(seconds, fractions(ticks)).map(([whole, fraction]) => whole * ticks + fraction)
const micros = fc.oneof(
  instants(MICROS),
  instants(1000n).map(millis => millis * 1000n),
)

function timestamp(type: 'TIMESTAMP' | 'TIMESTAMPTZ'): Shape {
  return scalar(
    type,
    fc.option(micros, { nil: null, freq: 9 }),
    value => (value === null ? `'-infinity'::${type}` : `make_${type.toLowerCase()}(${value})`),
    value => (value === null ? null : isoInstant(value, MICROS, fewestDigits(value))),
    value => value,
  )
}

const TIMES: readonly Shape[] = [
  scalar(
    'DATE',
    fc.option(fc.integer({ min: -719_162, max: 2_932_896 }), { nil: null, freq: 9 }),
    days => (days === null ? `'infinity'::DATE` : `(DATE '1970-01-01' + (${days}))`),
    days => (days === null ? null : new Date(days * 86_400_000).toISOString().slice(0, 10)),
    days => days,
  ),
  scalar(
    'TIME',
    fc.oneof(
      fc.bigInt({ min: 0n, max: 86_400n * MICROS - 1n }),
      fc.bigInt({ min: 0n, max: 86_399n }).map(whole => whole * MICROS),
    ),
    value => `'${isoInstant(value, MICROS, 6).slice(11, -1)}'::TIME`,
    value => isoInstant(value, MICROS, value % MICROS === 0n ? 0 : 6).slice(11, -1),
    value => value,
  ),
  timestamp('TIMESTAMP'),
  timestamp('TIMESTAMPTZ'),
  scalar(
    'TIMESTAMP_S',
    seconds,
    value => `make_timestamp(${value * MICROS})::TIMESTAMP_S`,
    value => isoInstant(value, 1n, 0),
    value => value * MICROS,
  ),
  scalar(
    'TIMESTAMP_MS',
    instants(1000n),
    value => `make_timestamp(${value * 1000n})::TIMESTAMP_MS`,
    value => isoInstant(value, 1000n, 3),
    value => value * 1000n,
  ),
  scalar(
    'TIMESTAMP_NS',
    fc.oneof(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), fc.constantFrom(-1n, 1n, -1_000_000_001n)),
    value => `make_timestamp_ns(${value})`,
    value => {
      const whole = (value - (((value % 1000n) + 1000n) % 1000n)) / 1000n
      return isoInstant(whole, MICROS, fewestDigits(whole))
    },
    value => value,
  ),
]

export const TEXT: Shape = scalar(
  'VARCHAR',
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('', ' ', '"', 'NaN', 'null', ',', 'a\r\nb', '\t', '\u0000', '😀\u2028'),
  ),
  // Through bytes, so that no quoting rule of SQL meets control characters.
  value => `decode(unhex('${Buffer.from(value).toString('hex')}'))`,
  value => value,
)

const ENUM = `ENUM('', 'a,b', 'c"d')`

export const SCALARS: readonly Shape[] = [
  scalar('BOOLEAN', fc.boolean(), String, value => value),
  integer('TINYINT', -(2n ** 7n), 2n ** 7n - 1n, Number),
  integer('SMALLINT', -(2n ** 15n), 2n ** 15n - 1n, Number),
  integer('INTEGER', -(2n ** 31n), 2n ** 31n - 1n, Number),
  integer('BIGINT', -(2n ** 63n), 2n ** 63n - 1n, value => value),
  integer('UTINYINT', 0n, 2n ** 8n - 1n, Number),
  integer('USMALLINT', 0n, 2n ** 16n - 1n, Number),
  integer('UINTEGER', 0n, 2n ** 32n - 1n, Number),
  integer('UBIGINT', 0n, 2n ** 64n - 1n, value => value),
  integer('HUGEINT', 1n - 10n ** 38n, 10n ** 38n - 1n, String),
  integer('UHUGEINT', 0n, 10n ** 38n - 1n, String),
  decimal(4, 2),
  decimal(4, 4),
  decimal(5, 1),
  decimal(9, 3),
  decimal(10, 10),
  decimal(18, 6),
  decimal(18, 0),
  decimal(19, 6),
  decimal(38, 10),
  decimal(38, 38),
  scalar('DOUBLE', fc.double(), value => `'${written(value)}'::DOUBLE`, finite),
  scalar(
    'FLOAT',
    fc.float(),
    value => `'${written(value)}'::FLOAT`,
    value => (Number.isFinite(value) ? float(value) : null),
    finite,
  ),
  TEXT,
  scalar(
    ENUM,
    fc.constantFrom('', 'a,b', 'c"d'),
    value => `'${value}'::${ENUM}`,
    value => value,
  ),
  scalar(
    'UUID',
    fc.uuid(),
    value => `'${value}'::UUID`,
    value => value,
  ),
  scalar(
    'BLOB',
    fc.uint8Array({ maxLength: 20 }),
    value => `unhex('${Buffer.from(value).toString('hex')}')`,
    value => Buffer.from(value).toString('base64'),
    value => Buffer.from(value).toString('hex'),
  ),
  ...TIMES,
]
