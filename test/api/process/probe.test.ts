import { tmpdir } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { probeEngine } from '../../../src/api/process/probe.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { engineFor } from '../../fixtures/service.ts'

const EVERY_MS = 5000

/** Enough work for minutes, in an operator that looks for interrupts. */
const ENDLESS = {
  operation: 'test',
  template: {
    name: 'test',
    sql: 'SELECT sum(a.range * b.range) AS n FROM range(10000000) a, range(100000) b',
    parameters: [],
  },
  bindings: {},
}

/** An engine with one connection that is probed when `pass` moves the clock. */
async function probed(deadlineMs: number, queueMax = 0) {
  const connecting = vi.spyOn(DuckDBInstance.prototype, 'connect')
  const engine = await engineFor(tmpdir(), () => {}, { leasesMax: 1, queueMax })
  const connections = connecting.mock.settledResults.map(({ value }) => value as DuckDBConnection)
  connecting.mockRestore()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const probes: Promise<unknown>[] = []
  const places: Engine['places'] = (...query) => {
    const probe = engine.places(...query)
    probes.push(probe)
    return probe
  }
  const reasons: string[] = []
  const stop = probeEngine({ places }, deadlineMs, reason => reasons.push(reason))
  return {
    engine,
    connections,
    probes,
    reasons,
    stop,
    pass: (ms: number) => vi.advanceTimersByTime(ms),
    /** How each probe ended. */
    async outcomes() {
      const settled = await Promise.allSettled(probes)
      await turn()
      return settled.map(({ status }) => status)
    },
  }
}

test('an engine that answers is asked every five seconds, and not reported', async () => {
  const { engine, probes, reasons, stop, pass, outcomes } = await probed(10_000)
  pass(EVERY_MS - 1)
  expect(probes).toHaveLength(0)
  pass(1)
  expect(await outcomes()).toEqual(['fulfilled'])
  pass(EVERY_MS)
  expect(await outcomes()).toEqual(['fulfilled', 'fulfilled'])
  stop()
  pass(EVERY_MS)
  expect([probes.length, reasons]).toEqual([2, []])
  await engine.close()
})

test.each([
  { busy: 'its queue is full', deadlineMs: 60_000, queueMax: 0 },
  { busy: 'a probe meets its deadline', deadlineMs: 20, queueMax: 1 },
])('an engine with much to do is not reported: $busy', async ({ deadlineMs, queueMax }) => {
  const { engine, probes, reasons, stop, pass, outcomes } = await probed(deadlineMs, queueMax)
  const client = new AbortController()
  const answer = engine.table(ENDLESS, client.signal)
  while (engine.running === 0) await turn()
  // One probe at a time.
  pass(2 * EVERY_MS)
  expect(probes).toHaveLength(1)
  expect(await outcomes()).toEqual(['rejected'])
  pass(EVERY_MS)
  expect([await outcomes(), reasons]).toEqual([['rejected', 'rejected'], []])
  stop()
  vi.useRealTimers()
  client.abort(new Error('the test ends'))
  await expect(answer).rejects.toThrow('the test ends')
  await engine.close()
})

test('an engine that fails is reported with its error each time', async () => {
  const { engine, connections, reasons, stop, pass, outcomes } = await probed(10_000)
  // No statement that the engine permits makes it fail for good: its connections are closed behind its back.
  for (const connection of connections) connection.disconnectSync()
  pass(EVERY_MS)
  expect(await outcomes()).toEqual(['rejected'])
  pass(EVERY_MS)
  await outcomes()
  const reason = 'Failed to prepare: connection disconnected'
  expect(reasons).toEqual([reason, reason])
  stop()
  await engine.close()
})
