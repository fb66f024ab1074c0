/** What is wrong with the text of a parameter. */

/** A text, or a part of one, that is not what it must be. */
export interface Unfit {
  readonly text: string
  /** What it must be: `a ticker`, `one of call, put`. */
  readonly isNot: string
}

/** The end of a sentence that begins with the parameter's name, or what that sentence is made of. */
export type Problem = string | Unfit

/** A parsed text: a value, or everything that is wrong with it. */
export type Parsed<T> = { readonly value: T } | { readonly problems: readonly Problem[] }

export const refused = (...problems: readonly Problem[]) => ({ problems })

export const unfit = (text: string, isNot: string) => refused({ text, isNot })

const SHOWN_MAX = 60

/** A client's text for a message: quoted, and shortened. */
export function shown(value: string): string {
  return JSON.stringify(value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value)
}

export const sentence = (problem: Problem): string =>
  typeof problem === 'string' ? problem : `is ${shown(problem.text)}, which is not ${problem.isNot}`

/** Parses each of several texts. Every problem is named; texts that must be the same are named in one sentence. */
export function parseEach<T>(
  texts: readonly string[],
  parse: (text: string) => Parsed<T>,
): Parsed<readonly T[]> {
  const values: T[] = []
  const sentences = new Set<string>()
  const unfitTexts = new Map<string, Set<string>>()
  for (const text of texts) {
    const parsed = parse(text)
    if ('value' in parsed) values.push(parsed.value)
    else
      for (const problem of parsed.problems)
        if (typeof problem === 'string') sentences.add(problem)
        else
          unfitTexts.set(problem.isNot, (unfitTexts.get(problem.isNot) ?? new Set()).add(shown(problem.text)))
  }
  for (const [isNot, wrong] of unfitTexts) sentences.add(`has ${listed([...wrong])} ${isNot}`)
  return sentences.size > 0 ? refused(...sentences) : { value: values }
}

/** Texts and the verb that says that they are not something. */
function listed(texts: readonly string[]): string {
  if (texts.length === 1) return `${texts[0]}, which is not`
  const none = texts.length === 2 ? 'neither of which is' : 'none of which is'
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}, ${none}`
}
