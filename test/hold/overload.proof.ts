import { spawn } from 'node:child_process'
import { Agent } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { checkoutPath } from '../../src/engine/resources.ts'
import { amount, countCases } from '../fixtures/tier.ts'
import { heavy, holdLake, light } from './lake.ts'
import { type Asked, type Held, holding, quantile, tally } from './server.ts'
import { row, table } from './table.ts'

/** More requests than the server can compute. Counts are judged always, times in the long form: other work falsifies them. */

const isTimed = amount({ test: false, prove: false, long: true })
const { folder, lake } = holdLake()
afterAll(table)

/** Clients that send a request as soon as they have the response to the one before. */
async function clients(server: Held, count: number, requests: number): Promise<readonly Asked[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const answers: Asked[] = []
  let next = 0
  const client = async () => {
    while (next < requests) {
      next += 1
      answers.push(await server.ask(light(next), { agent }))
    }
  }
  await Promise.all(Array.from({ length: count }, client))
  agent.destroy()
  return answers
}

/** A client in a process of its own: `test/hold/other-client.js`. */
function otherClient(server: Held, connections: number, paths: readonly string[]) {
  const program = checkoutPath('test/hold/other-client.js')
  const client = spawn(
    process.execPath,
    [program, server.url, server.tokens.one, String(connections), ...paths],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void client.kill('SIGKILL'))
  const answers = json(client.stdout) as Promise<Asked[]>
  return {
    stop() {
      client.stdin.end()
      return answers
    },
  }
}

/** Each answer is a 200, or a 503 that says when to try again. */
function expectServed(answers: readonly Asked[]): number {
  for (const { status, retryAfter } of answers)
    expect(
      [200, 503].includes(Number(status)) && (status === 200 || Number(retryAfter) >= 1),
      `${status}`,
    ).toBe(true)
  return answers.filter(({ status }) => status === 200).length
}

test('ten times as many clients as it can serve get 200 or 503, and it serves as much as before', async () => {
  const server = await holding(folder, lake, ['--cache-mib', '0', '--queue', '16'])
  const requests = amount({ test: 0, prove: 1200, long: 30_000 })
  await clients(server, 8, 200)
  const timedRun = async (count: number, total: number) => {
    const begun = performance.now()
    const good = expectServed(await clients(server, count, total))
    return { good, perSecond: good / ((performance.now() - begun) / 1000) }
  }
  const peak = await timedRun(16, Math.ceil(requests / 3))
  const overload = await timedRun(160, requests)
  expect(overload.good).toBeGreaterThan(0)
  const begun = performance.now()
  const after = await clients(server, 1, 10)
  const recoveredMs = performance.now() - begun
  expect(tally(after.map(({ status }) => status))).toEqual({ 200: 10 })
  countCases(requests)
  const share = overload.perSecond / peak.perSecond
  row(
    'overload',
    `${requests} requests of 160 clients`,
    `${overload.good} × 200, goodput ${share.toFixed(2)} of the peak`,
  )
  if (!isTimed) return
  expect(share).toBeGreaterThanOrEqual(0.8)
  expect(recoveredMs).toBeLessThan(5000)
})

test('connections that come all at once are answered or refused, and another token is served', async () => {
  const server = await holding(folder, lake, ['--cache-mib', '0', '--queue', '16'])
  await clients(server, 4, 40)
  const count = amount({ test: 0, prove: 500, long: 2000 })
  const begun = performance.now()
  const all = Array.from({ length: count }, (_, index) => server.ask(light(index)))
  const other = await server.ask(light(0), { token: server.tokens.other })
  const otherMs = performance.now() - begun
  const good = expectServed(await Promise.all(all))
  expect(other.status).toBe(200)
  expect((await server.ask(light(1))).status).toBe(200)
  countCases(count)
  row('burst', `${count} connections at once`, `${good} × 200, another token after ${Math.round(otherMs)} ms`)
  if (isTimed) expect(otherMs).toBeLessThan(5000)
})

test('a token that sends only the heaviest request does not keep another one from being served', async () => {
  const server = await holding(folder, lake, ['--cache-mib', '0', '--queue', '16', '--deadline-ms', '60000'])
  const count = amount({ test: 0, prove: 30, long: 1000 })
  const lights = async () => {
    const answers: Asked[] = []
    for (let index = 0; index < count; index += 1)
      answers.push(await server.ask(light(index), { token: server.tokens.other }))
    return answers
  }
  const alone = await lights()
  const other = otherClient(
    server,
    6,
    Array.from({ length: 500 }, (_, variant) => heavy(variant)),
  )
  const beside = await lights()
  const heavies = await other.stop()
  expect(tally(beside.map(({ status, problem }) => `${status} ${problem}`))).toEqual({ '200 ': count })
  expectServed(heavies)
  countCases(count)
  const p99 = [alone, beside].map(answers =>
    quantile(
      answers.map(({ ms }) => ms),
      0.99,
    ),
  )
  const ratio = (p99[1] ?? 0) / (p99[0] ?? 1)
  row(
    'heaviest request',
    `${heavies.length} beside ${count} of another token`,
    `${count} × 200, p99 ${ratio.toFixed(1)} times that alone`,
  )
  if (isTimed) expect(ratio).toBeLessThanOrEqual(3)
})
