import { Type } from 'typebox'
import type { Parameter, Parsed } from './parameter.ts'

/** The kinds of parameter that operations share. Each text rule is stricter than a SQL cast, which takes `1e3` and `0x10`. */

interface Described {
  readonly description: string
  readonly example: string
}

const TICKER = /^[A-Za-z][A-Za-z0-9.-]{0,9}$/

/** A required list of tickers, comma-separated: upper-cased, duplicates dropped, in the order given. */
export function tickerList(about: Described & { readonly most: number }): Parameter<readonly string[]> {
  return {
    in: 'query',
    required: true,
    description: about.description,
    schema: Type.String({ pattern: '^[A-Za-z0-9.,\\-]+$' }),
    example: about.example,
    absent: [],
    parse: text => {
      const parts = text.split(',').map(part => part.trim())
      const wrong = parts.find(part => !TICKER.test(part))
      if (wrong !== undefined) return { problem: `has ${shown(wrong)}, which is not a ticker` }
      const tickers = [...new Set(parts.map(part => part.toUpperCase()))]
      if (tickers.length > about.most)
        return { problem: `has ${tickers.length} tickers, at most ${about.most} are allowed` }
      return { value: tickers }
    },
  }
}

/** One of a few words, in any case; `absent` when left out. */
export function choice<T extends string>(
  about: { readonly description: string; readonly absent: T },
  values: readonly T[],
): Parameter<T> {
  return {
    in: 'query',
    required: false,
    description: `${about.description} One of ${values.map(value => `\`${value}\``).join(', ')}; \`${about.absent}\` when left out.`,
    schema: Type.Enum([...values], { default: about.absent }),
    example: about.absent,
    absent: about.absent,
    parse: text => {
      const value = values.find(candidate => candidate.toLowerCase() === text.toLowerCase())
      return value === undefined
        ? { problem: `is ${shown(text)}, not one of ${values.join(', ')}` }
        : { value }
    },
  }
}

/** A text with a grammar of its own. */
export function grammar<T>(
  about: Described & { readonly required: true; readonly absent: T },
  parse: (text: string) => Parsed<T>,
): Parameter<T>
export function grammar<T>(
  about: Described & { readonly required: false },
  parse: (text: string) => Parsed<T>,
): Parameter<T | null>
export function grammar<T>(
  about: Described & { readonly required: boolean; readonly absent?: T },
  parse: (text: string) => Parsed<T>,
): Parameter<T | null> {
  const { description, example, required } = about
  return {
    in: 'query',
    required,
    description,
    schema: Type.String(),
    example,
    absent: about.absent ?? null,
    parse,
  }
}

const SHOWN_MAX = 60

/** A client's text as it may stand in a message: quoted, and no longer than it helps. */
export function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text)
}
