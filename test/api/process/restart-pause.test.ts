import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { restartPauses } from '../../../src/api/supervise/restart-pause.ts'
import { serving } from '../../cli/process.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../../fixtures/lake.ts'

const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
let lake = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: SMALL_DAYS })
  await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the pause doubles with each consecutive short life, up to 30 s, and ends with a long life', () => {
  const pauseAfter = restartPauses()
  const lives = [0, 10, 4999, 10, 10, 10, 10, 10, 10]
  expect(lives.map(pauseAfter)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  expect([5000, 60_000, 10].map(pauseAfter)).toEqual([0, 0, 500])
})

interface WorkerLine {
  readonly msg: string
  readonly workerPid: number
  readonly time: string
}

test('a worker that keeps dying is restarted after a longer pause each time', { tags: 'slow' }, async () => {
  const server = await serving(['--lake', lake, '--tokens', tokens, '--workers', '1', '--log-level', 'info'])
  const times = (msg: string) =>
    server
      .output()
      .split('\n')
      .filter(line => line.startsWith('{') && line.endsWith('}'))
      .map(line => JSON.parse(line) as WorkerLine)
      .filter(line => line.msg === msg)
  const deaths = 3
  for (let death = 0; death < deaths; death += 1) {
    const started = await vi.waitUntil(() => times('worker_started')[death], 20_000)
    process.kill(started.workerPid, 'SIGKILL')
  }
  await vi.waitUntil(() => times('worker_started').length > deaths, 20_000)
  const started = times('worker_started').map(({ time }) => Date.parse(time))
  const pauses = times('worker_ended').map(({ time }, index) => Number(started[index + 1]) - Date.parse(time))
  // The first worker may have lived long; the others were killed as soon as they started. A timer may fire 1 ms early.
  expect(pauses[1]).toBeGreaterThanOrEqual(499)
  expect(pauses[2]).toBeGreaterThanOrEqual(999)
})
