import { type TSchema, Type } from 'typebox'
import { type Bound, boolean, text } from '../../engine/bind.ts'
import type { Parameter } from './parameter.ts'
import { type Parsed, refused, shown, unfit } from './problem.ts'

/**
 * The kinds of parameter that operations share. Each is an optional query parameter that is null by default;
 * `required`, `inPath` and `absent` change that. Each text rule is stricter than a SQL cast, which accepts `1e3` and
 * `0x10`.
 */

export interface Described {
  readonly description: string
  readonly example: string
}

/** A parameter of one text with its own rule. */
export function grammar<T>(
  about: Described & { readonly schema?: TSchema; readonly bind?: (value: T | null) => Bound },
  parse: (text: string) => Parsed<T>,
): Parameter<T | null> {
  return {
    in: 'query',
    required: false,
    repeatable: false,
    description: about.description,
    schema: about.schema ?? Type.String(),
    example: about.example,
    parse: ([only = '']) => parse(only),
    absent: null,
    bind: about.bind ?? null,
  }
}

/** A required parameter. Its `absent` is never used and only completes the type. */
export function required<T>(parameter: Parameter<T | null>): Parameter<T> {
  return { ...(parameter as Parameter<T>), required: true }
}

/** A path parameter. */
export const inPath = <T>(parameter: Parameter<T | null>): Parameter<T> => ({
  ...required(parameter),
  in: 'path',
})

/** A parameter with a default, which OpenAPI and the description state. */
export function absent<T extends string | number | boolean>(
  parameter: Parameter<T | null>,
  value: T,
): Parameter<T> {
  return {
    ...(parameter as Parameter<T>),
    description: `${parameter.description} Default: \`${value}\`.`,
    schema: { ...parameter.schema, default: value },
    absent: value,
  }
}

/** One of several values, in any case. */
export function choice<const T extends string>(about: Described, values: readonly T[]): Parameter<T | null> {
  const described = {
    example: about.example,
    description: `${about.description} One of ${values.map(value => `\`${value}\``).join(', ')}.`,
    schema: Type.Enum([...values], { type: 'string' }),
    bind: text,
  }
  return grammar<T>(described, sent => {
    const value = values.find(candidate => candidate.toLowerCase() === sent.toLowerCase())
    return value === undefined ? unfit(sent, `one of ${values.join(', ')}`) : { value }
  })
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** `true` or `false`, in any case, or `1` or `0`. */
export const flag = (description: string): Parameter<boolean | null> =>
  grammar({ description, example: 'true', schema: Type.Boolean(), bind: boolean }, sent => {
    const value = TRUTHS.get(sent.toLowerCase())
    return value === undefined ? unfit(sent, 'true or false') : { value }
  })

/** A text that matches a pattern; `canonical` converts it to the form that is compared. */
export function matching(
  about: Described & {
    readonly pattern: RegExp
    readonly is: string
    readonly canonical?: (text: string) => string
  },
): Parameter<string | null> {
  const { description, example, pattern, is, canonical = sent => sent } = about
  const schema = Type.String({ pattern: pattern.source })
  return grammar({ description, example, schema, bind: text }, sent =>
    pattern.test(sent) ? { value: canonical(sent) } : unfit(sent, is),
  )
}

/** Characters that free text must not contain: control characters, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** Printable text with a character that is not a blank, for JSON Schema. */
const PRINTABLE = String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\u0000-\u0020\u007f-\u00a0][^\u0000-\u001f\u007f-\u009f]*$`

/** Printable text, trimmed. */
export function freeText(about: Described & { readonly charactersMax: number }): Parameter<string | null> {
  const schema = Type.String({ minLength: 1, maxLength: about.charactersMax, pattern: PRINTABLE })
  return grammar({ ...about, schema, bind: text }, sent => {
    const value = sent.trim()
    const problems = [
      ...(UNPRINTABLE.test(value) ? [`is ${shown(sent)}, which contains a control character`] : []),
      ...([...value].length > about.charactersMax
        ? [`has ${[...value].length} characters, at most ${about.charactersMax} are allowed`]
        : []),
      ...(value === '' ? ['is blank'] : []),
    ]
    return problems.length > 0 ? refused(...problems) : { value }
  })
}
