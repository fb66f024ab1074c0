import { afterEach, describe, expect, test } from 'vitest'
import { addDays, daysBetween, isValidDate, lastDayOfMonth } from '../../src/market/day.ts'
import { yearsToExpiry } from '../../src/market/expiry-time.ts'
import { isoMicros } from '../../src/market/iso-time.ts'
import { isMonthlyExpiry } from '../../src/market/monthly-expiry.ts'
import { newYorkInstant } from '../../src/market/new-york.ts'
import { earlyCloses, isSession, lastSession, sessionClose } from '../../src/market/sessions.ts'

/** Days on which clocks or calendars change, wherever the program runs. */

const ZONES = { UTC: 0, 'America/New_York': 300, 'Asia/Kolkata': -330, 'Pacific/Auckland': -780 }
const own = process.env.TZ

afterEach(() => {
  if (own === undefined) delete process.env.TZ
  else process.env.TZ = own
})

describe.each(Object.entries(ZONES))('in %s', (zone, minutesWest) => {
  const within = (name: string, check: () => void) =>
    test(name, () => {
      process.env.TZ = zone
      expect(new Date(2024, 0, 1).getTimezoneOffset()).toBe(minutesWest)
      check()
    })
  const at = (date: string, minutes: number) => new Date(newYorkInstant(date, minutes)).toISOString()

  within('the session opens at 09:30 New York before and after the clocks change', () => {
    // New York is 5 hours behind UTC in winter and 4 in summer. In 2024 that changed on 10 March and 3 November.
    expect(at('2024-03-08', 570)).toBe('2024-03-08T14:30:00.000Z')
    expect(at('2024-03-11', 570)).toBe('2024-03-11T13:30:00.000Z')
    expect(at('2024-11-01', 570)).toBe('2024-11-01T13:30:00.000Z')
    expect(at('2024-11-04', 570)).toBe('2024-11-04T14:30:00.000Z')
  })

  within('a day on which the clocks change has its own midnights', () => {
    expect(at('2024-03-10', 0)).toBe('2024-03-10T05:00:00.000Z')
    expect(at('2024-03-10', 1440)).toBe('2024-03-11T04:00:00.000Z')
    expect(at('2024-11-03', 0)).toBe('2024-11-03T04:00:00.000Z')
    expect(at('2024-11-03', 1440)).toBe('2024-11-04T05:00:00.000Z')
  })

  within('early closes end at 13:00', () => {
    expect(earlyCloses('2024-01-01', '2024-12-31')).toEqual(['2024-07-03', '2024-11-29', '2024-12-24'])
    expect(at('2024-11-29', sessionClose('2024-11-29'))).toBe('2024-11-29T18:00:00.000Z')
    expect(at('2024-07-03', sessionClose('2024-07-03'))).toBe('2024-07-03T17:00:00.000Z')
    expect(sessionClose('2024-12-26')).toBe(960)
    // An hour before that close, of a year of 365 days.
    expect(yearsToExpiry('2024-11-29', 720, '2024-11-29', 'PM')).toBeCloseTo(60 / 1440 / 365, 12)
  })

  within('a leap day is a day', () => {
    expect([isValidDate('2024-02-29'), isValidDate('2023-02-29'), isValidDate('2100-02-29')]).toEqual([
      true,
      false,
      false,
    ])
    expect([addDays('2024-02-28', 1), addDays('2024-02-29', 1), addDays('2023-02-28', 1)]).toEqual([
      '2024-02-29',
      '2024-03-01',
      '2023-03-01',
    ])
    expect([lastDayOfMonth('2024-02'), lastDayOfMonth('2023-02')]).toEqual(['2024-02-29', '2023-02-28'])
    expect(isSession('2024-02-29')).toBe(true)
    expect(isoMicros('2024-02-29T23:59:59.999999-05:00')).toBe(1_709_269_199_999_999n)
  })

  within('a year ends after its last day', () => {
    expect([addDays('2024-12-31', 1), addDays('2025-01-01', -1)]).toEqual(['2025-01-01', '2024-12-31'])
    expect(daysBetween('2024-12-31', '2025-01-01')).toBe(1)
    expect(lastSession('2024-12-28', '2025-01-01')).toBe('2024-12-31')
    expect(at('2024-12-31', 1440)).toBe('2025-01-01T05:00:00.000Z')
    expect(isoMicros('2025-01-01')).toBe(1_735_689_600_000_000n)
  })

  within('a standard expiration is a third Friday, by the calendar of New York', () => {
    expect(['2024-03-15', '2024-03-14', '2024-03-22'].map(isMonthlyExpiry)).toEqual([true, false, false])
    // Good Friday of 2019 was the third Friday of April.
    expect(['2019-04-18', '2019-04-17'].map(isMonthlyExpiry)).toEqual([true, false])
  })
})
