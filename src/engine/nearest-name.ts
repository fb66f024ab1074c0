import { closest } from 'fastest-levenshtein'

/** The name that someone may have meant by another: the first that begins with it, else the one of the fewest edits. */
export function nearestName(given: string, names: readonly string[]): string {
  const begun = given.length > 1 ? names.find(name => name.startsWith(given)) : undefined
  return begun ?? closest(given, names)
}
