import { describe, expect, test } from 'vitest'
import {
  addDays,
  DAY_MICROS,
  DAY_MS,
  dayOf,
  dayOfMicros,
  daysBetween,
  daysOfYear,
  epochMsOf,
  isValidDate,
  lastDayOfMonth,
  weekdayOf,
} from '../../src/market/day.ts'

test('a day has 24 hours', () => {
  expect(DAY_MS).toBe(24 * 60 * 60 * 1000)
  expect(DAY_MICROS).toBe(24n * 60n * 60n * 1000n * 1000n)
})

describe('isValidDate', () => {
  test.each(['1900-01-01', '2000-02-29', '2024-02-29', '2024-12-31', '9999-12-31'])('accepts %s', text => {
    expect(isValidDate(text)).toBe(true)
  })

  // 1900 and 2100 are no leap years: they are divisible by 100 and not by 400.
  test.each([
    '1900-02-29',
    '2100-02-29',
    '2023-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-01',
    '2024-01-00',
    '2024-01-32',
    '1899-12-31',
    '2024-1-1',
    '20240101',
    ' 2024-01-01',
    '2024-01-01\n',
    '+002024-01-01',
    '',
  ])('rejects %j', text => {
    expect(isValidDate(text)).toBe(false)
  })
})

// Days since 1970-01-01 by hand: 1900 to 1969 are 70 years with 17 leap days; 2000-03-01 is 30 years with 7 leap days
// and 31 + 29 days later; 0000 to 1599 are 4 × 146,097 days, 1600 to 1969 are 370 years with 90 leap days; 1970 to 9999
// are 8030 years with 1947 leap days.
test.each([
  ['1970-01-01', 0],
  ['1970-01-02', 1],
  ['1969-12-31', -1],
  ['1900-01-01', -(70 * 365 + 17)],
  ['1900-03-01', -(70 * 365 + 17) + 31 + 28],
  ['2000-03-01', 30 * 365 + 7 + 31 + 29],
  ['0000-01-01', -(4 * 146_097 + 370 * 365 + 90)],
  ['9999-12-31', 8030 * 365 + 1947 - 1],
])('%s starts %i days after 1970-01-01', (day, days) => {
  expect(epochMsOf(day)).toBe(days * DAY_MS)
  expect(dayOf(days * DAY_MS)).toBe(day)
  expect(dayOf((days + 1) * DAY_MS - 1)).toBe(day)
  expect(dayOfMicros(BigInt(days) * DAY_MICROS)).toBe(day)
  expect(dayOfMicros(BigInt(days + 1) * DAY_MICROS - 1n)).toBe(day)
})

test('an instant outside the years 0 to 9999 becomes the nearest day', () => {
  expect(dayOf(253_402_300_800_000)).toBe('9999-12-31')
  expect(dayOf(Number.MAX_SAFE_INTEGER)).toBe('9999-12-31')
  expect(dayOf(-62_167_219_200_001)).toBe('0000-01-01')
  expect(dayOfMicros(253_402_300_800_000_000n)).toBe('9999-12-31')
  expect([addDays('9999-12-31', 1), addDays('0000-01-01', -1)]).toEqual(['9999-12-31', '0000-01-01'])
})

test('text that is not a day is a RangeError', () => {
  expect(() => epochMsOf('yesterday')).toThrow(new RangeError('"yesterday" is not a day YYYY-MM-DD'))
  expect(() => addDays('2024-13-01', 1)).toThrow(RangeError)
  expect(() => dayOf(Number.NaN)).toThrow(RangeError)
})

test.each([
  ['2024-02-28', 1, '2024-02-29'],
  ['2024-02-28', 2, '2024-03-01'],
  ['2023-02-28', 1, '2023-03-01'],
  ['1900-02-28', 1, '1900-03-01'],
  ['2000-02-28', 1, '2000-02-29'],
  ['2023-12-31', 1, '2024-01-01'],
  ['1970-01-01', -1, '1969-12-31'],
  ['2024-01-01', 366, '2025-01-01'],
  ['2023-01-01', 365, '2024-01-01'],
  ['1900-01-01', 36_524, '2000-01-01'],
  ['2024-03-10', 1, '2024-03-11'],
  ['2024-07-04', 0, '2024-07-04'],
])('%s and %i days are %s', (from, days, to) => {
  expect(addDays(from, days)).toBe(to)
  expect(addDays(to, -days)).toBe(from)
  expect(daysBetween(from, to)).toBe(days)
  expect(daysBetween(to, from)).toBe(0 - days)
})

// 1970-01-01 was a Thursday, 1900-01-01 a Monday, 2000-02-29 a Tuesday, 2024-12-29 a Sunday.
test.each([
  ['1970-01-01', 4],
  ['1969-12-31', 3],
  ['1900-01-01', 1],
  ['2000-02-29', 2],
  ['2024-12-29', 0],
  ['2024-12-28', 6],
])('%s is weekday %i', (day, weekday) => {
  expect(weekdayOf(day)).toBe(weekday)
})

test.each([
  ['2024-02', '2024-02-29'],
  ['2023-02', '2023-02-28'],
  ['1900-02', '1900-02-28'],
  ['2000-02', '2000-02-29'],
  ['2024-04', '2024-04-30'],
  ['2024-12', '2024-12-31'],
  ['1969-12', '1969-12-31'],
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  ['0004-02', '0004-02-29'],
  ['0099-12', '0099-12-31'],
  ['9999-12', '9999-12-31'],
])('%s ends on %s', (month, last) => {
  expect(lastDayOfMonth(month)).toBe(last)
})

test.each([
  [2024, 366],
  [2023, 365],
  [1900, 365],
  [2000, 366],
  [0, 366],
  [9999, 365],
])('the year %i has %i days', (year, count) => {
  const digits = String(year).padStart(4, '0')
  const days = daysOfYear(year)
  expect(days).toHaveLength(count)
  expect([days[0], days[1], days[31], days.at(-1)]).toEqual([
    `${digits}-01-01`,
    `${digits}-01-02`,
    `${digits}-02-01`,
    `${digits}-12-31`,
  ])
  expect(new Set(days).size).toBe(count)
})
