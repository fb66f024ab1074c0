/**
 * The forms in which vendors write tickers with a suffix, in capitals, and the one form of the lake: a dot before the
 * class of a share (BRK.B), `.PR` and the series of a preferred share (BAC.PRL), `.WS` for warrants (and their series),
 * `.U` for units, `.RT` for rights and `.WI` for shares when issued. `docs/concepts.md` has the forms by vendor.
 *
 * A form that has two meanings is unchanged, because two securities would become one: a hyphen and a letter that no
 * class of shares has is a preferred share on Nasdaq's platform (BAC-L), a unit, a right or a class elsewhere. So is a
 * suffix without a separator (BRKB), and every other hyphen (BTC-USD). `sql/import/macros-tickers.sql` has the same as
 * the macros `share_form` and `ticker_of`.
 */
export const TICKER_FORMS: readonly (readonly [pattern: string, replacement: string])[] = [
  // Exchanges and countries: TradingView, Bloomberg, Stooq, EODHD. Stooq's underscore is a preferred share.
  ['^(?:NYSE|NASDAQ|AMEX|ARCA|NYSEARCA|BATS):(.+)$', '$1'],
  ['^([A-Z0-9/.]+) US(?: EQUITY)?$', '$1'],
  ['^([A-Z]{1,5})_([A-Z])\\.US$', '$1.PR$2'],
  ['^(.+)\\.US$', '$1'],
  // Nasdaq's platform, where the source is known to use its symbols: Databento, IEX.
  ['^INET:([A-Z]{1,5})-([A-Z]?)$', '$1.PR$2'],
  ['^INET:([A-Z]{1,5})\\^$', '$1.RT'],
  ['^INET:(.+)$', '$1'],
  // Preferred shares.
  ['^([A-Z]{1,5})(?:[$^]|-P-?|[-./ ]PR[-./ ]?)([A-Z])$', '$1.PR$2'],
  ['^([A-Z]{1,5})/P-?([A-QS-Z])$', '$1.PR$2'],
  ['^([A-Z]{1,5}) PR$', '$1.PR'],
  // Warrants, units, rights, shares when issued.
  ['^([A-Z]{1,5})(?:\\+|[-./ ](?:WS|WT)|\\.W)$', '$1.WS'],
  ['^([A-Z]{1,5})(?:\\+|[-./ ](?:WS|WT)[-./ ]?)([A-Z])$', '$1.WS.$2'],
  ['^([A-Z]{1,5})(?:=|[-./ ]UN?)$', '$1.U'],
  ['^([A-Z]{1,5})(?:[-./ ](?:RT|RI)|\\.R)$', '$1.RT'],
  ['^([A-Z]{1,5})(?:#|[-/ ]WI)$', '$1.WI'],
  // Classes.
  ['^([A-Z]{1,5})(?:[/_]([A-Z])|-([ABCV]))$', '$1.$2$3'],
  ['^([A-Z]{2,5}) ([A-Z])$', '$1.$2'],
]

/** Forms with a small letter, of the Consolidated Quotation System and Polygon. */
const SMALL_FORMS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^([A-Z]{1,5})p([A-Z])$/, '$1.PR$2'],
  [/^([A-Z]{2,5})p$/, '$1.PR'],
  [/^([A-Z]{2,5})r$/, '$1.RT'],
  [/^([A-Z]{2,5})w$/, '$1.WI'],
]

const FORMS = TICKER_FORMS.map(([pattern, replacement]) => [new RegExp(pattern), replacement] as const)

/** The form of the lake of a ticker in any form and case: BRK.B of brk-b. Other text is put in capitals. */
export function tickerOf(text: string): string {
  const small = SMALL_FORMS.find(([pattern]) => pattern.test(text))
  if (small) return text.replace(...small)
  return FORMS.reduce(
    (ticker, [pattern, replacement]) => ticker.replace(pattern, replacement),
    text.toUpperCase(),
  )
}
