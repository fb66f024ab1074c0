import { addDays, weekdayOf } from './day.ts'
import { isSession } from './sessions.ts'

const [THURSDAY, FRIDAY, SATURDAY] = [4, 5, 6] as const

/** Days from each weekday of a monthly expiry to its third Friday; a Saturday is after it. */
const DAYS_TO_FRIDAY: Readonly<Record<number, number>> = { [THURSDAY]: 1, [FRIDAY]: 0, [SATURDAY]: -1 }

/**
 * Whether `expiry` (YYYY-MM-DD) is a standard monthly expiration of equity and index options: the third Friday of its
 * month, the Thursday before it if the exchange is closed on that Friday, or, in contracts until February 2015, the
 * Saturday after it (OCC).
 */
export function isMonthlyExpiry(expiry: string): boolean {
  const daysToFriday = DAYS_TO_FRIDAY[weekdayOf(expiry)]
  if (daysToFriday === undefined) return false
  const friday = addDays(expiry, daysToFriday)
  const dayOfMonth = Number(friday.slice(8))
  if (dayOfMonth < 15 || dayOfMonth > 21) return false
  return daysToFriday !== 1 || !isSession(friday)
}
