import { Type } from 'typebox'
import { text, texts } from '../../engine/bind.ts'
import { formatOptionSymbol, parseOptionSymbol } from '../../market/osi.ts'
import { tickerOf } from '../../market/ticker-forms.ts'
import { type Described, grammar, matching } from './kinds.ts'
import type { Parameter } from './parameter.ts'
import { type Parsed, parseEach, refused, unfit } from './problem.ts'

/** Parameters that are tickers, contracts and ids. */

const TICKER = /^[A-Za-z][A-Za-z0-9.-]{0,9}$/
/** Comma-separated tickers, for JSON Schema. */
const TICKERS = '[A-Za-z][A-Za-z0-9.-]{0,9}( *, *-?[A-Za-z][A-Za-z0-9.-]{0,9})*'

/** A ticker in any case and form, in the form of the lake. */
export const ticker = (description: string, example = 'ACME'): Parameter<string | null> =>
  matching({
    description,
    example,
    pattern: TICKER,
    is: 'a ticker: a letter, then up to 9 letters, digits, dots or hyphens',
    canonical: tickerOf,
  })

/** Comma-separated tickers, in the form of the lake, without duplicates, in their order; or everything that is wrong with them. */
function parseTickers(list: string, most: number): Parsed<readonly string[]> {
  const parts = list.split(',').map(part => part.trim())
  const count = new Set(parts.map(tickerOf)).size
  const excess = count > most ? [`has ${count} tickers, at most ${most} are allowed`] : []
  const parsed = parseEach(parts, part =>
    TICKER.test(part) ? { value: tickerOf(part) } : unfit(part, 'a ticker'),
  )
  if ('problems' in parsed) return refused(...parsed.problems, ...excess)
  return excess.length > 0 ? refused(...excess) : { value: [...new Set(parsed.value)] }
}

/** Comma-separated tickers, in the form of the lake, without duplicates, in their order. */
export function tickerList(
  about: Described & { readonly most: number },
): Parameter<readonly string[] | null> {
  const schema = Type.String({ pattern: `^${TICKERS.replace('-?', '')}$` })
  const bind = (tickers: readonly string[] | null) => (tickers === null ? text(null) : texts(tickers))
  return grammar<readonly string[]>({ ...about, schema, bind }, sent => parseTickers(sent, about.most))
}

/** Tickers to keep, or to exclude. */
export interface TickerFilter {
  readonly tickers: readonly string[]
  readonly excluded: boolean
}

const TICKERS_MAX = 200

/** Tickers to keep, or with `-` before the first one to exclude. Bind it with `tickerBindings`. */
export const tickerFilter = (description: string): Parameter<TickerFilter | null> =>
  grammar<TickerFilter>(
    {
      description: `${description} Comma-separated tickers, in any case, at most ${TICKERS_MAX}; prefix the list with \`-\` to exclude them.`,
      example: 'ACME,BRASS',
      schema: Type.String({ pattern: `^-?${TICKERS}$` }),
    },
    sent => {
      const excluded = sent.startsWith('-')
      // A `-` before each excluded ticker means the same: `-A,-B` is `-A,B`.
      const parsed = parseTickers(excluded ? sent.replaceAll(/(^|,)\s*-/g, '$1') : sent, TICKERS_MAX)
      return 'problems' in parsed ? parsed : { value: { tickers: parsed.value, excluded } }
    },
  )

/** `$symbols` and `$symbols_excluded` of a template; both are NULL without a filter. */
export const tickerBindings = (filter: TickerFilter | null) => ({
  symbols: filter && !filter.excluded ? texts(filter.tickers) : text(null),
  symbols_excluded: filter?.excluded ? texts(filter.tickers) : text(null),
})

/** The values of a dataset's ticker column that a filter keeps, to prune its files; empty if the filter excludes. */
export const tickerKeys = (column: string, filter: TickerFilter | null) =>
  filter && !filter.excluded ? { keys: { [column]: filter.tickers } } : {}

/** An option contract in the notation of the Options Symbology Initiative (OSI); its value has no blanks. */
export const optionSymbol = (description: string): Parameter<string | null> =>
  grammar(
    {
      description: `${description} In OSI notation: root, YYMMDD, C or P, strike × 1000 in 8 digits; spaces in a padded root are ignored.`,
      example: 'ACME250117C00100000',
      schema: Type.String({
        pattern: '^[A-Za-z0-9]{1,6} *[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[CcPp][0-9]{8}$',
      }),
      bind: text,
    },
    sent => {
      const symbol = parseOptionSymbol(sent)
      return symbol === null
        ? unfit(sent, 'an option contract in OSI notation')
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
    canonical: sent => sent.toLowerCase(),
  })
