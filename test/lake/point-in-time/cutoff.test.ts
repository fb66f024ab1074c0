import { expect, test } from 'vitest'
import { cutoffOf, knowledgeDay } from '../../../src/lake/point-in-time/cutoff.ts'

test.each([
  // Eastern Standard Time is UTC−5, Eastern Daylight Time UTC−4.
  ['2024-01-15', '2024-01-16T01:00:00.000Z'],
  ['2024-07-15', '2024-07-16T00:00:00.000Z'],
  // The clocks change at 02:00 on 10 March and on 3 November.
  ['2024-03-09', '2024-03-10T01:00:00.000Z'],
  ['2024-03-10', '2024-03-11T00:00:00.000Z'],
  ['2024-11-03', '2024-11-04T01:00:00.000Z'],
])('what was known on %s is known by %s', (day, instant) => {
  expect(new Date(cutoffOf(day)).toISOString()).toBe(instant)
})

test.each([
  ['2024-01-15', '2024-01-15'],
  ['2024-01-15T20:00:00-05:00', '2024-01-15'],
  ['2024-01-15T19:59:59.999999-05:00', '2024-01-14'],
  ['2024-01-16T01:00:00Z', '2024-01-15'],
  ['2024-01-16T00:59:59Z', '2024-01-14'],
  ['2024-07-16T00:00:00Z', '2024-07-15'],
  ['2024-07-15T23:59:59Z', '2024-07-14'],
  // 10:00 on the 16th in Tokyo is 20:00 on the 15th in New York.
  ['2024-01-16T10:00:00+09:00', '2024-01-15'],
  // As a `+` that a URL lost.
  ['2024-01-16T10:00:00 09:00', '2024-01-15'],
  ['2024-01-16T09:30:00-05:00', '2024-01-15'],
])('%s is on the day of knowledge %s', (text, day) => {
  expect(knowledgeDay(text)).toBe(day)
})

test.each([
  '',
  '2024-02-30',
  '2024-01-15T20:00:00',
  '2024-01-15 20:00',
  '20:00-05:00',
  '1705345200',
  'yesterday',
])('%j is not a time', text => {
  expect(knowledgeDay(text)).toBeNull()
})
