import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer, json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Admission, openAdmission } from '../../../src/api/admission/admission.ts'
import type { AdmissionLimits } from '../../../src/api/admission/limits.ts'
import type { Listening } from '../../../src/api/process/server.ts'
import { openCache } from '../../../src/api/service/answer-cache.ts'
import type { Service } from '../../../src/api/service/service.ts'
import { busyLake } from '../../fixtures/busy-contract.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'
import { flowPath } from '../../fixtures/streaming.ts'

/** Limits of what clients can make a worker hold, on real connections. */

/** With 50 histograms of 1000 bins each: 20 MB, more than a client that reads nothing is sent. */
const SYMBOLS = Array.from({ length: 20 }, (_, index) => `S${String.fromCharCode(65 + index)}`)
const large = (bins: number) =>
  `/api/analytics/window?symbols=${SYMBOLS}&range=full&calculations=${Array.from({ length: 50 }, (_, index) => `HISTOGRAM(bins=${bins - index})`)}`
const WINDOW = '/api/analytics/window?symbols=SA&range=full'
const SOON = { timeout: 30_000 }
const folder = temporaryFolder()
let lake = ''
beforeAll(async () => {
  const days = SYMBOLS.flatMap(symbol =>
    ['100', '125', '120'].map((price, index) => flatDay(symbol, `2024-01-0${index + 2}`, price)),
  )
  await makeLake(folder, { days })
  lake = await busyLake(folder, 20_000)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Running extends TestService {
  readonly admission: Admission
  readonly port: number
  /** A request on a connection of its own, unless an agent has others, answered so far as its headers. */
  ask(path: string, headers?: Record<string, string>, agent?: Agent | false): Promise<IncomingMessage>
  /** A connection on which nothing is sent. */
  idle(): Promise<Socket>
}

/** A server that is closed at the end of the test. */
async function serverOf(
  limits: Partial<AdmissionLimits>,
  more: Partial<Service> = {},
  listening: Listening = {},
): Promise<Running> {
  const admission = openAdmission(limits)
  const service = await openService(folder, lake, { ...more, admission }, listening)
  onTestFinished(async () => {
    service.server.server.closeAllConnections()
    await service.close()
  })
  await service.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.server.server.address() as AddressInfo
  const authorization = `Bearer ${service.token}`
  return {
    ...service,
    admission,
    port,
    ask: (path, headers = {}, agent = false) =>
      new Promise((resolve, reject) => {
        const options = { port, host: '127.0.0.1', path, agent, headers: { authorization, ...headers } }
        get(options, resolve).once('error', reject)
      }),
    async idle() {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      return socket
    },
  }
}

const bodyOf = async (response: IncomingMessage) => [response.statusCode, await json(response)]

test('a request waits until the client has read the response to the one before it', async () => {
  const { admission, token, idle, seen, ask } = await serverOf({})
  const socket = await idle()
  const requests = [1000, 999, 998].map(
    bins =>
      `GET ${large(bins)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: ${bins === 998 ? 'close' : 'keep-alive'}\r\n\r\n`,
  )
  socket.write(requests.join(''))
  await expect.poll(() => admission.unread.bytes, SOON).toBeGreaterThan(8 * 1024 ** 2)
  const queries = () =>
    seen.filter(each => each.kind === 'query' && each.operation === 'analytics-window').length
  const [held, before] = [admission.unread.bytes, queries()]
  // Requests of other clients are answered meanwhile, and only they are.
  await buffer(await ask(`${flowPath}?limit=1`))
  expect([queries() - before, admission.unread.bytes]).toEqual([0, held])
  const text = (await buffer(socket)).toString('latin1')
  const lengths = [...text.matchAll(/^content-length: (\d+)/gim)].map(([, length]) => Number(length))
  expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3)
  expect(lengths).toHaveLength(3)
  await expect.poll(() => admission.unread.bytes, SOON).toBe(0)
})

test.each([
  'text/csv',
  'application/x-ndjson',
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
])('bins that are too many are refused before they are computed, as %s too', async accept => {
  const { ask, seen } = await serverOf({ answerBytesMax: 2000 })
  const [status] = await bodyOf(await ask(`${WINDOW}&calculations=HISTOGRAM(bins=1000)`, { accept }))
  expect(status).toBe(422)
  // The query of the prices. Another one would turn the figures into rows.
  expect(seen.filter(({ kind }) => kind === 'query')).toHaveLength(1)
})

test('an answer that would be too long is a 422 that names the parameter to lower', async () => {
  const { ask } = await serverOf({ answerBytesMax: 2000 })
  expect(await bodyOf(await ask(`${flowPath}?limit=200`))).toMatchObject([
    422,
    {
      msg: 'invalid query input: limit leads to an answer of more than 2000 bytes: lower it (for example limit=100)',
    },
  ])
  expect(await bodyOf(await ask(`${WINDOW}&calculations=HISTOGRAM(bins=1000)`))).toMatchObject([
    422,
    {
      msg: expect.stringContaining(
        'calculations leads to an answer of more than 2000 bytes: request fewer calculations, bins or symbols (for example calculations=',
      ),
    },
  ])
  expect((await ask(`${flowPath}?limit=1`)).statusCode).toBe(200)
  // A long answer is sent page by page, whatever its length.
  const long = await ask(flowPath, { accept: 'text/csv' })
  expect([long.statusCode, (await buffer(long)).byteLength > 1_000_000]).toEqual([200, true])
})

test('a token that exceeds its rate gets 429 and the time to wait', async () => {
  const { ask } = await serverOf({ ratePerSecond: 1 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/api/none')))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  const others = answers.filter(({ statusCode }) => statusCode !== 429)
  // The first one is permitted, and one more after each second.
  expect(others.length).toBeGreaterThanOrEqual(1)
  expect(refused.length).toBeGreaterThanOrEqual(1)
  expect(others.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 404))
  for (const response of refused)
    expect([response.headers['retry-after'], await json(response)]).toEqual([
      '1',
      {
        code: 'rate_limited',
        message:
          'The token has sent more than 1 requests per second: send the request again after the seconds in Retry-After.',
        request_id: response.headers['x-request-id'],
        retryable: true,
      },
    ])
})

test('a refusal for overload pauses, so that a client that tries again at once costs little', async () => {
  const { ask, seen } = await serverOf({ longAnswersMax: 0 })
  expect((await ask(flowPath)).statusCode).toBe(503)
  const refused = () => seen.find(each => each.kind === 'request' && each.status === 503)
  await expect.poll(refused, SOON).toBeDefined()
  // Timers may fire a millisecond early.
  expect(refused()).toMatchObject({ durationMs: expect.toSatisfy((ms: number) => ms >= 249) })
})

test('of long answers that wait for their turn together, none is computed that cannot be sent', async () => {
  // One turn for pages, and two long answers, of which a token may have one.
  const { ask, seen, admission } = await serverOf({ turnsMax: 2, longAnswersMax: 2 })
  const { longAnswers, pageTurns } = admission
  const queries = () => seen.filter(({ kind }) => kind === 'query').length
  const alone = await ask(flowPath)
  const each = queries()
  alone.destroy()
  await expect.poll(() => longAnswers.taken, SOON).toBe(0)
  let end = () => {}
  const asking = { token: 'another', operation: 'any', deadlineMs: 1000, follows: false }
  const held = pageTurns.run(
    asking,
    new AbortController().signal,
    () =>
      new Promise<void>(resolve => {
        end = resolve
      }),
  )
  const asked = Array.from({ length: 6 }, () => ask(flowPath))
  await expect.poll(() => pageTurns.waiting, SOON).toBe(6)
  end()
  await held
  const sent = await Promise.all(asked)
  expect([alone, ...sent].map(({ statusCode }) => statusCode).sort()).toEqual([
    200, 200, 503, 503, 503, 503, 503,
  ])
  // The first request alone described the columns of the template.
  expect(queries() - each).toBe(each - 1)
  for (const response of sent) response.destroy()
  await expect.poll(() => longAnswers.taken, SOON).toBe(0)
})

test('a token with too many connections gets 503 on a further one, sockets included', async () => {
  const { ask, port, token } = await serverOf({ tokenConnectionsMax: 2 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  await buffer(await ask('/api/lake', {}, agent))
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/socket?token=${token}`)
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const refused = await ask('/api/lake')
  expect(refused.headers.connection).toBe('close')
  expect(await bodyOf(refused)).toMatchObject([
    503,
    { code: 'overloaded', message: 'this token has 2 open connections already: try again.' },
  ])
  expect((await ask('/api/lake', {}, agent)).statusCode).toBe(200)
  socket.terminate()
  await expect.poll(async () => (await ask('/api/lake')).statusCode, SOON).toBe(200)
})

test('idle connections without a token make room for a client', async () => {
  const { ask, idle, admission } = await serverOf({ connectionsMax: 4, peerConnectionsMax: 4 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  await buffer(await ask('/api/lake', {}, agent))
  const sockets = await Promise.all(Array.from({ length: 12 }, idle))
  await expect.poll(() => sockets.filter(({ closed }) => closed).length, SOON).toBe(9)
  expect(admission.connections.size).toBe(4)
  expect([(await ask('/api/lake', {}, agent)).statusCode, (await ask('/api/lake')).statusCode]).toEqual([
    200, 200,
  ])
})

test('behind a trusted proxy, the limit of an address counts the requests of a client, not the proxy', async () => {
  const { ask } = await serverOf({ peerConnectionsMax: 1 }, {}, { trustedProxies: ['loopback'] })
  const from = (client: string) => ({ 'x-forwarded-for': client })
  const unread = await ask(large(1000), from('192.0.2.1'))
  expect(unread.statusCode).toBe(200)
  expect(await bodyOf(await ask('/api/lake', from('192.0.2.1')))).toMatchObject([
    503,
    { message: 'the address 192.0.2.1 has as many requests in progress as it may have: try again.' },
  ])
  expect((await ask('/api/lake', from('192.0.2.2'))).statusCode).toBe(200)
  await buffer(unread)
  await expect.poll(async () => (await ask('/api/lake', from('192.0.2.1'))).statusCode, SOON).toBe(200)
})

test('answers that clients do not read have a limit, also per token, and the clients are disconnected', {
  tags: 'slow',
}, async () => {
  const { ask, admission, token, idle } = await serverOf(
    { unreadBytesMax: 48 * 1024 ** 2 },
    { stallMs: 4000, cache: openCache(64 * 1024 ** 2) },
  )
  await buffer(await ask(large(999)))
  await expect.poll(() => admission.unread.bytes, SOON).toBe(0)
  const socket = await idle()
  socket.pause()
  socket.write(`GET ${large(1000)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await expect.poll(() => admission.unread.bytes, SOON).toBeGreaterThan(8 * 1024 ** 2)
  const bytes = admission.unread.bytes
  expect(await bodyOf(await ask(large(999)))).toMatchObject([
    503,
    { message: `clients have not read ${bytes} bytes of the answers to this token yet: try again.` },
  ])
  // Small answers do not count.
  expect((await ask(`${flowPath}?limit=1`)).statusCode).toBe(200)
  await expect.poll(() => admission.unread.bytes, SOON).toBe(0)
  expect((await ask(large(999))).statusCode).toBe(200)
})

test('a compressed answer in the cache has no more memory than it is counted with', async () => {
  const cache = openCache(1024 ** 2)
  const { ask } = await serverOf({}, { cache })
  for (const coding of ['gzip', 'br', 'identity'])
    await buffer(await ask(`${WINDOW}&calculations=MEAN`, { 'accept-encoding': coding }))
  const kept = [...cache.answers.values()]
  expect(kept).toHaveLength(3)
  for (const { content } of kept) expect(content.buffer.byteLength).toBe(content.byteLength)
})
