import { daysBetween } from './day.ts'
import { sessionClose } from './sessions.ts'

/** When a contract is settled on its expiration day: by that day's opening or by its closing prices. */
export type Settlement = 'AM' | 'PM'

const DAYS_A_YEAR = 365
const MINUTES_A_DAY = 1440

/** 09:30, in minutes past midnight New York. */
const OPENING_MINUTES = 570

/**
 * The time a contract has left, in years of 365 calendar days, at `minutes` past midnight New York of `date`. Dates are
 * YYYY-MM-DD. Before the expiration day whole days are counted from date to date, whatever the time; on it the
 * minutes left to the regular close (16:00, or 13:00 where the exchange closes early), or to 09:30 if AM-settled. 0
 * once that has come.
 */
export function yearsToExpiry(date: string, minutes: number, expiry: string, settlement: Settlement): number {
  const days = daysBetween(date, expiry)
  if (days !== 0) return Math.max(0, days) / DAYS_A_YEAR
  const end = settlement === 'AM' ? OPENING_MINUTES : sessionClose(expiry)
  return Math.max(0, end - minutes) / MINUTES_A_DAY / DAYS_A_YEAR
}

/** The same at the regular close of `date`, where end-of-day chains stand: 0 on the expiration day. */
export const yearsToExpiryAtClose = (date: string, expiry: string, settlement: Settlement): number =>
  yearsToExpiry(date, sessionClose(date), expiry, settlement)
