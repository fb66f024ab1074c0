import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { earlyCloses, firstSession, isSession, lastSession, sessionClose } from '../../src/market/sessions.ts'

const datesOf = (from: string, to: string) =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1 }, (_, day) =>
    new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10),
  )
const isWeekday = (date: string) => ![0, 6].includes(new Date(date).getUTCDay())
const closedWeekdays = (year: number) =>
  datesOf(`${year}-01-01`, `${year}-12-31`).filter(date => isWeekday(date) && !isSession(date))

/** The exchange's published holidays (nyse.com, and for former years its yearly notices to members). */
const HOLIDAYS: Readonly<Record<number, string>> = {
  // No Martin Luther King Day yet; Christmas on a Saturday.
  1993: '01-01 02-15 04-09 05-31 07-05 09-06 11-25 12-24',
  // Nixon's funeral; New Year's Day on a Saturday is not made up for on 31 December 1993.
  1994: '02-21 04-01 04-27 05-30 07-04 09-05 11-24 12-26',
  1998: '01-01 01-19 02-16 04-10 05-25 07-03 09-07 11-26 12-25',
  2000: '01-17 02-21 04-21 05-29 07-04 09-04 11-23 12-25',
  2001: '01-01 01-15 02-19 04-13 05-28 07-04 09-03 09-11 09-12 09-13 09-14 11-22 12-25',
  2004: '01-01 01-19 02-16 04-09 05-31 06-11 07-05 09-06 11-25 12-24',
  2007: '01-01 01-02 01-15 02-19 04-06 05-28 07-04 09-03 11-22 12-25',
  2010: '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24',
  2011: '01-17 02-21 04-22 05-30 07-04 09-05 11-24 12-26',
  2012: '01-02 01-16 02-20 04-06 05-28 07-04 09-03 10-29 10-30 11-22 12-25',
  2018: '01-01 01-15 02-19 03-30 05-28 07-04 09-03 11-22 12-05 12-25',
  2020: '01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25',
  // Juneteenth was no holiday of the exchange yet.
  2021: '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24',
  2022: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26',
  2023: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25',
  2024: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25',
  2025: '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25',
  2026: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
  2027: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
  2028: '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25',
}

/** Published early closes, 13:00. */
const EARLY_CLOSES: Readonly<Record<number, string>> = {
  1997: '07-03 11-28 12-24 12-26',
  1999: '11-26 12-31',
  2002: '07-05 11-29 12-24',
  2003: '07-03 11-28 12-24 12-26',
  2008: '07-03 11-28 12-24',
  2010: '11-26',
  2013: '07-03 11-29 12-24',
  2014: '07-03 11-28 12-24',
  2018: '07-03 11-23 12-24',
  2019: '07-03 11-29 12-24',
  2020: '11-27 12-24',
  2021: '11-26',
  2022: '11-25',
  2023: '07-03 11-24',
  2024: '07-03 11-29 12-24',
  2025: '07-03 11-28 12-24',
  2026: '11-27 12-24',
  2027: '11-26',
  2028: '07-03 11-24',
}

const inYear = (year: number, days: string) => days.split(' ').map(day => `${year}-${day}`)

test.each(Object.entries(HOLIDAYS))('the weekdays of %s on which the exchange is closed', (year, days) => {
  expect(closedWeekdays(Number(year))).toEqual(inYear(Number(year), days))
})

test.each(Object.entries(EARLY_CLOSES))('the early closes of %s', (year, days) => {
  const expected = inYear(Number(year), days)
  expect(earlyCloses(`${year}-01-01`, `${year}-12-31`)).toEqual(expected)
  for (const date of datesOf(`${year}-01-01`, `${year}-12-31`))
    expect(sessionClose(date), date).toBe(expected.includes(date) ? 780 : 960)
})

test('early closes of a span that begins and ends within years', () => {
  expect(earlyCloses('2023-07-04', '2024-07-03')).toEqual(['2023-11-24', '2024-07-03'])
  expect(earlyCloses('2024-07-04', '2024-07-03')).toEqual([])
  expect(earlyCloses('1990-01-01', '1992-12-31')).toEqual([])
})

test('years have the published number of sessions', () => {
  const sessions = (year: number) => datesOf(`${year}-01-01`, `${year}-12-31`).filter(isSession).length
  expect([1999, 2001, 2010, 2012, 2020, 2021, 2022, 2023, 2024, 2025].map(sessions)).toEqual([
    252, 248, 252, 250, 253, 252, 251, 250, 252, 250,
  ])
})

test('the first and the last session of a period, or none', () => {
  expect(firstSession('2024-01-01', '2024-01-31')).toBe('2024-01-02')
  expect(lastSession('2024-03-01', '2024-03-31')).toBe('2024-03-28')
  expect(lastSession('2023-12-01', '2023-12-31')).toBe('2023-12-29')
  expect([firstSession('2024-01-06', '2024-01-07'), lastSession('2001-09-11', '2001-09-16')]).toEqual([
    null,
    null,
  ])
})

const realDays = new URL('../../../shared/realdata/stocks_daily/djia_2006_2018/', import.meta.url)

describe('the days of ../shared/realdata', () => {
  test('on which IBM traded from 2006 to 2017 are the sessions of these years', ({ skip }) => {
    if (!existsSync(realDays)) skip('../shared is not beside the project')
    const name = readdirSync(realDays).find(each => each.startsWith('IBM'))
    const lines = readFileSync(fileURLToPath(new URL(name ?? '', realDays)), 'utf8').split(/\r?\n/)
    const traded = lines.slice(1).flatMap(line => /^\d{4}-\d{2}-\d{2}/.exec(line)?.[0] ?? [])
    expect(traded.length).toBeGreaterThan(3000)
    expect(traded.filter(date => !isSession(date))).toEqual([])
    const known = new Set(traded)
    expect(datesOf('2006-01-01', '2017-12-31').filter(date => isSession(date) && !known.has(date))).toEqual(
      [],
    )
  })
})
