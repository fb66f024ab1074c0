import { LRUCache } from 'lru-cache'

/** A text cut at what a pattern matched: the pieces before, between and after it, what it was, and the names in it. */
export interface Cut {
  readonly pieces: readonly string[]
  readonly matched: readonly string[]
  readonly names: readonly string[]
}

/** Texts of which the result is kept, by their characters: those of all templates several times. */
const CHARACTERS_MAX = 2 * 1024 ** 2

/** Makes something of a text once: templates come again with each request. What was made of the texts that came last is kept. */
export function onceForText<T extends object>(make: (text: string) => T): (text: string) => T {
  const known = new LRUCache<string, T>({
    maxSize: CHARACTERS_MAX,
    sizeCalculation: (_, text) => text.length + 1,
  })
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const made = make(text)
    known.set(text, made)
    return made
  }
}

/** Cuts texts where a pattern matches that has a name in its only group. What it matches without a name stays in the text. */
export const cutterAt = (pattern: RegExp): ((text: string) => Cut) =>
  onceForText(text => cutAt(pattern, text))

function cutAt(pattern: RegExp, text: string): Cut {
  const pieces: string[] = []
  const matched: string[] = []
  const names: string[] = []
  let from = 0
  for (const { 0: match, 1: name, index } of text.matchAll(pattern)) {
    if (name === undefined) continue
    pieces.push(text.slice(from, index))
    matched.push(match)
    names.push(name)
    from = index + match.length
  }
  return { pieces: [...pieces, text.slice(from)], matched, names }
}

/** The text with another one in place of each match. */
export function filled(
  { pieces, matched, names }: Cut,
  textOf: (name: string, match: string) => string,
): string {
  let text = pieces[0] ?? ''
  for (let place = 0; place < names.length; place += 1)
    text += textOf(names[place] as string, matched[place] as string) + pieces[place + 1]
  return text
}
