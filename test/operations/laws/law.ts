import type fc from 'fast-check'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Base } from './bases.ts'
import { changed, type Question } from './question.ts'
import { type Whole, whole } from './whole.ts'

/**
 * What one case showed: `splits` if the filter kept some records and not all, `holds` if the law was tried on records,
 * `trivial` if there was nothing to try it on.
 */
export type Outcome = 'splits' | 'holds' | 'trivial'

/** Draws a random value. */
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T

/** A law of all operations, which is tried on each of its subjects: a filter, a sort name, or the whole operation. */
export interface Law {
  readonly name: string
  /** What holds. */
  readonly what: string
  readonly subjects: (operation: Operation) => readonly string[]
  /** Its cases, as a multiple of those of other laws. Default: 1. */
  readonly weight?: number
  /** Whether a case can keep some records and not all. Default: true; more cases are tried until one does. */
  readonly divides?: false
  /** Whether questions that it is tried on have the subject. Default: they lack it. */
  readonly isAsked?: true
  /** Tries one random case. Rejects if the law is broken. */
  readonly check: (base: Base, subject: string, draw: Draw) => Promise<Outcome>
}

/** The whole answer to the question of a base with other parameters. */
export const asked = (
  { lake, operation, question }: Base,
  changes: Readonly<Record<string, readonly string[] | string | null>>,
): Promise<Whole> => whole(lake, operation, changed(question, changes))

const SHOWN_MAX = 3

/** A broken law: which, with which questions, and the records that one answer has and the other lacks. */
export function broken(
  rule: string,
  { lake, operation, question }: Base,
  changes: Question,
  got: readonly string[],
  wanted: readonly string[],
): Error {
  const [extra, missing] = [without(got, wanted), without(wanted, got)]
  const shown = (texts: readonly string[]) => texts.slice(0, SHOWN_MAX).join('\n    ')
  const at = got.findIndex((text, index) => text !== wanted[index])
  return new Error(
    [
      `${operation.id} on ${lake.name}: ${rule}`,
      `  question: ${JSON.stringify(question)} with ${JSON.stringify(changes)}`,
      `  ${got.length} records, expected ${wanted.length}`,
      extra.length > 0 ? `  ${extra.length} that should not be there:\n    ${shown(extra)}` : '',
      missing.length > 0 ? `  ${missing.length} missing:\n    ${shown(missing)}` : '',
      extra.length + missing.length === 0 ? `  another order from record ${at} on:\n    ${got[at]}` : '',
    ]
      .filter(line => line !== '')
      .join('\n'),
  )
}

/** The texts of one list that another lacks, counting how often each occurs. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1)
  return texts.filter(text => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}

export const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])

/** Whether the records of one answer are among those of another, in the same order. */
export function isPart(part: readonly string[], all: readonly string[]): boolean {
  let at = 0
  for (const text of part) {
    at = all.indexOf(text, at) + 1
    if (at === 0) return false
  }
  return true
}

/** The outcome of a filter that kept `kept` of the records of a base. */
export const outcomeOf = (kept: number, all: number): Outcome =>
  all === 0 ? 'trivial' : kept > 0 && kept < all ? 'splits' : 'holds'
