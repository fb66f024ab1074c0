import { closest } from 'fastest-levenshtein'

/** The most likely correction of a mistyped name: the first name with that prefix, else the one with the fewest edits. */
export function nearestName(typed: string, names: readonly string[]): string {
  const completed = typed.length > 1 ? names.find(name => name.startsWith(typed)) : undefined
  return completed ?? closest(typed, names)
}
