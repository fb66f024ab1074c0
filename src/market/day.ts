/**
 * Calendar days as text, `YYYY-MM-DD`, which sorts by time. The calendar is the proleptic Gregorian one of ISO 8601 and
 * Parquet's DATE, in UTC, from the year 0 to 9999. A day that the text cannot hold becomes the nearest one that it can.
 *
 * Functions that read a day throw a RangeError for text that `Date.parse` rejects; they do not check whether the month
 * has that day (`isValidDate` does).
 */

/** Milliseconds in a day. */
export const DAY_MS = 86_400_000
/** Microseconds in a day. */
export const DAY_MICROS = 86_400_000_000n

export const FIRST_DAY = '0000-01-01'
export const LAST_DAY = '9999-12-31'

const FIRST_DAY_MS = Date.parse(FIRST_DAY)
const LAST_DAY_MS = Date.parse(LAST_DAY)

/** Whether `text` is a day of the calendar, `YYYY-MM-DD`, from 1900 on. */
export const isValidDate = (text: string): boolean =>
  /^(?:19|[2-9]\d)\d{2}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  addDays(text, 0) === text

/** Midnight UTC at the start of a day, in milliseconds since 1970-01-01 UTC. */
export function epochMsOf(day: string): number {
  const epochMs = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(epochMs)) throw new RangeError(`${JSON.stringify(day)} is not a day YYYY-MM-DD`)
  return epochMs
}

/** The day of an instant in milliseconds since 1970-01-01 UTC. Throws a RangeError for NaN. */
export const dayOf = (epochMs: number): string =>
  new Date(Math.max(FIRST_DAY_MS, Math.min(Math.floor(epochMs / DAY_MS) * DAY_MS, LAST_DAY_MS)))
    .toISOString()
    .slice(0, 10)

/** The day of an instant in microseconds since 1970-01-01 UTC. */
export const dayOfMicros = (epochMicros: bigint): string =>
  // The remainder is negative before 1970, where a division of BigInts rounds up.
  dayOf(Number((epochMicros - (((epochMicros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS)) / 1000n))

/** The day `count` days after `day`, or before it if negative. */
export const addDays = (day: string, count: number): string => dayOf(epochMsOf(day) + count * DAY_MS)

/** Days from one day to another, negative if `to` is the earlier. */
export const daysBetween = (from: string, to: string): number => (epochMsOf(to) - epochMsOf(from)) / DAY_MS

/** The day of the week: 0 is Sunday, 6 Saturday. */
export const weekdayOf = (day: string): number => new Date(epochMsOf(day)).getUTCDay()

/** The last day of a month `YYYY-MM`. */
export function lastDayOfMonth(month: string): string {
  const day = new Date(epochMsOf(`${month}-01`))
  return dayOf(day.setUTCMonth(day.getUTCMonth() + 1, 0))
}

/** All days of a year from 0 to 9999, ascending. */
export function daysOfYear(year: number): string[] {
  const digits = String(year).padStart(4, '0')
  const count = daysBetween(`${digits}-01-01`, `${digits}-12-31`) + 1
  return Array.from({ length: count }, (_, index) => addDays(`${digits}-01-01`, index))
}
