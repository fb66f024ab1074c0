import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { serving, tapehouse } from '../../cli/process.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { connect, oneDay, type SocketClient } from './clients.ts'

/** Sockets of a real server with several workers on one port. */

const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
let lake = ''
let token = ''
beforeAll(async () => {
  lake = await oneDay()
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const idsOf = (client: SocketClient) => client.data('option_trades').map(({ id }) => id)

/** Number of equal messages of two clients, from the first message of the later one; 0 if they differ. */
function alike(one: readonly unknown[], other: readonly unknown[]): number {
  const [from, longer] = one.includes(other[0]) ? [other, one] : [one, other]
  const rest = longer.slice(longer.indexOf(from[0]))
  const length = Math.min(from.length, rest.length)
  return rest.slice(0, length).every((each, index) => each === from[index]) ? length : 0
}

test('all workers replay the same tape at the same time, including one that is restarted', {
  tags: 'slow',
}, async () => {
  const args = [
    '--lake',
    lake,
    '--tokens',
    tokens,
    '--workers',
    '2',
    '--replay-speed',
    '300',
    '--log-level',
    'info',
  ]
  const server = await serving(args)
  const port = Number(new URL(server.url).port)
  const open = async () => {
    const client = await connect({ port, token })
    await client.join('option_trades')
    return client
  }
  // Workers take connections in turn.
  const four = [await open(), await open(), await open(), await open()]
  await four[3]?.until(() => four.every(client => idsOf(client).length > 60))
  const pids = () =>
    [...server.output().matchAll(/"worker":\d+,"workerPid":(\d+),"msg":"worker_started"/g)].map(([, pid]) =>
      Number(pid),
    )
  const [first = 0] = pids()
  process.kill(first, 'SIGKILL')
  await vi.waitFor(
    () => expect(four.filter(({ socket }) => socket.readyState === socket.CLOSED)).toHaveLength(2),
    5000,
  )
  const stays = four.filter(({ socket }) => socket.readyState === socket.OPEN)
  await vi.waitFor(async () => {
    const ready = (await (await fetch(`${server.adminUrl}/-/ready`)).json()) as { workers_ready: number }
    expect(ready.workers_ready).toBe(2)
  }, 20_000)
  const joined = [await open(), await open()]
  await joined[0]?.until(() => [...stays, ...joined].every(client => idsOf(client).length > 100))
  const [reference] = stays
  if (reference === undefined) throw new Error('all sockets went with one worker')
  for (const client of [...four, ...joined])
    expect(alike(idsOf(client), idsOf(reference))).toBeGreaterThan(20)
  expect(await server.stop()).toBe(0)
  for (const client of [...stays, ...joined])
    expect(await client.closed()).toEqual([1001, 'the server is shutting down: connect again'])
  expect(server.output()).toContain('"msg":"socket_closed"')
  expect(server.output()).not.toContain(token)
})

test('an invalid replay date is rejected at the start', async () => {
  for (const day of ['yesterday', '2024-02-30']) {
    const { code, stderr } = await tapehouse([
      'serve',
      '--lake',
      lake,
      '--tokens',
      tokens,
      '--replay-date',
      day,
    ])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`--replay-date must be a date such as 2024-01-18, not "${day}"`),
    ])
  }
})
