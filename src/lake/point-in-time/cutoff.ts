import { DAY_MS, dayOf, isValidDate } from '../../market/day.ts'
import { isoMicros } from '../../market/iso-time.ts'
import { newYorkInstant } from '../../market/new-york.ts'

/**
 * What was known is counted by day, up to 20:00 New York: the extended session has ended, and so has the UTC day, at
 * the latest an hour before. A UTC date therefore ends within the day of the same name.
 */
const EVENING_MINUTES = 20 * 60

const ZONED = /[Tt].*(?:[Zz]|[+ -]\d{2}:?\d{2})$/

/** The end of a day of knowledge, in epoch milliseconds. */
export const cutoffOf = (day: string) => newYorkInstant(day, EVENING_MINUTES)

/**
 * The day of knowledge of a time: the day of the last 20:00 New York at or before it. `text` is a date, which means its
 * own 20:00, or an ISO 8601 time with a zone. Null for other text.
 */
export function knowledgeDay(text: string): string | null {
  if (isValidDate(text)) return text
  const micros = ZONED.test(text) ? isoMicros(text) : null
  if (micros === null) return null
  const epochMs = Number(micros / 1000n)
  // The evening before a UTC day ends an hour into that day in winter.
  const days = [0, 1, 2].map(back => dayOf(epochMs - back * DAY_MS))
  return days.find(day => cutoffOf(day) <= epochMs) ?? null
}
