import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MS, dayOf } from '../../market/day.ts'
import { newYorkInstant } from '../../market/new-york.ts'

/**
 * "Now" of every relative window: the end of the latest date of the operation's dataset in the snapshot, so that a lake
 * of old data keeps its answers; or the wall clock if that is earlier.
 *
 * The bindings of a plan are part of the entity tag. The wall clock is therefore rounded up to the minute: an answer of
 * the current day can be cached for a minute, an answer of an older lake as long as its files do not change.
 */

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Microseconds since 1970-01-01 UTC; null if the snapshot has no date of the dataset. */
export function nowMicros(snapshot: Snapshot, dataset: string): bigint | null {
  const lastDate = snapshot.lastDate(dataset)
  if (lastDate === null) return null
  const minute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
  return BigInt(Math.min(newYorkInstant(lastDate, DAY_MINUTES), minute)) * 1000n
}

/** The calendar day of now, `YYYY-MM-DD`; null as above. It changes once per day, at midnight New York. */
export function nowDate(snapshot: Snapshot, dataset: string): string | null {
  const lastDate = snapshot.lastDate(dataset)
  const today = newYorkToday()
  return lastDate === null || lastDate < today ? lastDate : today
}

/** The calendar day of the wall clock in New York, `YYYY-MM-DD`. */
export function newYorkToday(): string {
  const now = Date.now()
  // New York is west of Greenwich: its day is that of UTC or the previous one.
  const day = dayOf(now)
  return newYorkInstant(day, 0) <= now ? day : dayOf(now - DAY_MS)
}
