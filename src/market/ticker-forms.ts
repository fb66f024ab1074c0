/**
 * The forms in which vendors write tickers with a suffix, in capitals, and the one form of the lake: a dot before the
 * class of a share (BRK.B), `.PR` and the series of a preferred share (BAC.PRL), `.WS` for warrants (and their series),
 * `.U` for units, `.RT` for rights and `.WI` for shares when issued. Sources: Yahoo and Alpha Vantage (BRK-B, BAC-PL,
 * X-WT, X-UN, X-RI), Stooq (BRK-B.US), Nasdaq.com (BRK/B, BAC^L, X/U), the Consolidated Quotation System (BRK.B,
 * BAC.PRL, X.WS, X.U, and with symbols X+ and X=), Polygon (BRK.B, BACpL), files of 13F filers (BRK B). A suffix
 * without a separator (BRKB) and other hyphens (BTC-USD) are no such form. `sql/import/macros.sql` has the same as the
 * macro `share_form`.
 */
export const TICKER_FORMS: readonly (readonly [pattern: string, replacement: string])[] = [
  ['^(.+)\\.US$', '$1'],
  ['^([A-Z]{1,5})(\\^|-P-?|[-./ ]PR[-./ ]?)([A-Z])$', '$1.PR$3'],
  ['^([A-Z]{1,5})(\\+|[-./ ](WS|WT))$', '$1.WS'],
  ['^([A-Z]{1,5})(\\+|[-./ ](WS|WT)[-./ ]?)([A-Z])$', '$1.WS.$4'],
  ['^([A-Z]{1,5})(=|[-./ ]UN?)$', '$1.U'],
  ['^([A-Z]{1,5})[-./ ](RT|RI)$', '$1.RT'],
  ['^([A-Z]{1,5})[-/ ]WI$', '$1.WI'],
  ['^([A-Z]{1,5})[-/_]([A-Z])$', '$1.$2'],
  ['^([A-Z]{2,5}) ([A-Z])$', '$1.$2'],
]

const FORMS = TICKER_FORMS.map(([pattern, replacement]) => [new RegExp(pattern), replacement] as const)

/** The form of the lake of a ticker in any form and case: BRK.B of brk-b. Other text is put in capitals. */
export function tickerOf(text: string): string {
  const preferred = /^([A-Z]{1,5})p([A-Z])$/.exec(text)
  if (preferred) return `${preferred[1]}.PR${preferred[2]}`
  return FORMS.reduce(
    (ticker, [pattern, replacement]) => ticker.replace(pattern, replacement),
    text.toUpperCase(),
  )
}
