import { Type } from 'typebox'
import { text, texts } from '../../engine/bind.ts'
import { formatOptionSymbol, parseOptionSymbol } from '../../market/osi.ts'
import { type Described, grammar, matching, shown } from './kinds.ts'
import type { Parameter, Parsed } from './parameter.ts'

/** Parameters that name something of the market: tickers, contracts, ids. */

const TICKER = /^[A-Za-z][A-Za-z0-9.-]{0,9}$/

/** A ticker in any case, upper-cased. */
export const ticker = (description: string, example = 'ACME'): Parameter<string | null> =>
  matching({
    description,
    example,
    pattern: TICKER,
    is: 'a ticker: a letter, then up to 9 letters, digits, dots or hyphens',
    canonical: given => given.toUpperCase(),
  })

/** Tickers, comma-separated, upper-cased, doubles dropped, in the order given; or what is wrong with them. */
function parseTickers(given: string, most: number): Parsed<readonly string[]> {
  const parts = given.split(',').map(part => part.trim())
  const wrong = parts.find(part => !TICKER.test(part))
  if (wrong !== undefined) return { problem: `has ${shown(wrong)}, which is not a ticker` }
  const tickers = [...new Set(parts.map(part => part.toUpperCase()))]
  return tickers.length > most
    ? { problem: `has ${tickers.length} tickers, at most ${most} are allowed` }
    : { value: tickers }
}

/** A list of tickers, comma-separated: upper-cased, doubles dropped, in the order given. */
export function tickerList(
  about: Described & { readonly most: number },
): Parameter<readonly string[] | null> {
  const schema = Type.String({ pattern: '^[A-Za-z0-9.,\\- ]+$' })
  const bind = (tickers: readonly string[] | null) => (tickers === null ? text(null) : texts(tickers))
  return grammar<readonly string[]>({ ...about, schema, bind }, given => parseTickers(given, about.most))
}

/** Tickers to keep, or to leave out. */
export interface TickerFilter {
  readonly tickers: readonly string[]
  readonly excluded: boolean
}

const TICKERS_MAX = 200

/** A list of tickers that are kept, or with `-` before the first left out. Bind it with `tickerBindings`. */
export const tickerFilter = (description: string): Parameter<TickerFilter | null> =>
  grammar<TickerFilter>(
    {
      description: `${description} Tickers, comma-separated, in any case, at most ${TICKERS_MAX}; a \`-\` before the first leaves all of them out instead.`,
      example: 'ACME,BRASS',
      schema: Type.String({ pattern: '^-?[A-Za-z0-9.,\\- ]+$' }),
    },
    given => {
      const excluded = given.startsWith('-')
      // Before each of those left out it means the same: `-A,-B` is `-A,B`.
      const parsed = parseTickers(excluded ? given.replaceAll(/(^|,)\s*-/g, '$1') : given, TICKERS_MAX)
      return 'problem' in parsed ? parsed : { value: { tickers: parsed.value, excluded } }
    },
  )

/** `$symbols` and `$symbols_excluded` of a template; both are NULL without a filter. */
export const tickerBindings = (filter: TickerFilter | null) => ({
  symbols: filter && !filter.excluded ? texts(filter.tickers) : text(null),
  symbols_excluded: filter?.excluded ? texts(filter.tickers) : text(null),
})

/** Which values of a dataset's ticker column a filter can keep, to prune its files: none named where all may stay. */
export const tickerKeys = (column: string, filter: TickerFilter | null) =>
  filter && !filter.excluded ? { keys: { [column]: filter.tickers } } : {}

/** An option contract in the notation of the Options Symbology Initiative; its value has no blanks. */
export const optionSymbol = (description: string): Parameter<string | null> =>
  grammar(
    {
      description: `${description} In OSI notation: root, YYMMDD, C or P, strike × 1000 in 8 digits; blanks in a padded root are ignored.`,
      example: 'ACME250117C00100000',
      schema: Type.String({ pattern: '^[A-Za-z0-9]{1,6} *\\d{6}[CcPp]\\d{8}$' }),
      bind: text,
    },
    given => {
      const symbol = parseOptionSymbol(given)
      return symbol === null
        ? { problem: `is ${shown(given)}, which is not an option contract in OSI notation` }
        : { value: formatOptionSymbol(symbol) }
    },
  )

/** A UUID, in lower case. */
export const uuid = (
  description: string,
  example = '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
): Parameter<string | null> =>
  matching({
    description,
    example,
    pattern: /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/,
    is: 'a UUID',
    canonical: given => given.toLowerCase(),
  })
