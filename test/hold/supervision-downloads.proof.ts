import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { type Server, serving } from '../cli/process.ts'
import { BUSY, busyLake } from '../fixtures/busy-contract.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { amount } from '../fixtures/tier.ts'
import { download, type Outcome } from './download.ts'
import { lines } from './lines.ts'
import { survivals } from './survivals.ts'

/** How long answers end when the server or a worker ends. */

const survived = survivals()
const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
let lake = ''
let token = ''
beforeAll(async () => {
  lake = await busyLake(folder, 100_000)
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Time for responses when a server stops. */
const DRAIN_MS = 6000

const serve = () => {
  const limits = ['--workers', '2', '--drain-ms', String(DRAIN_MS), '--log-level', 'info']
  return serving(['--lake', lake, '--tokens', tokens, ...limits])
}

type Version = '1.0' | '1.1'

const IS_WHOLE = {
  '1.0': (_: number, tail: string) => tail.endsWith(']}'),
  '1.1': (_: number, tail: string) => tail.endsWith('0\r\n\r\n'),
}

function downloadFlow({ url }: Server, version: Version, query: string, pauseMs: number) {
  const path = `/api/option-contract/${BUSY.contract}/flow${query}`
  const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nAccept: application/json`
  const head = `GET ${path} HTTP/${version}\r\n${headers}\r\n\r\n`
  return download(Number(new URL(url).port), head, IS_WHOLE[version], pauseMs)
}

test('a download finishes while the server stops, or its connection is reset', async () => {
  const times = amount({ test: 1, prove: 1, long: 10 })
  const seen = { complete: 0, reset: 0, cut: 0 }
  for (let time = 0; time < times; time += 1) {
    const server = await serve()
    const downloads = (['1.0', '1.1'] as const).flatMap(version => [
      downloadFlow(server, version, '?limit=12000', 0),
      downloadFlow(server, version, '', 100),
    ])
    await Promise.all(downloads.map(({ begun }) => begun))
    const begunMs = performance.now()
    expect(await server.stop('SIGTERM')).toBe(0)
    const tookMs = performance.now() - begunMs
    for (const { outcome } of downloads) seen[await outcome] += 1
    // Two more seconds to close; a busy machine takes longer.
    expect(tookMs).toBeLessThan(DRAIN_MS + 2000 + 10_000)
  }
  expect(seen.cut).toBe(0)
  expect(seen.complete).toBeGreaterThan(0)
  expect(seen.reset).toBeGreaterThan(0)
  survived('download while stopping', 4 * times, seen.complete + seen.reset, JSON.stringify(seen))
})

const workersOf = (server: Server) => lines(server, 'worker_started').map(({ workerPid }) => workerPid)

/** What ends workers that cannot end their responses themselves. */
const ENDS: Readonly<Record<string, (server: Server) => void>> = {
  'its worker is killed': server => {
    for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL')
  },
  'its worker is stopped, and killed after the time to stop': server => {
    for (const pid of workersOf(server)) process.kill(pid, 'SIGSTOP')
    server.process.kill('SIGTERM')
  },
  'the server is sent a second signal': server => {
    server.process.kill('SIGTERM')
    void server.until(() => lines(server, 'draining').length > 0).then(() => server.process.kill('SIGTERM'))
  },
  'the supervisor is killed': server => void server.process.kill('SIGKILL'),
}

test.each(Object.keys(ENDS))('a download of HTTP/1.0 is reset if %s', async name => {
  const times = amount({ test: 1, prove: 1, long: 10 })
  const seen: Outcome[] = []
  for (let time = 0; time < times; time += 1) {
    const server = await serve()
    const downloads = [1, 2].map(() => downloadFlow(server, '1.0', '', 100))
    await Promise.all(downloads.map(({ begun }) => begun))
    ENDS[name]?.(server)
    seen.push(...(await Promise.all(downloads.map(({ outcome }) => outcome))))
    await server.stop('SIGKILL')
  }
  expect(seen).toEqual(Array(2 * times).fill('reset'))
  survived(`download, and ${name}`, 2 * times, seen.length)
})
