import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openAdmission } from '../../../src/api/admission/admission.ts'
import { logTo } from '../../../src/api/process/log.ts'
import type { Service } from '../../../src/api/service/service.ts'
import { createToken } from '../../../src/api/service/token-file.ts'
import { asOfShelf } from '../../../src/lake/point-in-time/shelf.ts'
import { snapshotShelf } from '../../../src/lake/snapshots/shelf.ts'
import { busyLake } from '../../fixtures/busy-contract.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { engineFor, openService } from '../../fixtures/service.ts'
import { flowPath } from '../../fixtures/streaming.ts'

/** Each limit of the server is reached. The 503 says which one it is, and the log line of its request says the same. */

const WINDOW = '/api/analytics/window?symbols=ONE&range=full&calculations=MEAN'
const ENDLESS = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(100000) b'
/** More than a shelf holds, so that each round of requests for all of them loads some again. */
const DAYS = ['02', '03', '04', '05', '08', '09', '10'].map(day => `2024-01-${day}`)
/** More than a client that reads nothing is sent. */
const TRADES = 60_000

const folder = temporaryFolder()
let lake = ''
beforeAll(async () => {
  for (const date of DAYS) await makeLake(folder, { days: [flatDay('ONE', date, '100')] })
  lake = await busyLake(folder, TRADES)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Running {
  readonly url: string
  readonly token: string
  /** The log lines so far. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[]
  ask(path: string, headers?: Record<string, string>): Promise<Response>
  anotherToken(): Promise<string>
}

/** A server on a real socket, with a log of its own. It is closed at the end of the test. */
async function serverOf(more: Partial<Service>): Promise<Running> {
  let log = ''
  const observe = logTo('info', {
    write: text => {
      log += text
    },
    flush() {},
  })
  const service = await openService(folder, lake, { ...more, observe })
  onTestFinished(async () => {
    service.server.server.closeAllConnections()
    await service.close()
  })
  const { server, token } = service
  await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return {
    url,
    token,
    lines: () =>
      log
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line)),
    anotherToken: () =>
      createToken(service.tokensFile, { name: 'other', routes: ['*'], owner: null, expiresAt: null }),
    ask: (path, headers) => fetch(url + path, { headers: { authorization: `Bearer ${token}`, ...headers } }),
  }
}

type Limits = Parameters<typeof engineFor>[2]

/** An engine that is closed at the end of the test, unless it was before. */
async function engineOf(limits: Limits) {
  const engine = await engineFor(lake, () => {}, limits)
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= engine.close()
    return closing
  }
  onTestFinished(close)
  return { engine, close }
}

/** An engine whose only connection is busy until the end of the test. */
async function busyEngine(queueMax: number) {
  const opened = await engineOf({ leasesMax: 1, queueMax })
  const ended = new AbortController()
  const template = { name: 'endless', sql: ENDLESS, parameters: [] }
  const endless = opened.engine.table({ operation: 'endless', template, bindings: {} }, ended.signal)
  onTestFinished(async () => {
    ended.abort(new Error('the test has finished'))
    await endless.catch(() => {})
  })
  endless.catch(() => {})
  await expect.poll(() => opened.engine.running).toBe(1)
  return opened
}

/** Repeats requests that arrive together until one of them is answered with a 503. */
async function untilRefused(server: Running, paths: readonly string[]): Promise<Response> {
  for (;;) {
    const answers = await Promise.all(paths.map(path => server.ask(path)))
    const refused = answers.find(({ status }) => status === 503)
    if (refused !== undefined) return refused
  }
}

/** A socket that is opening. It is closed at the end of the test. */
function socketOf({ url, token }: Running): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/socket?token=${token}`)
  // A socket that is refused reports it again when it is closed.
  socket.on('error', () => {})
  onTestFinished(() => socket.terminate())
  return socket
}

/** What is done to reach a limit, up to the response that is a 503. */
type Provoke = () => Promise<[server: Running, refused: Response]>

const limits: [limit: string, code: string, reason: string, provoke: Provoke][] = [
  [
    'the queue is full',
    'overloaded',
    'the worker runs 1 queries at once, and 0 requests are waiting already: try again.',
    async () => {
      const { engine } = await busyEngine(0)
      const server = await serverOf({ engine })
      return [server, await server.ask(WINDOW)]
    },
  ],
  [
    'the server stops while a request waits',
    'overloaded',
    'the server is stopping: try again.',
    async () => {
      const { engine, close } = await busyEngine(1)
      const server = await serverOf({ engine })
      const asked = server.ask(WINDOW)
      await expect.poll(() => engine.queued).toBe(1)
      close().catch(() => {})
      return [server, await asked]
    },
  ],
  [
    'the deadline passes in the queue',
    'deadline_exceeded',
    'the query took longer than 50 ms: try again.',
    async () => {
      const { engine } = await busyEngine(1)
      const server = await serverOf({ engine, deadlineMs: 50 })
      return [server, await server.ask(WINDOW)]
    },
  ],
  [
    'the deadline passes before what the lake holds is described',
    'deadline_exceeded',
    'the query took longer than 50 ms: try again.',
    async () => {
      const { engine } = await busyEngine(1)
      const server = await serverOf({ engine, deadlineMs: 50 })
      return [server, await server.ask('/api/lake')]
    },
  ],
  [
    'memory runs out',
    'overloaded',
    'the query needed more memory than the server allows: try again.',
    async () => {
      const { engine } = await engineOf({ memoryBytesMax: 1024 ** 2 })
      const server = await serverOf({ engine })
      return [server, await server.ask(`${flowPath}?limit=200`)]
    },
  ],
  [
    '16 long responses are sent to a token',
    'overloaded',
    'the worker sends 16 long responses to this token already: try again.',
    async () => {
      const server = await serverOf({})
      const csv = { accept: 'text/csv' }
      const sent = await Promise.all(Array.from({ length: 16 }, () => server.ask(flowPath, csv)))
      expect(sent.map(({ status }) => status)).toEqual(Array(16).fill(200))
      return [server, await server.ask(flowPath, csv)]
    },
  ],
  [
    'as many long responses are sent as the worker sends',
    'overloaded',
    'the worker sends 4 long responses already: try again.',
    async () => {
      const server = await serverOf({ admission: openAdmission({ longAnswersMax: 4 }) })
      const csv = { accept: 'text/csv' }
      const others = { ...csv, authorization: `Bearer ${await server.anotherToken()}` }
      const sent = await Promise.all([csv, csv, others, others].map(headers => server.ask(flowPath, headers)))
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      return [server, await server.ask(flowPath, csv)]
    },
  ],
  [
    'no request can wait for its turn',
    'overloaded',
    'the worker computes 1 requests at once, and 0 requests are waiting already: try again.',
    async () => {
      const { engine } = await busyEngine(1)
      const server = await serverOf({ engine, admission: openAdmission({ turnsMax: 1, waitingMax: 0 }) })
      // Its connection is closed at the end of the test.
      server.ask(WINDOW).catch(() => {})
      await expect.poll(() => engine.queued).toBe(1)
      return [server, await server.ask(`${WINDOW},MAX`)]
    },
  ],
  [
    'no page of a long response can wait for its turn',
    'overloaded',
    'the worker computes 1 pages of long responses at once, and 0 requests are waiting already: try again.',
    async () => {
      const { engine } = await busyEngine(2)
      const server = await serverOf({ engine, admission: openAdmission({ turnsMax: 3, waitingMax: 0 }) })
      // Their connections are closed at the end of the test.
      server.ask(flowPath).catch(() => {})
      await expect.poll(() => engine.queued).toBe(1)
      // A request that is no page has one of the other turns.
      server.ask(WINDOW).catch(() => {})
      await expect.poll(() => engine.queued).toBe(2)
      return [server, await server.ask(`${flowPath}?limit=20000`)]
    },
  ],
  [
    'clients do not read their answers',
    'overloaded',
    'clients have not read 0 bytes of the answers to this token yet: try again.',
    async () => {
      const server = await serverOf({ admission: openAdmission({ unreadBytesMax: 150_000 }) })
      return [server, await server.ask(`${flowPath}?limit=100`, { 'accept-encoding': 'identity' })]
    },
  ],
  [
    'all sockets are open',
    'overloaded',
    'the worker has 1 open sockets already: try again.',
    async () => {
      const server = await serverOf({ socketLimits: { socketsMax: 1 } })
      await once(socketOf(server), 'open')
      const [, response] = await once(socketOf(server), 'unexpected-response')
      const headers = { 'x-request-id': String(response.headers['x-request-id']) }
      return [server, new Response(await text(response), { status: response.statusCode ?? 0, headers })]
    },
  ],
  [
    'other snapshots are loaded',
    'overloaded',
    'the worker loads 2 other snapshots already: try again.',
    async () => {
      const server = await serverOf({ snapshots: snapshotShelf(lake) })
      const paths = DAYS.map((_, index) => `${WINDOW}&snapshot=${index + 1}`)
      return [server, await untilRefused(server, paths)]
    },
  ],
  [
    'another state as of a time is computed',
    'overloaded',
    'the worker computes 1 other state as of a time already: try again.',
    async () => {
      const shelf = asOfShelf({ threads: 1 })
      onTestFinished(() => shelf.close())
      const server = await serverOf({ asOf: shelf })
      return [
        server,
        await untilRefused(
          server,
          DAYS.map(day => `${WINDOW}&as_of=${day}`),
        ),
      ]
    },
  ],
]

test.each(limits)(
  'if %s, the response and its log line have the reason',
  { tags: 'slow' },
  async (_limit, code, reason, provoke) => {
    const [server, refused] = await provoke()
    const body = await refused.json()
    expect([refused.status, body]).toMatchObject([503, { code, message: reason, retryable: true }])
    const requests = () => server.lines().filter(({ msg }) => msg === 'request')
    const logged = () => requests().find(({ requestId }) => requestId === refused.headers.get('x-request-id'))
    await expect.poll(logged).toMatchObject({ status: 503, reason })
    // Only a 503 has a reason.
    for (const line of requests()) expect('reason' in line, JSON.stringify(line)).toBe(line.status === 503)
  },
)
