import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { amount, countCases } from '../fixtures/tier.ts'
import { heavy, holdLake, light, long, requestOf } from './lake.ts'
import { type Held, holding, tally } from './server.ts'
import { row, table } from './table.ts'

/** Clients that hold connections and answers, and do not read or write as they should. */

const { folder, lake } = holdLake()
afterAll(table)

/** Connections with what each of them sends, some at a time, so that the queue of the system does not refuse them. */
async function openAll(server: Held, count: number, text: (index: number) => string | undefined) {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, (_, index) =>
      server.open(text(sockets.length + index)),
    )
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}

/** Ten requests of another token are answered. */
async function expectServed(server: Held): Promise<void> {
  const answers = []
  for (let index = 0; index < 10; index += 1)
    answers.push(await server.ask(light(index), { token: server.tokens.other }))
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 10 })
}

/** The greatest resident memory of a worker while `work` runs, less what it had before. */
async function growth(server: Held, work: () => Promise<void>): Promise<number> {
  const resident = () => Math.max(...server.processes().map(({ residentMib }) => residentMib))
  const before = resident()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, resident())
  }, 200)
  try {
    await work()
    return Math.round(Math.max(most, resident()) - before)
  } finally {
    clearInterval(timer)
  }
}

test('idle connections, many more than the server has descriptors for', async () => {
  const server = await holding(folder, lake, [], 1024)
  await expectServed(server)
  const before = server.processes().map(({ descriptors }) => descriptors)
  const count = amount({ test: 0, prove: 2600, long: 5000 })
  const sockets = await openAll(server, count, () => undefined)
  // A new connection can be reset while others still come.
  const served = async () => (await server.ask(light(0), { token: server.tokens.other })).status
  await expect.poll(served, { timeout: 20_000 }).toBe(200)
  await expectServed(server)
  const [supervisor = 0, ...workers] = server.processes().map(({ descriptors }) => descriptors)
  // Of 1024 descriptors, 320 are for files.
  for (const descriptors of workers) expect(descriptors).toBeLessThan(1024)
  expect((await fetch(`${server.adminUrl}/-/ready`)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expectServed(server)
  const flat = () =>
    server.processes().every(({ descriptors }, index) => descriptors <= (before[index] ?? 0) + 16)
  await expect.poll(flat, { timeout: 20_000 }).toBe(true)
  countCases(count)
  row(
    'idle connections',
    `${count}, ulimit -n 1024`,
    `served during and after; supervisor had ${supervisor} descriptors`,
  )
})

test('connections whose requests never end', async () => {
  const server = await holding(folder, lake, [])
  const count = amount({ test: 0, prove: 500, long: 2000 })
  const sockets = await openAll(server, count, () => 'GET /api/lake HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  for (let round = 0; round < 3; round += 1) {
    for (const socket of sockets) if (socket.writable) socket.write('a')
    await expectServed(server)
  }
  countCases(count)
  row('requests that never end', `${count} connections`, 'served during')
})

test('slow readers of long answers do not stop other tokens, and take bounded memory', async () => {
  const server = await holding(folder, lake, [])
  await expectServed(server)
  const count = amount({ test: 0, prove: 200, long: 1000 })
  const grown = await growth(server, async () => {
    await openAll(server, count, () => requestOf(long, server.tokens.one))
    await expectServed(server)
    const other = await server.ask(long, { token: server.tokens.other })
    expect(other.status).toBe(200)
  })
  // 16 long answers of the token per worker, each with a page of 10 MB, and what the computation of two pages takes at once.
  expect(grown).toBeLessThan(600)
  countCases(count)
  row('slow readers of long answers', `${count} connections`, `others served, ${grown} MiB more memory`)
})

test.each([
  ['that never read', 24, 1],
  ['that send many requests and never read', 4, 20],
])('clients %s take bounded memory', async (what, connections, each) => {
  const server = await holding(folder, lake, ['--unread-mib', '64'])
  await expectServed(server)
  const rounds = amount({ test: 0, prove: 1, long: 5 })
  const grown = await growth(server, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await openAll(server, connections, index =>
        Array.from({ length: each }, (_, place) =>
          requestOf(heavy((round * 100 + index * each + place) % 500), server.tokens.one),
        ).join(''),
      )
      await expectServed(server)
      // Their answers are computed meanwhile, one after the other.
      await sleep(amount({ test: 0, prove: 4000, long: 15_000 }))
    }
    await expectServed(server)
  })
  // 64 MiB of answers, 64 MiB of the cache, and what the computation of four answers takes at once.
  expect(grown).toBeLessThan(500)
  countCases(connections * each * rounds)
  row(
    `clients ${what}`,
    `${connections} × ${each} answers of 20 MB`,
    `others served, ${grown} MiB more memory`,
  )
})
