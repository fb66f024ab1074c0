import { expect, test } from 'vitest'
import { runLength } from '../../../src/lake/derive/runs.ts'

const DAYS = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08']
const rows = (...counts: readonly number[]) => ({ rows: (day: string) => counts[DAYS.indexOf(day)] ?? 0 })

test.each([
  ['all days, if they have few rows', 2, 0, [rows(1, 1, 1, 1, 1)], 5],
  ['those from the first one on', 2, 3, [rows(1, 1, 1, 1, 1)], 2],
  [
    'as many as have the most rows, of all sources together',
    2,
    0,
    [rows(1, 1, 1, 1, 1), rows(2, 2, 2, 2, 2)],
    3,
  ],
  ['the days of a run, if they have more rows', 2, 1, [rows(9, 9, 9, 9, 9)], 2],
  ['the days that are left', 3, 4, [rows(9, 9, 9, 9, 9)], 1],
  ['one day, where each needs the day before', 1, 0, [rows(1, 1, 1, 1, 1)], 1],
])('a statement computes %s', (_, run, first, sources, length) => {
  expect(runLength({ run }, DAYS, first, sources, 10)).toBe(length)
})
