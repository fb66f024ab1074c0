import { expect, test } from 'vitest'
import { ageInSessions, lastFinishedSession } from '../../../src/lake/closing/age.ts'
import { oldestOf } from '../../../src/lake/closing/oldest.ts'

const at = (instant: string) => Date.parse(instant)

test.each([
  // Friday 2024-01-12; Monday the 15th is a holiday. The close is at 21:00 UTC in winter.
  ['2024-01-12T20:59:59Z', '2024-01-11'],
  ['2024-01-12T21:00:00Z', '2024-01-12'],
  ['2024-01-16T20:59:59Z', '2024-01-12'],
  // Late in the evening of New York it is the next day in UTC.
  ['2024-01-17T03:00:00Z', '2024-01-16'],
  // 13:00 in New York on the early close of 2024-07-03 is 17:00 UTC.
  ['2024-07-03T16:59:59Z', '2024-07-02'],
  ['2024-07-03T17:00:00Z', '2024-07-03'],
])('at %s the last finished session is %s', (instant, session) => {
  expect(lastFinishedSession(at(instant))).toBe(session)
})

test('the age of a day is the number of sessions that have finished since', () => {
  const now = at('2024-01-17T22:00:00Z')
  expect(ageInSessions('2024-01-17', now)).toBe(0)
  expect(ageInSessions('2024-01-12', now)).toBe(2)
  expect(ageInSessions('2024-01-15', now)).toBe(2)
  expect(ageInSessions('2024-02-01', now)).toBe(0)
})

test('the oldest dataset of a lake decides', () => {
  const days: Readonly<Record<string, string>> = { option_trades: '2024-01-16', stock_days: '2024-01-12' }
  const lake = { closedDate: (dataset: string) => days[dataset] ?? null }
  expect(oldestOf(lake, at('2024-01-17T22:00:00Z'))).toEqual({
    dataset: 'stock_days',
    closed: '2024-01-12',
    sessions: 2,
  })
  expect(oldestOf({ closedDate: () => null }, 0)).toBeNull()
})
