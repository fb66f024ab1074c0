import { closest, distance } from 'fastest-levenshtein'

/** A name that differs by more edits, or by more than this part of its characters, is another one. */
const EDITS_MAX = 3
const EDITED_PART_MAX = 0.6

/**
 * The name of a list, which is not empty, that is most like a mistyped one. Names come first that have a word which begins with what was
 * typed. Of several, that with the fewest edits.
 */
export function nearestName(typed: string, names: readonly string[]): string {
  const completed = names.filter(name => completes(typed, name))
  return closest(typed, completed.length > 0 ? completed : names)
}

/** What a message about an unknown name ends with: the name that was probably meant, or all of them if none is like it. */
export function suggestion(typed: string, names: readonly string[]): string {
  const near = nearName(typed, names)
  return near === null ? `specify one of ${names.join(', ')}` : `did you mean ${near}?`
}

/** What follows an unknown name in a message that itself says which there are; empty if none is like it. */
export function guess(typed: string, names: readonly string[], shown = (name: string) => name): string {
  const near = nearName(typed, names)
  return near === null ? '' : `: did you mean ${shown(near)}?`
}

/** The name that was probably meant; null if none is like what was typed. */
function nearName(typed: string, names: readonly string[]): string | null {
  if (names.length === 0) return null
  const nearest = nearestName(typed, names)
  return completes(typed, nearest) || isNear(typed, nearest) ? nearest : null
}

const completes = (typed: string, name: string) =>
  typed.length > 1 && ['-', '_'].some(before => `${before}${name}`.includes(`${before}${typed}`))

function isNear(typed: string, name: string): boolean {
  const edits = distance(typed, name)
  return edits <= EDITS_MAX && edits <= EDITED_PART_MAX * Math.max(typed.length, name.length)
}
