import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inputFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { Failure } from '../../../src/engine/failure.ts'
import { SESSION_DATASETS } from '../../../src/lake/contents/sessions.ts'
import { type LoadedSnapshot, loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { answer, pin } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { answerable } from '../../../src/operations/contents/answerable.ts'
import { countKeysWith, lakeContents } from '../../../src/operations/contents/contents.ts'
import { operations } from '../../../src/operations/index.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { engineFor } from '../../fixtures/service.ts'
import { SPECIFIED } from '../specification/parameters.ts'

const signal = new AbortController().signal

test('a small lake is described by its rows, days, tickers and missing sessions', async () => {
  const days = [
    flatDay('ONE', '2024-01-02', '100'),
    flatDay('TWO', '2024-01-02', '50'),
    flatDay('ONE', '2024-01-05', '110'),
  ]
  const lake = await makeLake(folderForTest(), { days })
  const engine = await engineFor(lake)
  try {
    const contents = await lakeContents(await loadSnapshot(lake), countKeysWith(engine, signal))
    const shared = {
      rows: 3,
      bytes: expect.any(Number),
      files: 2,
      first_day: '2024-01-02',
      last_day: '2024-01-05',
      keys: { column: 'ticker', count: 2, from: '2024-01-02' },
      missing_sessions: { count: 2, first: ['2024-01-03', '2024-01-04'] },
    }
    expect(contents).toMatchObject({ snapshot: 1, synthetic: false, rows: 6, files: 4 })
    expect(contents.datasets).toEqual([
      { name: 'daily_bars', origin: 'imported', ...shared },
      { name: 'stock_days', origin: 'derived', ...shared },
    ])
    const specified = contents.operations.filter(({ id }) => id in SPECIFIED)
    const those = (answers: string) => specified.filter(each => each.answers === answers).map(({ id }) => id)
    // One-minute bars lack, but they would be days of stock_days.
    expect(those('yes')).toEqual([])
    expect(those('partly')).toEqual(['analytics-window'])
    expect(contents.operations).toHaveLength(operations.length)
    expect(contents.operations.find(({ id }) => id === 'greeks')).toEqual({
      id: 'greeks',
      answers: 'no',
      missing: ['option_chain_days', 'option_greek_days'].map(dataset => ({
        dataset,
        import: ['option-chain', 'option-open-interest'],
      })),
    })
    expect(contents.operations.find(({ id }) => id === 'institution-sectors')?.missing).toEqual([
      { dataset: 'institution_positions', import: ['sec-13f'] },
      { dataset: 'institutions', import: ['sec-13f'] },
      { dataset: 'institution_totals', import: ['sec-13f'] },
    ])
  } finally {
    await engine.close()
  }
})

test('a derived dataset counts once it was derived, even without rows, and is to be derived before', () => {
  const operation = operations.find(({ id }) => id === 'flow-alerts')
  const { datasets = [] } = operation ?? {}
  const answers = (held: readonly string[]) => operation && answerable(operation, new Set(held))
  expect(datasets).toContain('flow_alerts')
  expect(answers(datasets)).toMatchObject({ answers: 'yes', missing: [] })
  const others = datasets.filter(name => name !== 'flow_alerts')
  // flow_alerts is derived from option_trades.
  expect(answers([...others, 'option_trades'])).toMatchObject({
    answers: 'no',
    missing: [{ dataset: 'flow_alerts', import: [] }],
  })
  expect(answers(others)?.missing).toEqual([
    { dataset: 'flow_alerts', import: expect.arrayContaining(['option-trades']) },
  ])
})

describe('in a generated lake', () => {
  let snapshot: LoadedSnapshot
  let engine: Engine
  beforeAll(async () => {
    snapshot = await loadSnapshot(await sharedMarket('whole'))
    engine = await engineFor(snapshot.lake)
  }, 300_000)
  afterAll(() => engine.close())

  test('no session is missing, and every operation has its datasets', async () => {
    const contents = await lakeContents(snapshot, countKeysWith(engine, signal))
    expect(contents.synthetic).toBe(true)
    const complete = contents.datasets.filter(({ missing_sessions: missing }) => missing?.count === 0)
    expect(complete.map(({ name }) => name)).toEqual(SESSION_DATASETS)
    expect(new Set(contents.operations.map(({ answers }) => answers))).toEqual(new Set(['yes']))
  })

  /** The snapshot as if it lacked some datasets. */
  const without = (hidden: ReadonlySet<string>): LoadedSnapshot => ({
    ...snapshot,
    files: (name, selection) => (hidden.has(name) ? [] : snapshot.files(name, selection)),
    lastDate: name => (hidden.has(name) ? null : snapshot.lastDate(name)),
  })

  /** Parameters of requests that need no rows of a dataset, where the example of the operation does. */
  const WITHOUT: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
    // The example asks for daily prices. Those of intraday intervals come from stock_bars.
    'analytics-window': { stock_days: { interval: '5min' } },
  }

  /** Whether an answer has records without a dataset: a list with an element, or an object with a value. */
  async function hasRecords(operation: Operation, missing: string): Promise<boolean> {
    const from = without(new Set([missing]))
    const [request = {}] = await requestsFor(operation, snapshot, engine, signal)
    const validated = validate(
      operation,
      inputFor(operation, { ...request, ...WITHOUT[operation.id]?.[missing] }),
    )
    if ('faults' in validated) throw new Error(`${operation.id}: ${JSON.stringify(validated.faults)}`)
    try {
      const pinned = pin(operation, validated.values, from, { owner: null, admin: true })
      const { bytes } = await answer(pinned, engine, 'json', signal)
      const { data } = JSON.parse(Buffer.from(bytes).toString())
      const records = Array.isArray(data) ? data : (data.data ?? Object.values(data))
      return records.some((value: unknown) => value !== null)
    } catch (thrown) {
      if (thrown instanceof Failure) return false
      throw thrown
    }
  }

  test.each(operations)('$id has records exactly if the dataset of its records is there', async operation => {
    for (const name of operation.datasets) {
      const held = new Set(operation.datasets.filter(each => each !== name))
      const { answers, missing } = answerable(operation, held)
      expect(missing.map(({ dataset }) => dataset)).toEqual([name])
      expect(await hasRecords(operation, name), name).toBe(answers === 'partly')
    }
    expect(answerable(operation, new Set()).answers).toBe('no')
  })
})
