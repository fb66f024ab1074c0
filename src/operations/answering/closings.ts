import { isSession } from '../../market/sessions.ts'

const DAY_MS = 86_400_000

const known = new Map<number, readonly string[]>()

/** Weekdays of a year on which the exchange does not trade, `YYYY-MM-DD`, ascending. */
function closingsIn(year: number): readonly string[] {
  const found = known.get(year) ?? weekdaysOf(year).filter(day => !isSession(day))
  known.set(year, found)
  return found
}

function weekdaysOf(year: number): string[] {
  const days: string[] = []
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += DAY_MS) {
    const day = new Date(at)
    if (day.getUTCDay() % 6 !== 0) days.push(day.toISOString().slice(0, 10))
  }
  return days
}

/** Weekdays without trading in the years from one to another, both included, `YYYY-MM-DD`, ascending. */
export function closings(firstYear: number, lastYear: number): string[] {
  const years = Array.from({ length: Math.max(0, lastYear - firstYear + 1) }, (_, index) => firstYear + index)
  return years.flatMap(closingsIn)
}
