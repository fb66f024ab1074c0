import { LRUCache } from 'lru-cache'

/** A text cut at its names: the pieces before, between and after them. */
export interface Cut {
  readonly pieces: readonly string[]
  readonly names: readonly string[]
}

/** Texts that are known at a time, by their characters: those of all templates several times. */
const CHARACTERS_MAX = 2 * 1024 ** 2

/**
 * Cuts texts where a pattern matches that has a name in its only group. What it matches without a name stays in the text. Templates
 * come again with each request: what was found in the texts that came last is kept.
 */
export function cutterAt(pattern: RegExp): (text: string) => Cut {
  const known = new LRUCache<string, Cut>({
    maxSize: CHARACTERS_MAX,
    sizeCalculation: (_, text) => text.length + 1,
  })
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const cut = cutAt(pattern, text)
    known.set(text, cut)
    return cut
  }
}

function cutAt(pattern: RegExp, text: string): Cut {
  const pieces: string[] = []
  const names: string[] = []
  let from = 0
  for (const { 0: matched, 1: name, index } of text.matchAll(pattern)) {
    if (name === undefined) continue
    pieces.push(text.slice(from, index))
    names.push(name)
    from = index + matched.length
  }
  return { pieces: [...pieces, text.slice(from)], names }
}

/** The text with another one in place of each name. */
export function filled({ pieces, names }: Cut, textOf: (name: string) => string): string {
  let text = pieces[0] ?? ''
  for (let place = 0; place < names.length; place += 1)
    text += textOf(names[place] as string) + pieces[place + 1]
  return text
}
