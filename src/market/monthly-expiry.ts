import { isSession } from './sessions.ts'

const DAY_MS = 86_400_000
const [THURSDAY, FRIDAY, SATURDAY] = [4, 5, 6] as const

/** How many days before a third Friday's monthly expiry each weekday is listed; a Saturday comes after it. */
const DAYS_TO_FRIDAY: Readonly<Record<number, number>> = { [THURSDAY]: 1, [FRIDAY]: 0, [SATURDAY]: -1 }

/**
 * Whether `expiry` (YYYY-MM-DD) is a standard monthly expiration of equity and index options: the third Friday of its
 * month, the Thursday before it where the exchange is closed on that Friday, or, as contracts were written until
 * February 2015, the Saturday after it (OCC).
 */
export function isMonthlyExpiry(expiry: string): boolean {
  const at = Date.parse(`${expiry}T00:00:00Z`)
  const daysToFriday = DAYS_TO_FRIDAY[new Date(at).getUTCDay()]
  if (daysToFriday === undefined) return false
  const friday = new Date(at + daysToFriday * DAY_MS)
  const dayOfMonth = friday.getUTCDate()
  if (dayOfMonth < 15 || dayOfMonth > 21) return false
  return daysToFriday !== 1 || !isSession(friday.toISOString().slice(0, 10))
}
