import { once } from 'node:events'
import { readdirSync, truncateSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openAdmission } from '../../../src/api/admission/admission.ts'
import { openRate } from '../../../src/api/admission/rate.ts'
import { createToken, revokeToken } from '../../../src/api/service/token-file.ts'
import { addressFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { FORMATS, formatNames } from '../../../src/operations/answering/formats.ts'
import { operations } from '../../../src/operations/index.ts'
import { flatDay, folderForTest, makeLake, SMALL_DAYS } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { type BothWays, bothWays } from './both-ways.ts'

/** A repeated request is answered without a route. Its response must be the one that the route gives, byte for byte. */

// A prepared request is forgotten when a minute ends: none ends here.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const WINDOW = '/api/analytics/window?symbols=ONE&range=full&calculations=MEAN'
const smallLake = () => makeLake(folderForTest(), { days: [flatDay('ONE', '2024-01-02', '100')] })

/** A request with a token, and an id of its own so that the ids of both responses are the same. */
const get = (url: string, { token }: BothWays, headers: readonly string[] = [], version = '1.1') =>
  [
    `GET ${url} HTTP/${version}`,
    'Host: tapehouse.test',
    `Authorization: Bearer ${token}`,
    'X-Request-Id: own',
    ...headers,
    '',
    '',
  ].join('\r\n')

/** Sends a request to both ways, and expects equal responses and lines of the log. Returns those of the short way. */
async function expectSame(ways: BothWays, sent: string, responses = 1) {
  const [short, long] = await ways.exchange(sent, responses)
  expect(short.received).toBe(long.received)
  expect(short.lines).toEqual(long.lines)
  return short
}

/** The response to a request that both ways have answered before, which has no route then. */
async function expectRepeated(ways: BothWays, sent: string) {
  await ways.exchange(sent)
  const response = await expectSame(ways, sent)
  expect(response.routed, sent).toBe(0)
  return response
}

const statusOf = ({ received }: { received: string }) => Number(received.slice(9, 12))
const headerOf = ({ received }: { received: string }, name: string) =>
  new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(received)?.[1]

test('of each operation, whole and as 304', async () => {
  const lake = await sharedMarket('small')
  const ways = await bothWays(lake)
  const snapshot = await loadSnapshot(lake)
  const { engine } = ways.short.service
  let withoutRoute = 0
  for (const operation of operations) {
    const [values = {}] = await requestsFor(operation, snapshot, engine, new AbortController().signal)
    const url = addressFor(operation, values)
    await ways.exchange(get(url, ways))
    const whole = await expectSame(ways, get(url, ways))
    const unchanged = await expectSame(ways, get(url, ways, [`If-None-Match: ${headerOf(whole, 'etag')}`]))
    expect([statusOf(whole), statusOf(unchanged), unchanged.routed]).toEqual([200, 304, 0])
    if (whole.routed === 0) withoutRoute += 1
    // A large answer has a route.
    expect(whole.routed === 1, operation.id).toBe(Number(headerOf(whole, 'content-length')) > 16 * 1024)
  }
  expect(withoutRoute).toBeGreaterThan(operations.length / 2)
}, 60_000)

describe('of an operation', () => {
  test('in each format and coding', async () => {
    const ways = await bothWays(await smallLake())
    for (const format of formatNames)
      for (const coding of ['gzip', 'br', 'identity']) {
        const accepted = [`Accept: ${FORMATS[format].mediaType}`, `Accept-Encoding: ${coding}`]
        const whole = await expectRepeated(ways, get(WINDOW, ways, accepted))
        const tag = `If-None-Match: "other", ${headerOf(whole, 'etag')}`
        expect(statusOf(await expectRepeated(ways, get(WINDOW, ways, [...accepted, tag])))).toBe(304)
      }
  })

  test('with the headers of CORS', async () => {
    const lake = await smallLake()
    const own = 'https://app.example.org'
    for (const corsOrigins of ['*', [own, 'http://localhost:5173']] as const) {
      const ways = await bothWays(lake, () => ({ corsOrigins }))
      for (const origin of [own, 'http://localhost:5173', 'https://elsewhere.example.org', null]) {
        const headers = origin === null ? [] : [`Origin: ${origin}`]
        const whole = await expectRepeated(ways, get(WINDOW, ways, headers))
        const isAllowed = corsOrigins === '*' || corsOrigins.some(allowed => allowed === origin)
        expect(headerOf(whole, 'access-control-expose-headers') !== undefined).toBe(isAllowed)
        await expectRepeated(
          ways,
          get(WINDOW, ways, [...headers, `If-None-Match: ${headerOf(whole, 'etag')}`]),
        )
      }
    }
  })

  test('as the version of HTTP and the client want the connection', async () => {
    const ways = await bothWays(await smallLake())
    const connections = ['close', 'keep-alive', 'Keep-Alive, TE']
    const requests = connections.flatMap(connection =>
      ['1.0', '1.1'].map(version => get(WINDOW, ways, [`Connection: ${connection}`], version)),
    )
    for (const sent of [...requests, get(WINDOW, ways, [], '1.0')]) await expectRepeated(ways, sent)
  })

  test('through a trusted proxy, with the client that it names', async () => {
    const ways = await bothWays(await smallLake(), undefined, { trustedProxies: ['loopback', '10.0.0.0/8'] })
    for (const forwarded of ['203.0.113.7', '198.51.100.1,  203.0.113.7 , 10.1.2.3', 'unknown', '', ' , ']) {
      const { lines } = await expectRepeated(ways, get(WINDOW, ways, [`X-Forwarded-For: ${forwarded}`]))
      expect(lines).toMatchObject([{ client: forwarded.includes('203') ? '203.0.113.7' : '127.0.0.1' }])
    }
  })

  test('with an id of its own for each request, and without the token in the log', async () => {
    const ways = await bothWays(await smallLake())
    const { token } = ways
    const anonymous = get(WINDOW, ways).replace('X-Request-Id: own\r\n', '')
    await ways.exchange(anonymous)
    const ids = new Set<string | undefined>()
    for (const _ of [1, 2, 3]) {
      const [{ routed, received, lines }] = await ways.exchange(anonymous)
      const id = headerOf({ received }, 'x-request-id')
      expect([routed, lines]).toMatchObject([0, [{ requestId: id, cache: 'hit' }]])
      ids.add(id)
    }
    expect(ids.size).toBe(3)
    const { lines } = await expectSame(ways, anonymous.replace('Host', `X-Request-Id: ${token}\r\nHost`))
    expect(lines).toMatchObject([{ requestId: 'REDACTED' }])
  })
})

test('several requests at once are answered in their order', async () => {
  const ways = await bothWays(await smallLake())
  const one = get(WINDOW, ways)
  const { received: whole } = await expectRepeated(ways, one)
  const tag = headerOf({ received: whole }, 'etag')
  const sent = [one, get(WINDOW, ways, [`If-None-Match: ${tag}`]), get('/api/nowhere', ways), one]
  const { received, lines, routed } = await expectSame(ways, sent.join(''), sent.length)
  // Those that wait for a response before theirs have a route, where their number is limited.
  expect(routed).toBe(3)
  expect(lines.map(line => 'status' in line && line.status)).toEqual([200, 304, 404, 200])
  expect(received.startsWith(whole) && received.endsWith(whole)).toBe(true)
})

test('the last request of a connection that the server ends has a route', async () => {
  const ways = await bothWays(await smallLake(), () => ({ corsOrigins: '*' }))
  await expectRepeated(ways, get(WINDOW, ways))
  for (const { service } of [ways.short, ways.long])
    service.server.server.prependListener('request', (_, response) => {
      response.setHeader('connection', 'close')
    })
  const last = await expectSame(ways, get(WINDOW, ways))
  expect([last.routed, headerOf(last, 'connection')]).toEqual([1, 'close'])
})

test('what is no plain repeated request has a route', async () => {
  const ways = await bothWays(await smallLake())
  const repeated = get(WINDOW, ways)
  await expectRepeated(ways, repeated)
  const host = 'Host: tapehouse.test\r\n'
  const requests: readonly (readonly [string, number])[] = [
    [repeated.replace('GET', 'HEAD'), 200],
    [repeated.replace('GET', 'POST'), 405],
    [repeated.replace(ways.token, ways.token.replaceAll(/\d/g, '0')), 401],
    [repeated.replace(/Authorization: .*\r\n/, ''), 401],
    [repeated.replace(host, ''), 400],
    [repeated.replace(host, `${host}${host}`), 400],
    [repeated.replace(host, `${host}Content-Length: 1\r\n`).concat('x'), 400],
    [repeated.replace(host, `${host}Expect: something\r\n`), 417],
    [repeated.replace('MEAN', 'MAX'), 200],
    [get(WINDOW, ways, ['Accept: image/png']), 406],
  ]
  for (const [sent, status] of requests) {
    const isHead = sent.startsWith('HEAD')
    const [{ routed, received }] = isHead ? [await headOf(ways, sent)] : await ways.exchange(sent)
    expect([statusOf({ received }), routed], sent).toEqual([status, 1])
  }
  await expectRepeated(ways, repeated)
})

/** A response to HEAD has a length without a body: the connection ends it. */
const headOf = async (ways: BothWays, sent: string) => {
  const [short] = await ways.exchange(sent.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  return short
}

test('a repeated request counts against the rate of its token once, and is refused as any other', async () => {
  const ways = await bothWays(await smallLake(), () => ({
    admission: { ...openAdmission({ ratePerSecond: 4 }), rate: openRate(4, () => 0) },
  }))
  const sent = get(WINDOW, ways)
  const statuses: number[] = []
  for (let number = 0; number < 5; number += 1) statuses.push(statusOf((await ways.exchange(sent))[0]))
  expect(statuses).toEqual([200, 200, 200, 200, 429])
})

test('a repeated request sees a new snapshot, a damaged file, and what its token may', async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: SMALL_DAYS })
  const ways = await bothWays(lake)
  const { tokensFile, grants, until } = ways.short.service
  const url = '/api/analytics/window?symbols=ONE&range=full&calculations=MAX'
  const before = await expectRepeated(ways, get(url, ways))
  const ask = async (token: string) => (await ways.exchange(get(url, { ...ways, token })))[0]
  const tokenFor = (routes: readonly string[]) =>
    createToken(tokensFile, { name: routes.join(), routes, owner: null, expiresAt: null })
  const [brief, other] = [await tokenFor(['analytics-*']), await tokenFor(['alerts'])]
  expect([await ask(brief), await ask(other)]).toMatchObject([{ routed: 0 }, { routed: 1 }])
  expect(statusOf(await ask(other))).toBe(403)
  await revokeToken(tokensFile, 'analytics-*')
  await until(() => grants.find(brief) === null)
  expect(statusOf(await ask(brief))).toBe(401)

  await makeLake(folder, { days: [...SMALL_DAYS, flatDay('ONE', '2024-02-01', '1000')] })
  const [after] = await ways.exchange(get(url, ways))
  expect(headerOf(after, 'etag')).not.toBe(headerOf(before, 'etag'))
  await expectRepeated(ways, get(url, ways))

  for (const file of filesIn(lake)) truncateSync(file, 10)
  const damaged = await expectSame(ways, get(url, ways))
  expect([statusOf(damaged), damaged.routed]).toEqual([503, 1])
})

test('the token of each request on a connection counts, as it is then', async () => {
  const ways = await bothWays(await smallLake())
  const { port, service } = ways.short
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ports = new Set<number | undefined>()
  const statusWith = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request({ agent, port, path: WINDOW, headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    ports.add(response.socket.localPort)
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  const tokenFor = (routes: readonly string[], expiresAt: Date | null = null) =>
    createToken(service.tokensFile, { name: routes.join(), routes, owner: null, expiresAt })
  const [brief, other] = [await tokenFor(['analytics-*']), await tokenFor(['alerts'])]
  const until = await tokenFor(['*', 'x'], new Date(Date.now() + 1000))
  const asked = [brief, brief, other, until, brief, ways.token, brief]
  const statuses: (number | undefined)[] = []
  for (const token of asked) statuses.push(await statusWith(token))
  expect(statuses).toEqual([200, 200, 403, 200, 200, 200, 200])
  await revokeToken(service.tokensFile, 'analytics-*')
  await service.until(() => service.grants.find(brief) === null)
  expect([await statusWith(brief), await statusWith(until), await statusWith(until)]).toEqual([401, 200, 200])
  vi.setSystemTime(Date.now() + 1000)
  expect([await statusWith(until), await statusWith(ways.token)]).toEqual([401, 200])
  expect(ports.size).toBe(1)
})

const filesIn = (lake: string) =>
  readdirSync(lake, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.parquet'))
    .map(entry => join(entry.parentPath, entry.name))
