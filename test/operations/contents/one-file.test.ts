import { expect, test } from 'vitest'
import { inputFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import { importFiles } from '../../../src/lake/import/import.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { answer, pin, settle } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, InvalidRequest, validate } from '../../../src/operations/answering/validate.ts'
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
  const lake = await makeLake(folderForTest(), { days })
  expect(await answeredBy(lake)).toEqual(['analytics-window'])

  // A request that names what the lake cannot know is refused with the import that is missing.
  const snapshot = await loadSnapshot(lake)
  const engine = await engineFor(lake)
  const refusalOf = async (id: string, values: Record<string, string>) => {
    const operation = operations.find(each => each.id === id) as Operation
    const validated = validate(operation, inputFor(operation, values))
    if ('faults' in validated) throw new Error(faultText(validated.faults))
    const request = pin(operation, validated.values, snapshot, { owner: null, admin: true })
    const refused: unknown = await settle(request, engine, signal)
      .then(settled => answer(settled, engine, 'json', signal))
      .catch((thrown: unknown) => thrown)
    return refused instanceof InvalidRequest ? faultText(refused.faults) : `not refused: ${id}`
  }
  try {
    expect(await refusalOf('etf-info', { ticker: 'SPY' })).toContain(
      'ticker is SPY, but the lake has no etfs: import data with tapehouse import etf-holdings or etf-info',
    )
    expect(await refusalOf('forex-rate', { from: 'USD', to: 'EUR' })).toContain(
      'from is USD, but the lake has no fx_quotes: import data with tapehouse import fx-rates',
    )
    expect(await refusalOf('institution-holdings', { name: 'Foo' })).toContain(
      'name is "Foo", but the lake has no institution_totals: import data with tapehouse import sec-13f',
    )
  } finally {
    await engine.close()
  }
})
