import { expect, test } from 'vitest'
import { inputFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import { importFiles } from '../../../src/lake/import/import.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { answer, pin, settle } from '../../../src/operations/answering/answer.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { answerable } from '../../../src/operations/contents/answerable.ts'
import { operations } from '../../../src/operations/index.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'
import { THREADS } from '../../fixtures/threads.ts'
import { recordsOf } from '../../golden/cases.ts'

/** Lakes of one file: the operations that it answers, and what the others lack. */

const signal = new AbortController().signal

/** The operations that have records in a lake, by a request that the lake has data for. */
async function answeredBy(lake: string): Promise<string[]> {
  const snapshot = await loadSnapshot(lake)
  const engine = await engineFor(lake)
  const answered: string[] = []
  try {
    for (const operation of operations)
      for (const values of await requestsFor(operation, snapshot, engine, signal)) {
        const validated = validate(operation, inputFor(operation, values))
        if ('faults' in validated) throw new Error(`${operation.id} has an invalid example`)
        const request = pin(operation, validated.values, snapshot, { owner: null, admin: true })
        const { bytes } = await answer(await settle(request, engine, signal), engine, 'json', signal)
        if (recordsOf(JSON.parse(Buffer.from(bytes).toString())).length === 0) continue
        answered.push(operation.id)
        break
      }
    // Each other one lacks datasets, and the imports that fill them are known.
    const held = new Set(snapshot.datasets)
    for (const operation of operations) {
      const { answers, missing } = answerable(operation, held)
      expect(answers === 'no', operation.id).toBe(!answered.includes(operation.id))
      if (answers === 'no')
        expect(
          missing.flatMap(each => each.import),
          operation.id,
        ).not.toEqual([])
    }
  } finally {
    await engine.close()
  }
  return answered
}

test('a chain answers open interest, greeks, screener and stance', async () => {
  const lake = `${folderForTest()}/lake`
  await importFiles({
    format: 'option-chain',
    inputs: ['data/samples/option-chain'],
    lake,
    threads: THREADS,
    observe: () => {},
  })
  expect(await answeredBy(lake)).toEqual([
    'greeks',
    'oi-per-expiry',
    'option-stance',
    'screener-option-contracts',
    'volume-oi-expiry',
  ])
})

test('daily bars answer analytics', async () => {
  const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'].map((date, index) =>
    flatDay('ONE', date, String(100 + index)),
  )
  expect(await answeredBy(await makeLake(folderForTest(), { days }))).toEqual(['analytics-window'])
})
