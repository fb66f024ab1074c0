import { addDays } from '../../market/day.ts'
import { isSession } from '../../market/sessions.ts'
import type { LoadedSnapshot } from '../store/snapshot.ts'

/** The datasets that have rows on each session of the exchange, if nothing is missing. */
export const SESSION_DATASETS: readonly string[] = [
  'chain_frags',
  'contract_days',
  'daily_bars',
  'flow_alerts',
  'multi_leg_legs',
  'option_chain_days',
  'option_greek_days',
  'option_ticker_days',
  'option_trades',
  'option_volatility_days',
  'price_levels',
  'stock_bars',
  'stock_days',
  'stock_trades',
]

/**
 * The sessions from the first to the last day of a dataset on which it has no row; null for a dataset that need not
 * have rows on each session, and where the days are not recorded.
 */
export function missingSessions(snapshot: LoadedSnapshot, dataset: string): string[] | null {
  const days = SESSION_DATASETS.includes(dataset) ? snapshot.days(dataset) : null
  if (days === null) return null
  const held = [...days.keys()]
  const missing: string[] = []
  const last = held.at(-1) ?? ''
  for (let day = held[0] ?? ''; day < last; day = addDays(day, 1))
    if (!days.has(day) && isSession(day)) missing.push(day)
  return missing
}
