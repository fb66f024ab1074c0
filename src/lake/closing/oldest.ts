import { ageInSessions } from './age.ts'

/** The datasets whose days operations default to. */
const DATED = ['contract_days', 'option_trades', 'option_chain_days', 'stock_days', 'price_levels'] as const

/** The dataset with the oldest closed day. */
export interface Oldest {
  readonly dataset: string
  /** Its last closed day. */
  readonly closed: string
  /** The number of sessions that have finished since. */
  readonly sessions: number
}

/** The dataset whose last closed day is the oldest at a time in Unix milliseconds; null without any trading day. */
export function oldestOf(
  { closedDate }: { closedDate(dataset: string): string | null },
  nowMs: number,
): Oldest | null {
  const dated = DATED.flatMap(dataset => {
    const closed = closedDate(dataset)
    return closed === null ? [] : [{ dataset, closed }]
  })
  const [oldest] = dated.toSorted((one, other) => (one.closed < other.closed ? -1 : 1))
  return oldest ? { ...oldest, sessions: ageInSessions(oldest.closed, nowMs) } : null
}
