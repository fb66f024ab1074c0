/** The trading calendar of New York, from the holidays that the exchange publishes. Dates are `YYYY-MM-DD`. */

const DAY_MS = 86_400_000

export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** Calendar days from one date to another. */
export const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** 1 is Monday, 7 is Sunday. */
export const weekday = (date: string): number => new Date(date).getUTCDay() || 7

/** Good Fridays (https://www.census.gov/data/software/x13as/genhol/easter-dates.html gives the Sundays), 2014 to 2040. */
const GOOD_FRIDAYS = new Set(
  `2014-04-18 2015-04-03 2016-03-25 2017-04-14 2018-03-30 2019-04-19 2020-04-10 2021-04-02 2022-04-15 2023-04-07
   2024-03-29 2025-04-18 2026-04-03 2027-03-26 2028-04-14 2029-03-30 2030-04-19 2031-04-11 2032-03-26 2033-04-15
   2034-04-07 2035-03-23 2036-04-11 2037-04-03 2038-04-23 2039-04-08 2040-03-30`.split(/\s+/),
)

/** Days of mourning and storms. */
const SINGLE_CLOSINGS = new Set(['2012-10-29', '2012-10-30', '2018-12-05', '2025-01-09'])

/** Holidays on a weekday of a month: month, weekday, which one of the month (5: the last). */
const BY_WEEKDAY: readonly (readonly [month: number, day: number, which: number])[] = [
  [1, 1, 3],
  [2, 1, 3],
  [5, 1, 5],
  [9, 1, 1],
  [11, 4, 4],
]

/** Whether the exchange trades on a date. */
export function isTradingDay(date: string): boolean {
  if (weekday(date) > 5 || GOOD_FRIDAYS.has(date) || SINGLE_CLOSINGS.has(date)) return false
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const isByWeekday = BY_WEEKDAY.some(
    ([holiday, weekdayOf, which]) =>
      month === holiday &&
      weekday(date) === weekdayOf &&
      (which === 5 ? dayAfter(date, 7).slice(5, 7) !== date.slice(5, 7) : Math.ceil(day / 7) === which),
  )
  return !isByWeekday && !isFixedHoliday(date, year)
}

/** Fixed dates are observed on the Friday before a Saturday, except New Year, and on the Monday after a Sunday. */
function isFixedHoliday(date: string, year: number): boolean {
  const isHoliday = (day: string) => {
    const name = day.slice(5)
    return name === '01-01' || name === '07-04' || name === '12-25' || (name === '06-19' && year >= 2022)
  }
  if (isHoliday(date)) return true
  if (weekday(date) === 1) return isHoliday(dayAfter(date, -1))
  const tomorrow = dayAfter(date, 1)
  return weekday(date) === 5 && isHoliday(tomorrow) && !tomorrow.endsWith('01-01')
}

/** The `count`th trading day before a date. */
export function tradingDayBefore(date: string, count: number): string {
  let day = date
  for (let left = count; left > 0; ) {
    day = dayAfter(day, -1)
    if (isTradingDay(day)) left -= 1
  }
  return day
}
