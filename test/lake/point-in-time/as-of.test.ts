import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { snapshotAsOf } from '../../../src/lake/point-in-time/as-of.ts'
import { datasets } from '../../../src/lake/store/datasets.ts'
import { derivations } from '../../../src/lake/store/derivation.ts'
import { FORMAT } from '../../../src/lake/store/format.ts'
import { loadSnapshot, snapshotOf } from '../../../src/lake/store/snapshot.ts'
import { addDays } from '../../../src/market/day.ts'
import { operations } from '../../../src/operations/index.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { engineFor } from '../../fixtures/service.ts'
import { sharedWriter } from '../../fixtures/shared-writer.ts'
import { amount, countCases } from '../../fixtures/tier.ts'
import { outcomeOf, requestsAround } from './answers.ts'
import { KNOWN_BY, rebuildAsOf } from './known-by.ts'

test('the test knows of every imported dataset when its rows were published', () => {
  expect(Object.keys(KNOWN_BY)).toEqual([...datasets().keys()].filter(name => !derivations().has(name)))
})

/** The record of a lake without rows. */
const NO_RECORD = {
  format: FORMAT,
  number: 1,
  parent: null,
  created_at: '1970-01-01T00:00:00.000Z',
  writer: { version: '', host: '', pid: 0 },
} as const

const MARKET = amount<'small' | 'whole'>({ test: 'small', prove: 'whole', long: 'whole' })

/** Compares all answers as of a day with those of a lake that never had anything later. Returns how many had records. */
async function compare(day: string): Promise<{ requests: number; operations: number }> {
  const lake = await sharedMarket(MARKET)
  const folder = folderForTest()
  const scratch = join(folder, 'scratch')
  mkdirSync(scratch)
  const rebuilt = join(folder, 'rebuilt')
  const writer = await sharedWriter()
  const whole = await loadSnapshot(lake)
  const asOf = await snapshotAsOf(writer, whole, day, scratch, () => {})
  await rebuildAsOf(writer, whole, day, rebuilt)
  const never = existsSync(join(rebuilt, 'CURRENT'))
    ? await loadSnapshot(rebuilt)
    : snapshotOf(rebuilt, NO_RECORD, new Map(), whole.closing)
  for (const { name } of datasets().values())
    expect([name, asOf.lastDate(name)]).toEqual([name, never.lastDate(name)])

  const engine = await engineFor(lake, () => {}, { directories: [folder] })
  const answered = new Set<string>()
  let requests = 0
  try {
    for (const operation of operations) {
      const all = [
        ...(await requestsAround(operation, whole, engine, day)),
        ...(await requestsAround(operation, asOf, engine, day)),
      ]
      for (const values of all) {
        const one = await outcomeOf(operation, values, asOf, engine)
        const other = await outcomeOf(operation, values, never, engine)
        expect([operation.id, values, one]).toEqual([operation.id, values, other])
        requests += 1
        if (!one.startsWith('failed') && /[[{]\{?"/.test(one.slice(8))) answered.add(operation.id)
      }
    }
  } finally {
    await engine.close()
  }
  return { requests, operations: answered.size }
}

/** Days around what happens in the generated market, whose sessions are 27, 30 and 31 December 2024. */
const DAYS = amount<readonly string[]>({
  test: ['2024-12-30'],
  // The last day, a Sunday, within the weeks in which institutions file, the end of a year, and before everything.
  prove: ['2024-12-31', '2024-12-29', '2024-11-06', '2023-12-31', '1990-01-01'],
  long: [
    ...Array.from({ length: 60 }, (_, back) => addDays('2024-12-31', -back)),
    ...Array.from({ length: 60 }, (_, back) => addDays('2024-11-01', -7 * back)),
    '1990-01-01',
  ],
})

test.each(DAYS)(
  'as of %s, all operations answer like a lake that never received what came later',
  { tags: 'slow' },
  async day => {
    const { requests, operations: answering } = await compare(day)
    countCases(requests)
    expect(answering).toBeGreaterThanOrEqual(day >= '2024-12-27' ? 27 : day >= '2024-10-31' ? 15 : 0)
  },
)

/** Days on which some of the reports that were filed again had their first filing only. */
const DAYS_BETWEEN = amount<readonly string[]>({
  test: ['2024-11-22'],
  prove: ['2024-11-22', '2024-11-06', '2024-09-13', '2023-05-31'],
  long: Array.from({ length: 40 }, (_, back) => addDays('2024-12-20', -17 * back)),
})

test.each(DAYS_BETWEEN)('by the date %s, reports are what they are as of it', { tags: 'slow' }, async day => {
  const folder = folderForTest()
  const whole = await loadSnapshot(await sharedMarket(MARKET))
  const asOf = await snapshotAsOf(await sharedWriter(), whole, day, folder, () => {})
  const engine = await engineFor(whole.lake, () => {}, { directories: [folder] })
  const reports = operations.filter(({ id }) => /^institution-(holdings|sectors)$/.test(id))
  let changed = 0
  try {
    for (const operation of reports)
      for (let institution = 0; institution < INSTITUTIONS; institution += 1) {
        const values = { name: String(9_000_100 + 37 * institution), limit: '500' }
        const byDate = await outcomeOf(operation, { ...values, date: day }, whole, engine)
        expect([operation.id, values.name, byDate]).toEqual([
          operation.id,
          values.name,
          await outcomeOf(operation, values, asOf, engine),
        ])
        const first = await outcomeOf(operation, { ...values, date: '2024-12-31' }, whole, engine)
        if (byDate !== first) changed += 1
      }
  } finally {
    await engine.close()
  }
  countCases(2 * INSTITUTIONS)
  expect(changed).toBeGreaterThan(0)
})

/** Of the 40 of the generated market. */
const INSTITUTIONS = amount({ test: 12, prove: 40, long: 40 })
