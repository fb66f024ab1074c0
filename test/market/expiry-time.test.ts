import { expect, test } from 'vitest'
import { yearsToExpiry, yearsToExpiryAtClose } from '../../src/market/expiry-time.ts'

const [OPEN, NOON, CLOSE] = [9 * 60 + 30, 12 * 60, 16 * 60]
const DAY = 1 / 365
const HOUR = DAY / 24

test.each([
  // Date to date, whatever the time and the settlement.
  ['2024-01-18', CLOSE, '2024-01-19', 'PM', DAY],
  ['2024-01-18', OPEN, '2024-01-19', 'AM', DAY],
  ['2024-01-12', NOON, '2024-01-19', 'PM', 7 * DAY],
  // Across a change of clocks and a 29 February.
  ['2024-02-28', NOON, '2024-03-28', 'PM', 29 * DAY],
  ['2024-01-19', NOON, '2025-01-17', 'PM', 364 * DAY],
  // On the day itself the time left.
  ['2024-01-19', OPEN, '2024-01-19', 'PM', 6.5 * HOUR],
  ['2024-01-19', NOON, '2024-01-19', 'PM', 4 * HOUR],
  ['2024-01-19', CLOSE - 1, '2024-01-19', 'PM', HOUR / 60],
  ['2024-01-19', CLOSE, '2024-01-19', 'PM', 0],
  ['2024-01-19', CLOSE + 15, '2024-01-19', 'PM', 0],
  ['2024-01-19', 8 * 60, '2024-01-19', 'AM', 1.5 * HOUR],
  ['2024-01-19', OPEN, '2024-01-19', 'AM', 0],
  ['2024-01-19', NOON, '2024-01-19', 'AM', 0],
  // The Friday after Thanksgiving closes at 13:00.
  ['2023-11-24', NOON, '2023-11-24', 'PM', HOUR],
  ['2023-11-24', 13 * 60, '2023-11-24', 'PM', 0],
  ['2024-01-20', OPEN, '2024-01-19', 'PM', 0],
] as const)(
  'at %s, minute %i, a contract of %s (%s) has %f years left',
  (date, minutes, expiry, settlement, years) => {
    expect(yearsToExpiry(date, minutes, expiry, settlement)).toBeCloseTo(years, 15)
  },
)

test('at the close nothing is left on the expiration day, and whole days before it', () => {
  expect(yearsToExpiryAtClose('2024-01-19', '2024-01-19', 'PM')).toBe(0)
  expect(yearsToExpiryAtClose('2024-01-19', '2024-01-19', 'AM')).toBe(0)
  expect(yearsToExpiryAtClose('2023-11-24', '2023-11-24', 'PM')).toBe(0)
  expect(yearsToExpiryAtClose('2024-01-18', '2024-01-19', 'AM')).toBe(1 / 365)
})
