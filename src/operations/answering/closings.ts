import { daysOfYear, weekdayOf } from '../../market/day.ts'
import { isSession } from '../../market/sessions.ts'

const LAST_YEAR = 9999

const known = new Map<number, readonly string[]>()

/** Weekdays of a year without trading, `YYYY-MM-DD`, ascending. */
function closingsIn(year: number): readonly string[] {
  const found = known.get(year) ?? daysOfYear(year).filter(day => isWeekday(day) && !isSession(day))
  known.set(year, found)
  return found
}

const isWeekday = (day: string) => weekdayOf(day) % 6 !== 0

/** Weekdays without trading in the years from one to another, both included, `YYYY-MM-DD`, ascending, up to 9999. */
export function closings(firstYear: number, lastYear: number): string[] {
  const count = Math.max(0, Math.min(lastYear, LAST_YEAR) - firstYear + 1)
  return Array.from({ length: count }, (_, index) => firstYear + index).flatMap(closingsIn)
}
