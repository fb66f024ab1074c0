import { expect, test } from 'vitest'
import { derive } from '../../../src/lake/derive/derive.ts'
import { runLength } from '../../../src/lake/derive/runs.ts'
import { withDraft } from '../../../src/lake/land/draft.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { writerForTest } from '../store/days.ts'
import { landRows } from './derived-lake.ts'

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
  expect(runLength({ run }, DAYS, first, sources, () => true, 10)).toBe(length)
})

test('a statement computes no day after one that is not wanted, and looks at none', () => {
  const looked: string[] = []
  const isWanted = (day: string) => {
    looked.push(day)
    return day !== '2024-01-04'
  }
  const lengthFrom = (first: number) => runLength({ run: 9 }, DAYS, first, [rows(1, 1, 1, 1, 1)], isWanted)
  expect([0, 1, 2, 3].map(lengthFrom)).toEqual([2, 1, 0, 2])
  expect(looked).toEqual([...DAYS.slice(0, 3), ...DAYS.slice(1, 3), ...DAYS.slice(2, 3), ...DAYS.slice(3)])
})

test('days with few rows are computed in one statement, which is reported once', async () => {
  const lake = folderForTest()
  const writer = await writerForTest(lake)
  const begun: number[] = []
  await withDraft(
    writer,
    lake,
    each => {
      if (each.kind === 'progress' && each.task === 'derive price_levels' && each.done !== undefined)
        begun.push(each.done)
    },
    async draft => {
      await landRows(
        draft,
        'stock_trades',
        `SELECT DATE '2024-01-02' + range::INTEGER AS date, 'ACME' AS ticker, TIMESTAMP '2024-01-02 15:00' + to_days(range::INTEGER) AS executed_at,
           1 AS sequence, 10 AS price, 100 AS size, 'D' AS exchange, false AS canceled FROM range(45)`,
      )
      const [{ computed } = { computed: [] }] = await derive(draft, { datasets: ['price_levels'] })
      expect(computed).toHaveLength(45)
    },
  )
  // A run of price_levels is 20 days.
  expect(begun).toEqual([0, 45])
})
