import { execFileSync } from 'node:child_process'
import { constants, openSync, readdirSync, rmSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken, revokeToken } from '../../src/api/service/token-file.ts'
import { type Server, serving, start } from '../cli/process.ts'
import { busyLake } from '../fixtures/busy-contract.ts'
import { folderForTest, temporaryFolder } from '../fixtures/lake.ts'
import { amount } from '../fixtures/tier.ts'
import { lines } from './lines.ts'
import { ask, failedOf, load } from './load.ts'
import { isRunning } from './running.ts'
import { survivals } from './survivals.ts'

const survived = survivals()
const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
const TOKEN = { routes: ['*'], owner: null, expiresAt: null }
let lake = ''
let token = ''
beforeAll(async () => {
  lake = await busyLake(folder, 100_000)
  token = await createToken(tokens, { name: 'test', ...TOKEN })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const serve = (env: Record<string, string> = {}, ...flags: readonly string[]) => {
  const limits = ['--workers', '2', '--drain-ms', '6000', '--log-level', 'info']
  return serving(['--lake', lake, '--tokens', tokens, ...limits, ...flags], env)
}

const pidsOf = (server: Server) => lines(server, 'worker_started').map(({ workerPid }) => workerPid)
const lastPid = (server: Server) => Number(pidsOf(server).at(-1))
const readiness = async ({ adminUrl }: Server) =>
  (await (await fetch(`${adminUrl}/-/ready`)).json()) as { workers_ready: number; status: string }
const metrics = async ({ adminUrl }: Server) => {
  const response = await fetch(`${adminUrl}/-/metrics`)
  return { status: response.status, text: await response.text() }
}
const untilReady = async (server: Server, workers = 2) => {
  while ((await readiness(server)).workers_ready < workers) await sleep(100)
}
const small = ({ url }: Server) => `${url}/api/lake`

test('a worker that is killed takes only the requests with it that it was answering', async () => {
  const server = await serve()
  const clients = load(small(server), token, 4)
  const kills = amount({ test: 1, prove: 3, long: 24 })
  const killed: number[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const pid = lastPid(server)
    killed.push(performance.now())
    process.kill(pid, 'SIGKILL')
    await server.until(() => lines(server, 'worker_started').length === 3 + kill)
    await untilReady(server)
    await sleep(amount({ test: 0, prove: 200, long: 5000 }))
  }
  const asked = await clients.stop()
  const unexpected = failedOf(asked).filter(
    ({ begunMs, endedMs }) => !killed.some(atMs => begunMs <= atMs && atMs <= endedMs),
  )
  expect(unexpected).toEqual([])
  expect(asked.length).toBeGreaterThan(kills * 10)
  survived(
    'worker killed',
    kills,
    kills,
    `${asked.length} requests, ${failedOf(asked).length} lost in a killed worker`,
  )
})

/** Repeated failures of workers that have just started lead to pauses. Workers that are older than this fail for the first time. */
const aged = () => sleep(amount({ test: 0, prove: 0, long: 6000 }))

test('while all workers are gone, connections wait', async () => {
  const server = await serve()
  const times = amount({ test: 1, prove: 1, long: 10 })
  for (let time = 0; time < times; time += 1) {
    await untilReady(server)
    await aged()
    const started = pidsOf(server).length
    for (const pid of pidsOf(server).filter(isRunning)) process.kill(pid, 'SIGKILL')
    await server.until(() => lines(server, 'worker_ended').length === 2 * (time + 1))
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(small(server), token)))
    expect(failedOf(asked)).toEqual([])
    await server.until(() => pidsOf(server).length === started + 2)
  }
  survived('all workers killed', times, times, '20 connections waited each time')
})

test('a worker that is stopped is replaced, and no request is lost', async () => {
  const server = await serve()
  const times = amount({ test: 1, prove: 1, long: 10 })
  for (let time = 0; time < times; time += 1) {
    await aged()
    const pid = lastPid(server)
    const replaced = lines(server, 'worker_replaced').length
    const clients = load(small(server), token, 4)
    await sleep(100)
    process.kill(pid, 'SIGSTOP')
    const begunMs = performance.now()
    expect((await readiness(server)).workers_ready).toBe(1)
    const { status, text } = await metrics(server)
    expect([status, /^tapehouse_metrics_missing\{worker="\d+"\} 1$/m.test(text)]).toEqual([200, true])
    await server.until(() => lines(server, 'worker_replaced').length === replaced + 1)
    await untilReady(server)
    while (isRunning(pid)) await sleep(50)
    const asked = await clients.stop()
    // Each of four clients may have had a request in the worker when it was stopped.
    const lost = failedOf(asked)
    expect(lost.length).toBeLessThanOrEqual(4)
    expect(lost.filter(request => request.begunMs > begunMs)).toEqual([])
  }
  survived('worker stopped (SIGSTOP)', times, times)
})

test('workers are restarted one by one on SIGHUP, and no request fails', async () => {
  const server = await serve()
  const restarts = amount({ test: 1, prove: 1, long: 40 })
  const fresh = load(small(server), token, 3)
  const kept = load(small(server), token, 3, true)
  for (let restart = 1; restart <= restarts; restart += 1) {
    const before = pidsOf(server).slice(-2)
    server.process.kill('SIGHUP')
    await server.until(() => lines(server, 'restarted').length === restart)
    while (before.some(isRunning)) await sleep(50)
  }
  const asked = [...(await fresh.stop()), ...(await kept.stop())]
  expect(failedOf(asked)).toEqual([])
  expect(lines(server, 'worker_ended')).toEqual([])
  survived('rolling restart', restarts, restarts, `${asked.length} requests, none failed`)
})

test('each change of the tokens counts', async () => {
  const server = await serve()
  const reloads = amount({ test: 2, prove: 100, long: 1000 })
  const clients = load(small(server), token, 1)
  for (let reload = 0; reload < reloads; reload += 2) {
    const name = `token-${reload}`
    const own = await createToken(tokens, { name, ...TOKEN })
    expect((await ask(small(server), own)).status).toBe(200)
    await revokeToken(tokens, name)
    const revokedMs = performance.now()
    while ((await ask(small(server), own)).status !== 401)
      expect(performance.now() - revokedMs).toBeLessThan(30_000)
  }
  expect(failedOf(await clients.stop())).toEqual([])
  survived('token reload', reloads, reloads)
})

test('workers end when their supervisor is killed, and leave neither port nor folder', async () => {
  const times = amount({ test: 1, prove: 1, long: 20 })
  const temporary = folderForTest()
  for (let time = 0; time < times; time += 1) {
    const server = await serve({ TMPDIR: temporary })
    const pids = pidsOf(server)
    expect(readdirSync(temporary).length).toBeGreaterThan(0)
    server.process.kill('SIGKILL')
    while (pids.some(isRunning)) await sleep(20)
    const refused = await new Promise<boolean>(resolve => {
      const connection = connect(Number(new URL(server.url).port), '127.0.0.1')
      connection.once('connect', () => resolve(false))
      connection.once('error', () => resolve(true))
    })
    expect([refused, readdirSync(temporary)]).toEqual([true, []])
  }
  survived('supervisor killed', times, times)
})

test('a log that nobody reads holds nothing, and says later what is missing', async () => {
  const pipe = join(folderForTest(), 'log')
  execFileSync('mkfifo', [pipe])
  const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  const flags = ['--lake', lake, '--tokens', tokens, '--workers', '2', '--log-level', 'info']
  const server = await serving(flags, {}, (args, env) => start(args, env, descriptor))
  const requests = amount({ test: 300, prove: 1000, long: 20_000 })
  const path = 'x'.repeat(15_000)
  for (let request = 0; request < requests; request += 1)
    expect((await ask(`${server.url}/api/${path}`, token)).status).toBe(404)
  expect((await readiness(server)).workers_ready).toBe(2)
  const dropped = Number(/^tapehouse_log_lines_dropped_total (\d+)$/m.exec((await metrics(server)).text)?.[1])
  expect(dropped).toBeGreaterThan(requests / 4)
  // Read at last: what was kept, then how many lines are missing.
  let read = ''
  const reader = new Socket({ fd: descriptor, readable: true, writable: false })
  reader.on('data', chunk => {
    read += chunk
  })
  while (!read.includes('"msg":"log_dropped"')) await sleep(20)
  const said = [...read.matchAll(/"lines":(\d+),"msg":"log_dropped"/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
  const kept = [...read.matchAll(/"msg":"request"/g)].length
  expect(said).toBeGreaterThanOrEqual(dropped)
  expect(await server.stop()).toBe(0)
  reader.destroy()
  survived(
    'request while nobody reads the log',
    requests,
    requests,
    `${kept} lines kept, ${said} dropped and counted`,
  )
})

test('a worker whose memory passes its share is replaced, after a longer pause each time', async () => {
  // No worker is that small.
  const server = await serve({}, '--worker-memory-mib', '64')
  const replaced = amount({ test: 1, prove: 2, long: 6 })
  const clients = load(small(server), token, 2)
  await server.until(() => lines(server, 'worker_replaced').length >= replaced)
  expect(failedOf(await clients.stop())).toEqual([])
  expect((await metrics(server)).text).toMatch(/^tapehouse_workers_replaced_total\{cause="memory"\} \d+$/m)
  survived('worker with too much memory', replaced, replaced)
})
