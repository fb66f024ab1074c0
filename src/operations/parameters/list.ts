import { Type } from 'typebox'
import { type Bound, text, texts } from '../../engine/bind.ts'
import { choice, type Described } from './kinds.ts'
import type { Parameter } from './parameter.ts'
import { type Parsed, parseEach, type Unfit } from './problem.ts'

/** Parameters with several values: repeatable, without duplicates, null by default. */

type BindAll<T> = (values: readonly T[]) => Bound

/** Values of an element's grammar, one per parameter of the query. */
export const listOf = <T extends string>(
  element: Parameter<T | null>,
  bind: BindAll<T> = texts,
): Parameter<readonly T[] | null> =>
  list(element, bind, `${element.description} Repeatable.`, sent =>
    parseEach(sent, one => (one.includes(',') ? advised(element.parse([one])) : element.parse([one]))),
  )

/** Values of a closed list, in any case. One parameter of the query can join several of them with commas. */
export function choices<const T extends string>(
  about: Described,
  values: readonly T[],
  bind: BindAll<T> = texts,
): Parameter<readonly T[] | null> {
  const element = choice(about, values)
  const description = `${element.description} Repeatable; values can also be joined with commas.`
  return list(element, bind, description, sent =>
    parseEach(
      sent.flatMap(one => splitValues(one, values)),
      one => element.parse([one]),
    ),
  )
}

/** Values of an element's grammar, of which some are known. One parameter of the query can join those with commas. */
export function listWithKnown(
  element: Parameter<string | null>,
  known: readonly string[],
  bind: BindAll<string> = texts,
): Parameter<readonly string[] | null> {
  const description = `${element.description} Repeatable; ${known.map(value => `\`${value}\``).join(', ')} can also be joined with commas.`
  const knownElement = choice(element, known)
  return list(element, bind, description, sent => {
    const parsed = parseEach(sent, one =>
      one.includes(',')
        ? parseEach(splitValues(one, known), part => advised(knownElement.parse([part])))
        : parseEach([one], only => element.parse([only])),
    )
    return 'problems' in parsed ? parsed : { value: parsed.value.flat() }
  })
}

function list<T extends string>(
  element: Parameter<T | null>,
  bind: BindAll<T>,
  description: string,
  parse: (sent: readonly string[]) => Parsed<readonly (T | null)[]>,
): Parameter<readonly T[] | null> {
  return {
    ...element,
    description,
    repeatable: true,
    schema: Type.Array(element.schema),
    parse: sent => {
      const parsed = parse(sent)
      if ('problems' in parsed) return parsed
      const values = new Set(parsed.value.filter(value => value !== null))
      // Commas alone are no value, which filters nothing.
      return { value: values.size > 0 ? [...values] : null }
    },
    absent: null,
    bind: values => (values === null ? text(null) : bind(values)),
  }
}

/** Problems that also say what to do. */
function advised<T>(parsed: Parsed<T>): Parsed<T> {
  if ('value' in parsed) return parsed
  const advice = ({ text, isNot }: Unfit) => ({
    text,
    isNot: `${isNot}: repeat the parameter for each value`,
  })
  return { problems: parsed.problems.map(one => (typeof one === 'string' ? one : advice(one))) }
}

/** The texts that commas join, without empty ones. A value that itself contains commas is one of them. */
function splitValues(joined: string, values: readonly string[]): string[] {
  const known = new Set(values.map(value => value.toLowerCase()))
  const partsMax = Math.max(...values.map(value => value.split(',').length))
  const parts = joined.split(',')
  const found: string[] = []
  for (let at = 0; at < parts.length; ) {
    let length = partsMax
    const text = () =>
      parts
        .slice(at, at + length)
        .join(',')
        .trim()
    while (length > 1 && !known.has(text().toLowerCase())) length -= 1
    if (text() !== '') found.push(text())
    at += length
  }
  return found
}
