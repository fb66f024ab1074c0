import { daysBetween } from './day.ts'
import { sessionClose } from './sessions.ts'

/** The settlement of a contract on its expiration day: by opening (AM) or closing (PM) prices. */
export type Settlement = 'AM' | 'PM'

const DAYS_A_YEAR = 365
const MINUTES_A_DAY = 1440

/** 09:30, in minutes past midnight New York. */
const OPENING_MINUTES = 570

/**
 * The time to expiry in years of 365 calendar days, at `minutes` past midnight New York on `date`. Dates are
 * YYYY-MM-DD. Before the expiration day it is the whole days from date to date, whatever the time. On that day it is
 * the minutes to the regular close (16:00, or 13:00 on early closes), or to 09:30 if AM-settled. Afterwards it is 0.
 */
export function yearsToExpiry(date: string, minutes: number, expiry: string, settlement: Settlement): number {
  const days = daysBetween(date, expiry)
  if (days !== 0) return Math.max(0, days) / DAYS_A_YEAR
  const end = settlement === 'AM' ? OPENING_MINUTES : sessionClose(expiry)
  return Math.max(0, end - minutes) / MINUTES_A_DAY / DAYS_A_YEAR
}

/** The time to expiry at the regular close of `date`, for end-of-day chains: 0 on the expiration day. */
export const yearsToExpiryAtClose = (date: string, expiry: string, settlement: Settlement): number =>
  yearsToExpiry(date, sessionClose(date), expiry, settlement)
