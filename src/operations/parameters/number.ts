import { Type } from 'typebox'
import { type Bound, decimal, integer } from '../../engine/bind.ts'
import { grammar } from './kinds.ts'
import type { Parameter, Parameters } from './parameter.ts'
import { type Parsed, refused, unfit } from './problem.ts'

/** Parameters that are numbers. They are exact decimals, never doubles. */

/** An exact decimal: `unscaled` / 10^`scale`. */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

const DIGITS_MAX = 38
const EXPONENT_MAX = 18
const NOTATION = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/

/** Parses decimal notation with an optional exponent, such as `5`, `-.5` or `1e-05`. */
export function parseDecimal(text: string): Parsed<Decimal> {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NOTATION.exec(text) ?? []
  const digits = `${whole}${fraction}`
  if (digits === '') return unfit(text, 'a number')
  if (digits.length > DIGITS_MAX)
    return refused(`has ${digits.length} digits, at most ${DIGITS_MAX} are allowed`)
  if (Math.abs(Number(exponent)) > EXPONENT_MAX)
    return refused(`has the exponent ${Number(exponent)}, at most ±${EXPONENT_MAX} is allowed`)
  const unscaled = BigInt(`${sign === '-' ? '-' : ''}${digits}`)
  const scale = fraction.length - Number(exponent)
  return { value: scale < 0 ? { unscaled: unscaled * 10n ** BigInt(-scale), scale: 0 } : { unscaled, scale } }
}

/** Compares two decimals for a sort: below 0, 0 or above 0. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale)
  const atScale = ({ unscaled, scale: own }: Decimal) => unscaled * 10n ** BigInt(scale - own)
  const [left, right] = [atScale(one), atScale(other)] as const
  return Number(left > right) - Number(left < right)
}

/** Decimal places that a filter compares. No value is shown with more. */
const PLACES = 10
/** The largest unscaled value that a DECIMAL(38, 10) and what it is compared with can hold. */
const UNSCALED_MAX = 10n ** 27n

/**
 * Places of the columns of dollars, and of most bounds. DuckDB compares a column with a decimal of more places, or of more than 18
 * digits, by converting each value of the column, which takes longer than all else that a scan does.
 */
const FEW_PLACES = 4
const FEW = 10n ** BigInt(PLACES - FEW_PLACES)

/** The exact decimal `units` × 10^-10. */
const atFewestPlaces = (units: bigint): Bound =>
  units % FEW === 0n ? decimal(units / FEW, FEW_PLACES) : decimal(units, PLACES)

/** A bound rounded to the 10 places that are compared: a lower bound up, an upper bound down. */
export function atTenPlaces({ unscaled, scale }: Decimal, side: 'min' | 'max'): bigint {
  if (scale <= PLACES) return clamped(unscaled * 10n ** BigInt(PLACES - scale), UNSCALED_MAX)
  const divisor = 10n ** BigInt(scale - PLACES)
  const towardsZero = unscaled / divisor
  const rest = unscaled % divisor
  const up = side === 'min' && rest > 0n ? 1n : side === 'max' && rest < 0n ? -1n : 0n
  return clamped(towardsZero + up, UNSCALED_MAX)
}

const clamped = (value: bigint, most: bigint) => (value > most ? most : value < -most ? -most : value)

const LARGEST = 2n ** 63n - 1n

/** The values of a bound: an integer or any number, and its limits, inclusive. */
export interface NumberKind {
  readonly integer?: boolean
  readonly least?: number
  readonly most?: number
}

/** A number in decimal notation. An integer has only digits, and a sign if it can be negative. */
function parseNumber(text: string, { integer: whole, least, most }: NumberKind): Parsed<Decimal> {
  if (whole && !/^-?\d+$/.test(text)) return unfit(text, 'a whole number')
  const parsed = parseDecimal(text)
  if ('problems' in parsed) return parsed
  const of = (bound: number): Decimal => (parseDecimal(String(bound)) as { value: Decimal }).value
  if (least !== undefined && compareDecimals(parsed.value, of(least)) < 0)
    return refused(`is ${text}, at least ${least} is allowed`)
  if (most !== undefined && compareDecimals(parsed.value, of(most)) > 0)
    return refused(`is ${text}, at most ${most} is allowed`)
  return parsed
}

/** The bounds of a number in JSON Schema: its own ones, or those of what the notation can express. */
function limits({ integer: whole, least, most }: NumberKind) {
  const beyond = 10 ** (DIGITS_MAX + (whole ? 0 : EXPONENT_MAX))
  return {
    ...(least === undefined ? { exclusiveMinimum: -beyond } : { minimum: least }),
    ...(most === undefined ? { exclusiveMaximum: beyond } : { maximum: most }),
  }
}

const schemaOf = (kind: NumberKind) => (kind.integer ? Type.Integer(limits(kind)) : Type.Number(limits(kind)))

/** A whole number, at most 2^53 − 1: larger ones are replaced by it. */
export const count = (about: {
  readonly description: string
  readonly example: string
  readonly least: number
  readonly most?: number
}): Parameter<number | null> =>
  grammar({ ...about, schema: schemaOf({ ...about, integer: true }), bind: integer }, text => {
    const parsed = parseNumber(text, { ...about, integer: true })
    return 'problems' in parsed
      ? parsed
      : { value: Number(clamped(parsed.value.unscaled, BigInt(Number.MAX_SAFE_INTEGER))) }
  })

/** An inclusive lower or upper bound on a value as shown. */
export function bound(
  side: 'min' | 'max',
  about: { readonly description: string; readonly example: string } & NumberKind,
): Parameter<Decimal | null> {
  const bind = (value: Decimal | null) =>
    value === null
      ? decimal(null, PLACES)
      : about.integer
        ? integer(clamped(value.unscaled, LARGEST))
        : atFewestPlaces(atTenPlaces(value, side))
  return grammar({ ...about, schema: schemaOf(about), bind }, text => parseNumber(text, about))
}

/** What a pair of bounds is about: a phrase such as "days to expiry", an example, and limits. */
export type RangeFilter = { readonly of: string; readonly example: string } & NumberKind

/** `min_<stem>` and `max_<stem>` of each filter of a table: inclusive bounds on a value as shown. */
export function ranges<Stem extends string>(filters: Readonly<Record<Stem, RangeFilter>>) {
  const sides = Object.entries<RangeFilter>(filters).flatMap(([stem, { of, ...about }]) =>
    (
      [
        ['min', 'Minimum'],
        ['max', 'Maximum'],
      ] as const
    ).map(([side, phrase]) => [
      `${side}_${stem}`,
      bound(side, { ...about, description: `${phrase} ${of}, inclusive.` }),
    ]),
  )
  return Object.fromEntries(sides) as Readonly<
    Record<`min_${Stem}` | `max_${Stem}`, Parameter<Decimal | null>>
  >
}

/** `limit`: from 1 to `most`, with a default. */
export const limit = (most: number, standard: number): Parameter<number> =>
  withDefault(
    count({ description: 'Maximum number of records.', example: String(standard), least: 1, most }),
    standard,
  )

export const OFFSET_MAX = 1_000_000

/** The records before the `page` of a request; 0 without one. */
export const offsetOf = (
  { parameters }: { readonly parameters: Parameters },
  { page: number, limit: rows }: Readonly<Record<string, unknown>>,
): number =>
  typeof number === 'number' && typeof rows === 'number'
    ? (number - Number(parameters.page?.absent)) * rows
    : 0

/** `page`: from `first` on. */
export const page = (first = 0): Parameter<number> =>
  withDefault(
    count({
      description: `Page of \`limit\` records; the first page is ${first}. At most ${OFFSET_MAX} records can precede it.`,
      example: String(first),
      least: first,
      most: first + OFFSET_MAX,
    }),
    first,
  )

function withDefault(parameter: Parameter<number | null>, value: number): Parameter<number> {
  return {
    ...(parameter as Parameter<number>),
    description: `${parameter.description} Default: ${value}.`,
    schema: { ...parameter.schema, default: value },
    absent: value,
  }
}
