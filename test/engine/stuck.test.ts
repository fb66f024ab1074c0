import { tmpdir } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { text } from '../../src/engine/bind.ts'
import { deadline } from '../../src/engine/deadline.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Observation } from '../../src/engine/observation.ts'
import { engineFor } from '../fixtures/service.ts'

/** When the deadline of a query passes, or its client leaves. */
const END_MS = 200

/** One call of a function, in which DuckDB looks for no interrupt. It takes about a second. */
const DEAF = "SELECT levenshtein(repeat($a, 14000), repeat('b', 14000)) AS n"
/** Enough work for minutes, in an operator that looks for interrupts. */
const ENDLESS = 'SELECT sum(a.range * b.range) + length($a) AS n FROM range(10000000) a, range(100000) b'

const ask = (engine: Engine, sql: string, signal: AbortSignal) =>
  engine.table(
    { operation: 'test', template: { name: 'test', sql, parameters: [] }, bindings: { a: text('a') } },
    signal,
  )

/** An engine, the queries that it reports as stuck, and a clock that only `pass` moves after the end of the query. */
async function asked(sql: string, end: 'deadline_exceeded' | 'canceled') {
  const stuck: Observation[] = []
  const engine = await engineFor(
    tmpdir(),
    observation => {
      if (observation.kind === 'query_stuck') stuck.push(observation)
    },
    { leasesMax: 1 },
  )
  // The deadline shall not pass while the engine does for the first time what it does once.
  await ask(engine, "SELECT levenshtein($a, 'b') AS n", new AbortController().signal)
  const client = new AbortController()
  const limit = deadline(end === 'deadline_exceeded' ? END_MS : 60_000, client.signal)
  if (end === 'canceled') setTimeout(() => client.abort(), END_MS)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    limit.clear()
  })
  const answer = ask(engine, sql, limit.signal)
  await expect(answer).rejects.toMatchObject({ code: end })
  return { engine, stuck, pass: (ms: number) => vi.advanceTimersByTime(ms) }
}

test.each([
  { end: 'deadline_exceeded', afterMs: 2000 },
  { end: 'canceled', afterMs: 10_000 },
] as const)(
  'a query that ignores its interrupt is reported $afterMs ms after it: $end',
  async ({ end, afterMs }) => {
    const { engine, stuck, pass } = await asked(DEAF, end)
    pass(afterMs - 1)
    expect([engine.running, stuck]).toEqual([1, []])
    pass(1)
    expect(stuck).toEqual([{ kind: 'query_stuck', operation: 'test', durationMs: expect.any(Number) }])
    await engine.close()
    // Once.
    pass(60_000)
    expect(stuck).toHaveLength(1)
  },
)

test('a query that ends when it is interrupted is not reported', async () => {
  const { engine, stuck, pass } = await asked(ENDLESS, 'deadline_exceeded')
  await engine.close()
  pass(60_000)
  expect(stuck).toEqual([])
})
