import { compareDecimals, type Decimal } from '../parameters/number.ts'
import type { Fault, Parameters } from '../parameters/parameter.ts'
import type { OlderThan } from '../parameters/time.ts'
import { onceFor } from './names.ts'

/** Pairs of bounds: the beginnings of their names, and what an upper bound is if the lower one is above it. */
const PAIRS = [
  { lower: 'min_', upper: 'max_', crossed: 'below' },
  { lower: 'newer_', upper: 'older_', crossed: 'before' },
  { lower: 'start_', upper: 'end_', crossed: 'before' },
] as const

/**
 * Each lower bound that is above its upper one. Without a value, or with a faulty one, a bound is skipped. The example
 * has the texts that were `sent`, exchanged: each is valid for the other bound.
 */
export function crossedBounds(
  parameters: Parameters,
  values: Readonly<Record<string, unknown>>,
  sent: (name: string) => string,
): Fault[] {
  return pairsOf(parameters)
    .filter(({ least, most }) => isAbove(values[least], values[most]))
    .map(({ least, most, crossed }) => ({
      in: 'query',
      name: most,
      problem: `is ${crossed} ${least}`,
      example: `${least}=${inQuery(withoutPosition(sent(most)))}&${most}=${inQuery(sent(least))}`,
    }))
}

/** The pairs of bounds that an operation has. */
const pairsOf = onceFor(parameters =>
  PAIRS.flatMap(({ lower, upper, crossed }) =>
    Object.keys(parameters)
      .filter(name => name.startsWith(lower))
      .map(least => ({ least, most: `${upper}${least.slice(lower.length)}`, crossed }))
      .filter(({ most }) => most in parameters),
  ),
)

/** `older_than` may have a position among records of its time, which `newer_than` has not. */
const withoutPosition = (text: string) => text.replace(/\/\d+$/, '')

function isAbove(least: unknown, bound: unknown): boolean {
  if (least == null || bound == null) return false
  const most = isOlderThan(bound) ? bound.time : bound
  if (isDecimal(least) && isDecimal(most)) return compareDecimals(least, most) > 0
  const [from, to] = [timeOf(least), timeOf(most)]
  if (from !== null && to !== null) return from > to
  return typeof least === 'string' && typeof most === 'string' && least > most
}

/** A time, or that of a place among records of one time. */
function timeOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value
  return typeof value === 'object' && value !== null && 'time' in value ? timeOf(value.time) : null
}

const isDecimal = (value: unknown): value is Decimal =>
  typeof value === 'object' && value !== null && 'unscaled' in value

const isOlderThan = (value: unknown): value is OlderThan =>
  typeof value === 'object' && value !== null && 'passed' in value

/** A text in the query of an address, where a `+` is a blank. */
export const inQuery = (text: string) =>
  encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',')
