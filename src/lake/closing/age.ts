import { addDays, dayOf } from '../../market/day.ts'
import { newYorkInstant } from '../../market/new-york.ts'
import { isSession, sessionClose } from '../../market/sessions.ts'

/** The last session that had closed at a time in Unix milliseconds. */
export function lastFinishedSession(nowMs: number): string {
  // The day in UTC is that of New York or the one after it.
  for (let day = dayOf(nowMs); ; day = addDays(day, -1))
    if (isSession(day) && newYorkInstant(day, sessionClose(day)) <= nowMs) return day
}

/** The number of sessions after `closed` that had finished at a time in Unix milliseconds. */
export function ageInSessions(closed: string, nowMs: number): number {
  const last = lastFinishedSession(nowMs)
  let age = 0
  for (let day = last; day > closed; day = addDays(day, -1)) if (isSession(day)) age += 1
  return age
}
