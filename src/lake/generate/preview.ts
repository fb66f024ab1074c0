import { type MarketOptions, WARM_SESSIONS } from './market.ts'

/** What a preview has at most. */
const PREVIEW = { days: 2, tickers: 50, tradesPerDay: 20_000, warmChains: 3 } as const

/**
 * The options of a market that is generated in seconds, whatever the size of another one: its last two sessions, with fewer
 * trades, at most 50 tickers, and few option chains before. Prices are those of the other market, because both
 * begin on the same day. Open interest begins two sessions before the end, and is therefore provisional.
 */
export function previewOf(options: MarketOptions): MarketOptions {
  const { days, warmSessions = WARM_SESSIONS, tickers, tradesPerDay } = options
  const shown = Math.min(days, PREVIEW.days)
  return {
    ...options,
    days: shown,
    warmSessions: warmSessions + days - shown,
    warmChains: PREVIEW.warmChains,
    tickers: Math.min(tickers, PREVIEW.tickers),
    tradesPerDay: Math.min(tradesPerDay, PREVIEW.tradesPerDay),
    whole: options,
  }
}
