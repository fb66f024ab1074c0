import { addDays, FIRST_DAY, LAST_DAY } from '../../market/day.ts'
import { sha256Of } from '../store/content.ts'
import type { Derivation, Reach } from '../store/derivation.ts'
import { type HeldDays, isUndivided, UNDIVIDED } from '../store/held-days.ts'

/** A range of days that may influence a derived day, both ends inclusive. */
export interface Window {
  readonly from: string
  readonly to: string
}

/**
 * The days of one input that may influence a derived day. For the derived dataset itself (`own`), only earlier days.
 */
export function windowOf(reach: Reach, held: Pick<HeldDays, 'days'>, day: string, own: boolean): Window {
  const to = reach.kind === 'all' && !own ? LAST_DAY : own ? addDays(day, -1) : day
  switch (reach.kind) {
    case 'day':
      return { from: day, to }
    case 'days':
      return { from: addDays(day, -reach.count), to }
    case 'dates': {
      const before = held.days.slice(0, countBelow(held.days, day))
      return { from: before.at(-reach.count) ?? before[0] ?? day, to }
    }
    case 'before':
    case 'all':
      return { from: FIRST_DAY, to }
  }
}

/**
 * The hash of everything that a derived day depends on: the derivation's text and columns, and the digest of every day
 * that may influence it. While the fingerprint is the same, so is the derived day.
 */
export function fingerprint(
  derivation: Derivation,
  held: ReadonlyMap<string, HeldDays>,
  day: string,
): string {
  const parts = [derivation.hash, day]
  for (const { dataset, reach } of derivation.reads) {
    const input = held.get(dataset.name)
    if (input === undefined) throw new Error(`${derivation.dataset.name}: ${dataset.name} is not loaded`)
    parts.push(dataset.name)
    if (isUndivided(dataset)) parts.push(input.digest(UNDIVIDED))
    else {
      const { from, to } = windowOf(reach, input, day, dataset === derivation.dataset)
      const end = countBelow(input.days, to) + (input.digest(to) === '' ? 0 : 1)
      for (const each of input.days.slice(countBelow(input.days, from), end))
        parts.push(each, input.digest(each))
    }
  }
  return sha256Of(parts.join('\n'))
}

/** The number of `days` (ascending) before `day`. */
function countBelow(days: readonly string[], day: string): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((days[middle] ?? '') < day) low = middle + 1
    else high = middle
  }
  return low
}
