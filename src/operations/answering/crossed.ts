import { compareDecimals, type Decimal } from '../parameters/number.ts'
import type { Fault, Parameters } from '../parameters/parameter.ts'
import type { OlderThan } from '../parameters/time.ts'
import { onceFor } from './names.ts'

interface Pair {
  /** How the names of its bounds begin. */
  readonly lower: string
  readonly upper: string
  /** What an upper bound is if the lower one is above it. */
  readonly crossed: string
  /** A method, whose arguments TypeScript compares both ways: so pairs of all types fit into one table. */
  isAbove(lower: unknown, upper: unknown): boolean
}

/** The pairs of bounds. All bounds whose names begin in the same way have values of the same type. */
const PAIRS: readonly Pair[] = [
  {
    lower: 'min_',
    upper: 'max_',
    crossed: 'below',
    isAbove: (min: Decimal, max: Decimal) => compareDecimals(min, max) > 0,
  },
  {
    lower: 'newer_',
    upper: 'older_',
    crossed: 'before',
    isAbove: (newer: bigint, older: OlderThan) => newer > older.time,
  },
  {
    lower: 'start_',
    upper: 'end_',
    crossed: 'before',
    isAbove: (start: string, end: string) => start > end,
  },
]

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
    .filter(
      ({ least, most, isAbove }) =>
        values[least] != null && values[most] != null && isAbove(values[least], values[most]),
    )
    .map(({ least, most, crossed }) => ({
      in: 'query',
      name: most,
      problem: `is ${crossed} ${least}`,
      example: `${least}=${inQuery(withoutPosition(sent(most)))}&${most}=${inQuery(sent(least))}`,
    }))
}

/** The lower bounds of an operation, each with the name of its upper one, which may be no parameter and has no value. */
const pairsOf = onceFor(parameters =>
  PAIRS.flatMap(({ lower, upper, ...pair }) =>
    Object.keys(parameters)
      .filter(name => name.startsWith(lower))
      .map(least => ({ least, most: `${upper}${least.slice(lower.length)}`, ...pair })),
  ),
)

/** `older_than` may have a position among records of its time, which `newer_than` has not. */
const withoutPosition = (text: string) => text.replace(/\/\d+$/, '')

/** A text in the query of an address, where a `+` is a blank. */
export const inQuery = (text: string) =>
  encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',')
