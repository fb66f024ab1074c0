import type { Operation } from '../../../src/operations/answering/operation.ts'

/** The parameters of a request: the texts of each, several of a list. */
export type Question = Readonly<Record<string, readonly string[]>>

/** A question with other parameters; one that is null is left out. */
export function changed(
  question: Question,
  changes: Readonly<Record<string, readonly string[] | string | null>>,
): Question {
  const all = { ...question, ...changes }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, texts]) =>
      texts === null ? [] : [[name, typeof texts === 'string' ? [texts] : texts]],
    ),
  )
}

/** The path and query of a question. */
export function addressOf({ path, parameters }: Operation, question: Question): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(question[name]?.[0] ?? ''),
  )
  const query = Object.entries(question).flatMap(([name, texts]) =>
    parameters[name]?.in === 'path' ? [] : texts.map((text): [string, string] => [name, text]),
  )
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}
