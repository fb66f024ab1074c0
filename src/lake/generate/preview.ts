import { type MarketOptions, WARM_SESSIONS } from './market.ts'

const SESSIONS = 2
const TRADES_PER_DAY_MAX = 20_000
const TICKERS_MAX = 50

/**
 * The options of a market that is generated in seconds, whatever the size of another one: its last two sessions, with fewer
 * trades and at most 50 tickers. Prices are those of the other market, because both begin on the same day.
 * Open interest begins two sessions before the end, and is therefore provisional.
 */
export function previewOf(options: MarketOptions): MarketOptions {
  const { days, warmSessions = WARM_SESSIONS, tickers, tradesPerDay } = options
  const shown = Math.min(days, SESSIONS)
  if (shown === days && tickers <= TICKERS_MAX && tradesPerDay <= TRADES_PER_DAY_MAX) return options
  return {
    ...options,
    days: shown,
    warmSessions: warmSessions + days - shown,
    tickers: Math.min(tickers, TICKERS_MAX),
    tradesPerDay: Math.min(tradesPerDay, TRADES_PER_DAY_MAX),
    whole: options,
  }
}
