import { daysOfYear } from '../../market/day.ts'
import { isMonthlyExpiry } from '../../market/monthly-expiry.ts'

/** Index LEAPS, the longest-lived of listed options, are listed up to 180 months ahead (Cboe Rule 4.13). */
const YEARS_AHEAD = 16
const LAST_YEAR = 9999

const ofYears = new Map<number, readonly string[]>()

/**
 * The standard monthly expirations of equity and index options, `YYYY-MM-DD`, from the year of `day` to the last year
 * in which a contract of that day can expire.
 */
export function monthlyExpiries(day: string): readonly string[] {
  const first = Number(day.slice(0, 4))
  const last = Math.min(first + YEARS_AHEAD, LAST_YEAR)
  return Array.from({ length: last - first + 1 }, (_, index) => ofYear(first + index)).flat()
}

/** Those of one year, computed once. */
function ofYear(year: number): readonly string[] {
  const known = ofYears.get(year) ?? daysOfYear(year).filter(isMonthlyExpiry)
  ofYears.set(year, known)
  return known
}
