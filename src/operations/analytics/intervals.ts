/** The intervals of an analytics window: the bars that its prices are taken from. */

/** Minutes per intraday bar, null for daily and longer bars; and the number of bars in a year of 252 sessions. */
export const INTERVALS = {
  '1min': { minutes: 1, periodsAYear: 252 * 390 },
  '5min': { minutes: 5, periodsAYear: (252 * 390) / 5 },
  '15min': { minutes: 15, periodsAYear: (252 * 390) / 15 },
  '30min': { minutes: 30, periodsAYear: (252 * 390) / 30 },
  '60min': { minutes: 60, periodsAYear: (252 * 390) / 60 },
  DAILY: { minutes: null, periodsAYear: 252 },
  WEEKLY: { minutes: null, periodsAYear: 52 },
  MONTHLY: { minutes: null, periodsAYear: 12 },
} as const
export type Interval = keyof typeof INTERVALS
