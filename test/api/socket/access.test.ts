import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect as connectTo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeToken } from '../../../src/api/service/token-file.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { CONTACTS } from '../../fixtures/service.ts'
import {
  ANSWERED_WITHIN_MS,
  connect,
  DAY_OVER_MS,
  oneDay,
  type SocketServer,
  socketServer,
} from './clients.ts'

/** Which tokens may open a socket and join a channel. */

const folder = temporaryFolder()
let lake = ''
let server: SocketServer
beforeAll(async () => {
  lake = await oneDay()
  server = await socketServer(folder, lake)
}, 300_000)
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

/** Sends a request on a new connection and reads the response. The response to an upgrade has no body. */
function ask(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  port = server.port,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path, method, headers, agent: false })
    outgoing.setTimeout(ANSWERED_WITHIN_MS, () =>
      outgoing.destroy(new Error(`${method} ${path.replace(/\?.*/, '')} is not answered`)),
    )
    outgoing.once('error', reject)
    outgoing.once('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode, headers: response.headers, body: {} })
    })
    outgoing.once('response', async response => {
      const body = await text(response).catch(reject)
      resolve({ status: response.statusCode, headers: response.headers, body: body ? JSON.parse(body) : {} })
    })
    outgoing.end()
  })
}

/** The raw response to a request with an upgrade, read until the server closes the connection. */
async function rawResponse(path: string, headers: Record<string, string>): Promise<string> {
  const connection = connectTo({ port: server.port, host: '127.0.0.1' })
  connection.setTimeout(ANSWERED_WITHIN_MS, () => connection.destroy(new Error('the server keeps it open')))
  const lines = Object.entries({ host: 'localhost', ...UPGRADE, ...headers }).map(
    ([name, is]) => `${name}: ${is}`,
  )
  connection.write(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  return text(connection)
}

describe('opening a socket', () => {
  const refusals: [state: string, path: string, headers: Record<string, string>, reason: string][] = [
    ['without a token', '/api/socket', {}, 'malformed_token'],
    ['with an empty token', '/api/socket?token=', {}, 'malformed_token'],
    ['with a token that is no UUID', '/api/socket?token=abc', {}, 'malformed_token'],
    ['with an unknown token', `/api/socket?token=${randomUUID()}`, {}, 'unknown_token'],
    [
      'with an unknown token in the header',
      '/api/socket',
      { authorization: `Bearer ${randomUUID()}` },
      'unknown_token',
    ],
  ]
  test.each(refusals)('%s is rejected with the body of every 401', async (_state, path, headers, reason) => {
    const { status, headers: got, body } = await ask(path, { ...UPGRADE, ...headers })
    expect(status).toBe(401)
    const { message, ...rest } = body
    expect(message).toMatch(/\w/)
    expect(rest).toEqual({
      code: 'authentication_required',
      reason,
      ...(reason === 'malformed_token' ? { expected_format: 'uuid' } : {}),
      request_id: got['x-request-id'],
      retryable: false,
      ...CONTACTS,
    })
  })

  test('that is rejected closes the connection', async () => {
    expect(await rawResponse('/api/socket', {})).toMatch(/^HTTP\/1.1 401 /)
  })

  test('with a token for no channel is rejected with 403', async () => {
    const token = await server.grant('elsewhere', ['analytics-window', '/api/congress/*', 'streamlined'])
    const { status, body } = await ask(`/api/socket?token=${token}`, UPGRADE)
    expect([status, body.code, body.reason]).toEqual([403, 'missing_access', 'route_not_permitted'])
  })

  test.each([
    ['for one channel', 'stream.flow_alerts'],
    ['for some channels', 'stream.chain_frags.A*'],
    ['by the path', '/api/socket'],
    ['by any path', '/api/*'],
  ])('with a token %s is allowed', async (state, route) => {
    const token = await server.grant(state, [route])
    expect((await ask(`/api/socket?token=${token}`, UPGRADE)).status).toBe(101)
  })

  test('uses the token of the header rather than that of the query', async () => {
    const authorization = `Bearer ${server.token}`
    expect((await ask('/api/socket', { ...UPGRADE, authorization })).status).toBe(101)
    expect((await ask('/api/socket?token=abc', { ...UPGRADE, authorization })).status).toBe(101)
    const wrong = { ...UPGRADE, authorization: `Bearer ${randomUUID()}` }
    expect((await ask(`/api/socket?token=${server.token}`, wrong)).status).toBe(401)
  })

  test('accepts any origin', async () => {
    const headers = { ...UPGRADE, origin: 'https://elsewhere.example' }
    expect((await ask(`/api/socket?token=${server.token}`, headers)).status).toBe(101)
  })

  test('without an upgrade gets 426', async () => {
    const { status, headers, body } = await ask(`/api/socket?token=${server.token}`, {})
    expect([status, headers.upgrade, body.code]).toEqual([426, 'websocket', 'upgrade_required'])
    expect((await ask('/api/socket', {})).status).toBe(401)
  })

  test('with another method gets 405', async () => {
    const { status, headers } = await ask(`/api/socket?token=${server.token}`, {}, 'POST')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('beyond the limit of a worker gets 503', async () => {
    const small = await socketServer(folder, lake, { limits: { socketsMax: 2 } })
    try {
      const [one] = [await connect(small), await connect(small)]
      const path = `/api/socket?token=${small.token}`
      const { status, headers, body } = await ask(path, UPGRADE, 'GET', small.port)
      expect([status, headers['retry-after'], body.code, body.retryable]).toEqual([
        503,
        '1',
        'overloaded',
        true,
      ])
      one?.socket.close()
      await one?.closed()
      await connect(small)
    } finally {
      await small.close()
    }
  })
})

describe('a request for another route', () => {
  const path = '/api/stock/ACME/oi-per-expiry'
  test('with an upgrade is answered as without, and its connection is closed', async () => {
    const authorization = `Bearer ${server.token}`
    const plain = await ask(path, { authorization })
    for (const upgrade of ['h2c', 'websocket']) {
      const upgraded = await ask(path, { ...UPGRADE, upgrade, authorization })
      expect([upgraded.status, upgraded.body]).toEqual([plain.status, plain.body])
      expect(plain.status).toBe(200)
    }
    expect((await ask('/api/nowhere', { ...UPGRADE, authorization })).status).toBe(404)
    expect((await ask(path, { ...UPGRADE })).status).toBe(401)
    expect(await rawResponse(path, { authorization })).toMatch(/^HTTP\/1.1 200 /)
  })
  test('ignores a token in the query', async () => {
    expect((await ask(`${path}?token=${server.token}`, {})).status).toBe(401)
  })
})

describe('joining a channel', () => {
  const OK = { response: {}, status: 'ok' }
  const refused = (id: string) => ({
    response: { reason: `the token has no permission for this channel: it needs the route ${id}` },
    status: 'error',
  })

  test('requires permission for that channel', async () => {
    const token = await server.grant('some', ['stream.option_trades', 'stream.chain_frags.AAA'])
    const client = await connect(server, { token })
    for (const name of [
      'option_trades',
      'option_trades:AAA',
      'chain_frags',
      'chain_frags:aaa',
      'chain_frags:AAAB',
      'flow-alerts',
    ])
      await client.join(name)
    expect(client.received).toEqual([
      ['option_trades', OK],
      ['option_trades:AAA', refused('stream.option_trades.AAA')],
      ['chain_frags', refused('stream.chain_frags')],
      ['chain_frags:aaa', OK],
      ['chain_frags:AAAB', refused('stream.chain_frags.AAAB')],
      ['flow-alerts', refused('stream.flow_alerts')],
    ])
  })

  test('is permitted by patterns', async () => {
    const token = await server.grant('pattern', ['stream.chain_frags*'])
    const client = await connect(server, { token })
    for (const name of ['chain_frags', 'chain_frags:AAA', 'option_trades']) await client.join(name)
    expect(client.received.map(([, { status }]) => status)).toEqual(['ok', 'ok', 'error'])
  })
})

describe('a token that becomes invalid', () => {
  test('by being revoked closes its sockets within a second, and no others', async () => {
    const token = await server.grant('brief', ['*'])
    const [gone, stays] = [await connect(server, { token }), await connect(server)]
    await gone.join('flow_alerts')
    await revokeToken(server.tokensFile, 'brief')
    expect(await gone.closed()).toEqual([4401, 'the token is revoked or has expired'])
    await stays.join('flow_alerts')
    expect(server.seen.findLast(({ kind }) => kind === 'socket_closed')).toMatchObject({
      end: 'revoked',
      code: 4401,
    })
  })

  test('by expiring closes them too', { tags: 'slow' }, async () => {
    const token = await server.grant('short', ['*'], new Date(Date.now() + 1500))
    const client = await connect(server, { token })
    expect((await client.closed())[0]).toBe(4401)
  })
})

test('a token that loses a channel gets an error, and still receives its other channels', async () => {
  const token = await server.grant('narrowed', ['stream.option_trades', 'stream.flow_alerts'])
  const client = await connect(server, { token })
  await client.join('option_trades')
  await client.join('flow-alerts')
  const stored = JSON.parse(readFileSync(server.tokensFile, 'utf8'))
  for (const each of stored.tokens) if (each.name === 'narrowed') each.routes = ['stream.flow_alerts']
  writeFileSync(`${server.tokensFile}.new`, JSON.stringify(stored))
  renameSync(`${server.tokensFile}.new`, server.tokensFile)
  const answers = () => client.received.filter(([name]) => name === 'option_trades')
  await expect
    .poll(() => answers()[1], { timeout: 5000 })
    .toEqual([
      'option_trades',
      { response: { reason: 'the token no longer has permission for this channel' }, status: 'error' },
    ])
  server.elapse(DAY_OVER_MS)
  await client.until(() => client.data('flow-alerts').length > 0)
  expect(client.data('option_trades')).toEqual([])
  await client.join('option_trades')
  expect(answers().map(([, { status }]) => status)).toEqual(['ok', 'error', 'error'])
})

test('no observation and no response contains a token', async () => {
  const token = await server.grant('hidden', ['stream.flow_alerts'])
  const unknown = randomUUID()
  const client = await connect(server, { token })
  await client.join('chain_frags')
  client.send(`{"channel": "${token}", "msg_type": "join"`)
  client.socket.close()
  await client.closed()
  const answers = [
    await ask(`/api/socket?token=${token}`, {}),
    await ask(`/api/socket?token=${unknown}`, UPGRADE),
    await ask(`/api/socket?token=${token}x`, UPGRADE),
    await ask(`/api/socket/?token=${token}`, UPGRADE),
    await ask(`/api/socket?token=${token}`, {}, 'DELETE'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([426, 401, 401, 401, 405])
  await expect.poll(() => server.seen.some(({ kind }) => kind === 'socket_closed')).toBe(true)
  const text = JSON.stringify([server.seen, answers, client.received])
  expect(text).toContain('"path":"/api/socket"')
  expect(text).toContain('"kind":"socket_opened"')
  for (const secret of [token, unknown, server.token]) expect(text).not.toContain(secret)
})
