import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildAdmin } from '../../../src/api/process/admin.ts'
import { lakeAge } from '../../../src/api/process/lake-age.ts'
import type { Observation, Observe } from '../../../src/engine/observation.ts'
import { CLOSING_RULE } from '../../../src/lake/closing/closed-date.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { HEALTH } from './health.ts'

const folder = temporaryFolder()
let lake: string
beforeAll(async () => {
  lake = await importOptionDays(folder, [{ date: '2024-01-12', trades: { ACME: 30 } }])
})
afterEach(() => vi.useRealTimers())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const adminOf = (maxAgeSessions: number, observe: Observe = () => {}) =>
  buildAdmin({
    ...HEALTH,
    age: lakeAge({ lake, snapshot: null, closing: CLOSING_RULE, maxAgeSessions }),
    observe,
  }).server

/** Sets the time: Wednesday 2024-01-17 after the close, two sessions after Friday the 12th. */
const onWednesday = () => vi.useFakeTimers({ now: Date.parse('2024-01-17T22:00:00Z'), toFake: ['Date'] })

test('the server is not ready while the last closed day is too old, and says why', {
  tags: 'slow',
}, async () => {
  onWednesday()
  const seen: Observation[] = []
  const admin = adminOf(1, observation => seen.push(observation))
  const old = await admin.inject('/-/ready')
  expect(old.statusCode).toBe(503)
  expect(old.json()).toEqual({
    status: 'outdated',
    reason:
      'the last closed day of contract_days is 2024-01-12: 2 trading sessions have finished since, 1 are allowed; import later days, or close them with tapehouse import --close',
    workers_ready: 1,
    workers: 1,
  })
  expect((await admin.inject('/-/metrics')).body).toContain('tapehouse_lake_age_sessions 2')
  // Few rows do not make the lake newer, a whole day does.
  await importOptionDays(folder, [{ date: '2024-01-16', trades: { ACME: 2 } }])
  expect((await admin.inject('/-/ready')).statusCode).toBe(503)
  await importOptionDays(folder, [{ date: '2024-01-16', trades: { BOLT: 30 } }])
  const ready = await admin.inject('/-/ready')
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', workers_ready: 1, workers: 1 }])
  // One line for each change, however often it is asked.
  await admin.inject('/-/ready')
  expect(seen).toEqual([
    { kind: 'readiness', status: 'outdated', reason: old.json().reason },
    { kind: 'readiness', status: 'ready', reason: null },
  ])
  await admin.close()
})

test('the age does not matter within the limit, or without one', async () => {
  onWednesday()
  for (const sessions of [2, 0]) {
    const admin = adminOf(sessions)
    expect((await admin.inject('/-/ready')).statusCode).toBe(200)
    await admin.close()
  }
})

test('a lake that cannot be loaded is the reason', async () => {
  const { server } = buildAdmin({
    ...HEALTH,
    age: lakeAge({ lake: `${lake}-gone`, snapshot: null, closing: CLOSING_RULE, maxAgeSessions: 1 }),
  })
  const { reason } = (await server.inject('/-/ready')).json()
  expect(reason).toContain('holds no lake')
  await server.close()
})
