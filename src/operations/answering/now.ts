import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MS, dayOf } from '../../market/day.ts'
import { newYorkInstant } from '../../market/new-york.ts'

/**
 * "Now" of every relative window: the end of the last date that the snapshot holds of the operation's dataset, so that
 * a lake of old data answers as it did then, or the wall clock where that is earlier.
 *
 * What a plan binds is part of the answer's entity tag, so the wall clock enters only to the minute, rounded up: an
 * answer of the current day can be cached for a minute, one of an older lake for as long as its files stay.
 */

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Microseconds since 1970-01-01 UTC; null where the snapshot holds no date of the dataset. */
export function nowMicros(snapshot: Snapshot, dataset: string): bigint | null {
  const lastDate = snapshot.lastDate(dataset)
  if (lastDate === null) return null
  const minute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
  return BigInt(Math.min(newYorkInstant(lastDate, DAY_MINUTES), minute)) * 1000n
}

/** The calendar day of now, `YYYY-MM-DD`; null likewise. It changes once a day, at midnight New York. */
export function nowDate(snapshot: Snapshot, dataset: string): string | null {
  const lastDate = snapshot.lastDate(dataset)
  const today = newYorkToday()
  return lastDate === null || lastDate < today ? lastDate : today
}

/** The calendar day of the wall clock in New York, `YYYY-MM-DD`. */
export function newYorkToday(): string {
  const now = Date.now()
  // New York is behind UTC: its day is that of UTC or the one before.
  const day = dayOf(now)
  return newYorkInstant(day, 0) <= now ? day : dayOf(now - DAY_MS)
}
