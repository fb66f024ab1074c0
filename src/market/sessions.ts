/**
 * The calendar of the New York Stock Exchange by its rules, 1990 to 2035. Dates are `YYYY-MM-DD`, New York.
 * Source: NYSE Rule 7.2 and the exchange's notices of single closings (https://www.nyse.com/markets/hours-calendars).
 */

import { addDays, dayOf, daysBetween, weekdayOf } from './day.ts'

/** Single closings: funerals of presidents, 11 September 2001, the storm of October 2012. */
const SPECIAL_CLOSINGS: readonly string[] = [
  '1994-04-27',
  '2001-09-11',
  '2001-09-12',
  '2001-09-13',
  '2001-09-14',
  '2004-06-11',
  '2007-01-02',
  '2012-10-29',
  '2012-10-30',
  '2018-12-05',
  '2025-01-09',
]

/** Single early closes at 13:00: the Friday after a Christmas on Thursday (until 2003), and New Year's Eve 1999. */
const SPECIAL_EARLY_CLOSES: readonly string[] = ['1997-12-26', '1999-12-31', '2003-12-26']

const FULL_DAY_MINUTES = 960
const EARLY_CLOSE_MINUTES = 780
const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6] as const

const on = (year: number, month: number, day: number) => dayOf(Date.UTC(year, month - 1, day))

/** The n-th given weekday of a month. */
function nth(year: number, month: number, day: number, n: number): string {
  const first = on(year, month, 1)
  return addDays(first, ((day - weekdayOf(first) + 7) % 7) + 7 * (n - 1))
}

/** A holiday on a fixed date is observed on the Friday before a Saturday and the Monday after a Sunday. */
function observed(date: string): string {
  const day = weekdayOf(date)
  return addDays(date, day === SATURDAY ? -1 : day === SUNDAY ? 1 : 0)
}

/** Sunday of Western Easter: the anonymous Gregorian computus (Meeus, Astronomical Algorithms, chapter 8). */
function easter(year: number): string {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - d + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return on(year, Math.floor(n / 31), (n % 31) + 1)
}

function holidays(year: number): string[] {
  const newYear = on(year, 1, 1)
  const memorialDay = addDays(nth(year, 6, MONDAY, 1), -7)
  return [
    // A New Year's Day on a Saturday is not observed on the Friday, when firms close their books for the year.
    addDays(newYear, weekdayOf(newYear) === SUNDAY ? 1 : 0),
    ...(year >= 1998 ? [nth(year, 1, MONDAY, 3)] : []),
    nth(year, 2, MONDAY, 3),
    addDays(easter(year), -2),
    memorialDay,
    ...(year >= 2022 ? [observed(on(year, 6, 19))] : []),
    observed(on(year, 7, 4)),
    nth(year, 9, MONDAY, 1),
    nth(year, 11, THURSDAY, 4),
    observed(on(year, 12, 25)),
  ]
}

/**
 * Sessions that end at 13:00. Until 1992 early closes were at 14:00; these sessions are treated as full ones.
 */
function earlyClosesOf(year: number): string[] {
  if (year < 1993) return []
  const independenceDay = on(year, 7, 4)
  const aroundIndependenceDay =
    // If the holiday is a Thursday, the early close was on the Friday after it; since 2013 it is on the day before.
    weekdayOf(independenceDay) === THURSDAY && year < 2013
      ? addDays(independenceDay, 1)
      : addDays(independenceDay, -1)
  return [
    ...(year >= 1995 ? [aroundIndependenceDay] : []),
    addDays(nth(year, 11, THURSDAY, 4), 1),
    on(year, 12, 24),
    ...SPECIAL_EARLY_CLOSES.filter(date => date.startsWith(`${year}-`)),
  ].filter(isSession)
}

/** Caches the result of `make` by year. */
function yearly(make: (year: number) => readonly string[]): (date: string) => readonly string[] {
  const years = new Map<string, readonly string[]>()
  return date => {
    const year = date.slice(0, 4)
    const known = years.get(year) ?? make(Number(year)).toSorted()
    years.set(year, known)
    return known
  }
}

const holidaysAround = yearly(holidays)
const earlyClosesAround = yearly(earlyClosesOf)

/** Whether the exchange trades on `date`. */
export function isSession(date: string): boolean {
  const day = weekdayOf(date)
  return (
    day !== SATURDAY &&
    day !== SUNDAY &&
    !holidaysAround(date).includes(date) &&
    !SPECIAL_CLOSINGS.includes(date)
  )
}

/**
 * End of the regular session of `date`, in minutes past midnight New York: 960 (16:00), or 780 (13:00) on early closes.
 */
export function sessionClose(date: string): typeof EARLY_CLOSE_MINUTES | typeof FULL_DAY_MINUTES {
  return earlyClosesAround(date).includes(date) ? EARLY_CLOSE_MINUTES : FULL_DAY_MINUTES
}

/** The sessions from `from` to `to`, inclusive, that end at 13:00, ascending. */
export function earlyCloses(from: string, to: string): string[] {
  const years = Math.max(0, Number(to.slice(0, 4)) - Number(from.slice(0, 4)) + 1)
  return Array.from({ length: years }, (_, index) => earlyClosesAround(yearAfter(from, index)))
    .flat()
    .filter(date => date >= from && date <= to)
}

const yearAfter = (date: string, years: number) => String(Number(date.slice(0, 4)) + years).padStart(4, '0')

/** The first session from `from` to `to`, inclusive, or null if there is none. */
export function firstSession(from: string, to: string): string | null {
  for (let days = 0; days <= daysBetween(from, to); days += 1) {
    const date = addDays(from, days)
    if (isSession(date)) return date
  }
  return null
}

/** The last session from `from` to `to`, inclusive, or null if there is none. */
export function lastSession(from: string, to: string): string | null {
  for (let days = daysBetween(from, to); days >= 0; days -= 1) {
    const date = addDays(from, days)
    if (isSession(date)) return date
  }
  return null
}

/** The session that is `count` sessions before `date`. */
export function sessionsBefore(date: string, count: number): string {
  let day = date
  for (let left = count; left > 0; ) {
    day = addDays(day, -1)
    if (isSession(day)) left -= 1
  }
  return day
}
