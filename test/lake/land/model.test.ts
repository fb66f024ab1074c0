import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { type Day, landDays, silent, storedDays, writerForTest } from '../store/days.ts'

/** Dates around the ends of months and years, so that runs of them fill some of either and leave others open. */
const DATES = [
  '2022-12-29',
  '2022-12-30',
  '2023-01-03',
  '2023-01-31',
  '2023-02-01',
  '2023-02-28',
  '2023-06-15',
  '2023-12-01',
  '2023-12-29',
  '2024-01-02',
  '2024-01-31',
]
const row = fc.record({
  ticker: fc.constantFrom('A', 'B', 'Ü', '\u{1f600}'),
  date: fc.constantFrom(...DATES),
  close: fc.integer({ min: 1, max: 9 }).map(String),
})
const landing = fc
  .uniqueArray(row, { selector: ({ ticker, date }) => `${ticker} ${date}`, minLength: 1, maxLength: 8 })
  .map(rows => ({ rows }))
const step = fc.oneof(
  { weight: 4, arbitrary: landing },
  { weight: 1, arbitrary: fc.constant('compact' as const) },
)

test('any landings and compactions leave the rows that a plain map would hold', async () => {
  const folder = folderForTest()
  const writer = await writerForTest(folder)
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
      runs += 1
      const lake = join(folder, String(runs))
      const model = new Map<string, Day>()
      const expected = () => [...model.values()].map(each => `${each.ticker} ${each.date} ${each.close}`)
      for (const each of steps) {
        if (each === 'compact') {
          if (model.size > 0) await compact(writer, lake, silent)
        } else {
          const changes = each.rows.some(
            ({ ticker, date, close }) => model.get(`${ticker} ${date}`)?.close !== close,
          )
          const { published } = await landDays(writer, lake, each.rows)
          expect(published).toBe(changes)
          for (const one of each.rows) model.set(`${one.ticker} ${one.date}`, one)
        }
        if (model.size > 0) expect((await storedDays(writer, lake)).toSorted()).toEqual(expected().toSorted())
      }
      if (model.size > 0) expect((await verify(writer, lake, silent)).problems).toEqual([])
    }),
    { numRuns: randomRuns(3) },
  )
})
