import { rmSync } from 'node:fs'
import { METHODS } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemCode } from '../../../src/engine/failure.ts'
import { operations } from '../../../src/operations/index.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

/** Requests that are only wrong, as bytes on a connection: each gets a body of ours, and none a status of 500. */

const folder = temporaryFolder()
let service: TestService
let port = 0
beforeAll(async () => {
  service = await openService(folder, await makeLake(folder, { days: [flatDay('ONE', '2024-01-02', '100')] }))
  await service.server.listen({ host: '127.0.0.1', port: 0 })
  port = (service.server.server.address() as AddressInfo).port
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends bytes on a new connection and reads the responses until the server closes it. */
async function exchange(bytes: string): Promise<readonly Answer[]> {
  const connection = connect({ port, host: '127.0.0.1' })
  connection.setTimeout(20_000, () => connection.destroy(new Error(`open after ${bytes.slice(0, 60)}`)))
  connection.write(bytes)
  return answersIn((await received(connection)).toString('latin1'))
}

/**
 * What arrives on a connection until it is closed. A server that has responded need not read the rest of a request: then
 * the client's own write fails, which Node 26 reports before the end of what it has read.
 */
function received(connection: Socket): Promise<Buffer> {
  const parts: Buffer[] = []
  connection.on('data', part => parts.push(part))
  return new Promise((resolve, reject) => {
    connection.on('error', error => {
      if (systemCode(error) !== 'EPIPE') reject(error)
    })
    connection.once('close', () => resolve(Buffer.concat(parts)))
  })
}

/** The responses in bytes that are read as Latin-1, because lengths are in bytes. */
function answersIn(received: string): Answer[] {
  const answers: Answer[] = []
  let rest = received
  while (rest !== '') {
    const [head = '', ...after] = rest.split('\r\n\r\n')
    const [status = '', ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(
      lines.map(line => line.split(/: (.*)/s)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = after.join('\r\n\r\n')
    answers.push({
      status: Number(status.split(' ')[1]),
      headers,
      body: Buffer.from(body.slice(0, length), 'latin1').toString(),
    })
    rest = body.slice(length)
  }
  return answers
}

/** A request whose connection closes after its response. */
const written = (method: string, target: string, lines: readonly string[] = [], content = '') =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${service.token}`,
    'Connection: close',
    ...lines,
    '',
    content,
  ].join('\r\n')

const codeOf = ({ body }: Answer): unknown => JSON.parse(body).code

function expectProblem(answer: Answer | undefined, status: number, code: string) {
  expect([answer?.status, answer && codeOf(answer)]).toEqual([status, code])
  expect(answer?.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer?.headers['cache-control']).toBe('no-store')
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({
    message: expect.stringMatching(/^[A-Z].*\.$/),
    request_id: answer?.headers['x-request-id'],
  })
}

const ROUTES = [
  ...operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'X')),
  '/api/lake',
  '/api/socket',
  '/api/docs',
  '/api/openapi.json',
]
const CONTENT: readonly (readonly [lines: readonly string[], content: string])[] = [
  [[], ''],
  [['Content-Type: nonsense', 'Content-Length: 2'], '{]'],
  [['Content-Type: ;;', 'Transfer-Encoding: chunked'], '1\r\n{\r\n0\r\n\r\n'],
]
const OTHERS = METHODS.filter(method => !['GET', 'HEAD', 'CONNECT'].includes(method))

describe('a method other than GET and HEAD', () => {
  test.each(ROUTES)('is refused on %s, whatever its content', async route => {
    const cases = OTHERS.flatMap(method => CONTENT.map(content => ({ method, content })))
    // All on one connection: a request that is refused leaves the next one readable.
    const requests = cases.map(({ method, content }, index) => {
      const request = written(method, route, ...content)
      return index === cases.length - 1 ? request : request.replace('Connection: close\r\n', '')
    })
    const answers = await exchange(requests.join(''))
    expect(answers).toHaveLength(cases.length)
    for (const answer of answers) {
      expectProblem(answer, 405, 'method_not_allowed')
      expect(answer.headers.allow).toBe('GET, HEAD')
    }
  })

  test('gets a 404 where there is no route, and needs a token', async () => {
    for (const [method, route] of [
      ...OTHERS.map(each => [each, '/api/nowhere']),
      ['OPTIONS', '*'],
    ] as const) {
      const [answer] = await exchange(
        written(method ?? '', route ?? '', ['Content-Type: ;;', 'Content-Length: 0']),
      )
      expectProblem(answer, 404, 'not_found')
    }
    const [answer] = await exchange(
      'PROPFIND /api/lake HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expectProblem(answer, 401, 'authentication_required')
  })

  test('CONNECT, which names no route, is refused and its connection closed', async () => {
    for (const target of ['example.org:443', '/api/lake']) {
      const answers = await exchange(`CONNECT ${target} HTTP/1.1\r\nHost: localhost\r\n\r\nmore`)
      expect(answers).toHaveLength(1)
      expectProblem(answers[0], 405, 'method_not_allowed')
      expect(answers[0]?.headers.allow).toBe('GET, HEAD')
    }
  })
})

describe('GET and HEAD', () => {
  const none = CONTENT.slice(1)
  test.each(ROUTES)('with content are refused on %s', async route => {
    for (const [lines, content] of none) {
      expectProblem((await exchange(written('GET', route, lines, content)))[0], 400, 'bad_request')
      const connection = connect({ port, host: '127.0.0.1' }).end(written('HEAD', route, lines, content))
      expect(await text(connection)).toMatch(/^HTTP\/1.1 400 /)
    }
  })

  test('with much content are refused before it arrives, and what arrives is discarded', async () => {
    const length = 8 * 1024 ** 2
    const answers = await exchange(
      written('GET', '/api/lake', [`Content-Length: ${length}`], 'x'.repeat(length)),
    )
    expect(answers.map(({ status }) => status)).toEqual([400])
    const connection = connect({ port, host: '127.0.0.1' })
    connection.write(written('GET', '/api/lake', ['Content-Length: 1000000', 'Expect: 100-continue']))
    expectProblem(answersIn(await text(connection))[0], 400, 'bad_request')
  })

  test('may have a Content-Type, a length of 0, and the whole URL of the server', async () => {
    const headers = ['Content-Type: ;;', 'Content-Length: 0']
    for (const target of ['/api/lake', 'http://localhost/api/lake', 'HTTP://example.org:1/api/lake'])
      expect((await exchange(written('GET', target, headers)))[0]?.status).toBe(200)
    const [wrong] = await exchange(written('GET', 'http://localhost/api/lake?x=1'))
    const url = `http://127.0.0.1:${port}/api/lake?x=1`
    expect([wrong?.status, JSON.parse(wrong?.body ?? '').url]).toEqual([422, url])
    for (const target of ['http://localhost', '*'])
      expectProblem((await exchange(written('GET', target)))[0], 404, 'not_found')
  })
})

describe('what is not a request', () => {
  const PATH = 'GET /api/lake HTTP/1.1\r\n'
  const refused: [what: string, bytes: string, status: number, code: string][] = [
    ['another protocol', '\x16\x03\x01\x02\x00\x01', 400, 'bad_request'],
    ['an unknown method', 'FETCH /api/lake HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['another version', 'GET /api/lake HTTP/9.9\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['no Host', `${PATH}Connection: close\r\n\r\n`, 400, 'bad_request'],
    ['two Hosts', `${PATH}Host: a\r\nHOST: a\r\nConnection: close\r\n\r\n`, 400, 'bad_request'],
    ['a space in a header name', `${PATH}Ho st: a\r\n\r\n`, 400, 'bad_request'],
    [
      'a length beside chunks',
      `${PATH}Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'bad_request',
    ],
    ['two lengths', `${PATH}Host: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n`, 400, 'bad_request'],
    ['a URL over 16 KiB', `GET /api/lake?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n`, 414, 'uri_too_long'],
    ['a path over 16 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n`, 414, 'uri_too_long'],
    ['a URL over 32 KiB', `GET /api/lake?${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n`, 414, 'uri_too_long'],
    ['headers over 32 KiB', `${PATH}Host: a\r\nX: ${'x'.repeat(40_000)}\r\n`, 431, 'headers_too_large'],
    ['headers over 1 MiB', `${PATH}Host: a\r\nX: ${'x'.repeat(2 ** 20)}\r\n`, 431, 'headers_too_large'],
    ['a path that cannot be decoded', `GET /api/%zz HTTP/1.1\r\nHost: a\r\n`, 401, 'authentication_required'],
  ]
  test.each(refused)('%s', async (_, bytes, status, code) => {
    const closed = bytes.endsWith('\r\n') && !bytes.endsWith('\r\n\r\n') ? 'Connection: close\r\n\r\n' : ''
    const answers = await exchange(bytes + closed)
    expect(answers).toHaveLength(1)
    expectProblem(answers[0], status, code)
    expect(service.seen.findLast(({ kind }) => kind === 'request')).toMatchObject({ status })
  })

  test('is content that is malformed, after the refusal of its request', async () => {
    const encodings = ['what', 'chunked, what', 'chunked']
    for (const encoding of encodings) {
      const lines = [`Transfer-Encoding: ${encoding}`]
      const get = await exchange(written('GET', '/api/lake', lines, 'zz'))
      expect(get).toHaveLength(1)
      expectProblem(get[0], 400, 'bad_request')
      const post = await exchange(written('POST', '/api/lake', lines, 'zz'))
      expect(post).toHaveLength(1)
      expect([400, 405]).toContain(post[0]?.status)
      expect(codeOf(post[0] as Answer)).toBe(post[0]?.status === 400 ? 'bad_request' : 'method_not_allowed')
    }
  })

  test('after a request does not damage its response', async () => {
    const answers = await exchange(
      `${written('GET', '/api/docs').replace('close', 'keep-alive')}nonsense\r\n\r\n`,
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    expect(answers[0]?.body).toMatch(/<\/html>\n$/)
  })

  test('an expectation that no server knows is a 417, and none without a token', async () => {
    expectProblem(
      (await exchange(written('GET', '/api/lake', ['Expect: tea'])))[0],
      417,
      'expectation_failed',
    )
    const [answer] = await exchange(
      'GET /api/lake HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: tea\r\n\r\n',
    )
    expectProblem(answer, 401, 'authentication_required')
  })

  test('an upgrade on a route that has none is ignored', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: h2c']
    const plain = (bytes: string) => bytes.replace('Connection: close\r\n', '')
    expect((await exchange(plain(written('GET', '/api/lake', upgrade))))[0]?.status).toBe(200)
    expectProblem(
      (await exchange(plain(written('POST', '/api/lake', upgrade))))[0],
      405,
      'method_not_allowed',
    )
    expectProblem((await exchange(plain(written('GET', '/api/nowhere', upgrade))))[0], 404, 'not_found')
    // The socket is a WebSocket and nothing else.
    expectProblem((await exchange(plain(written('GET', '/api/socket', upgrade))))[0], 400, 'bad_request')
  })
})

test('a hint that a path cannot be decoded names a route that exists', async () => {
  const [answer] = await exchange(written('GET', '/api/%zz'))
  const [, hint = ''] = /for example (\S+)\)/.exec(JSON.parse(answer?.body ?? '').msg) ?? []
  expect((await exchange(written('GET', hint)))[0]?.status).not.toBe(404)
  const [nowhere] = await exchange(written('GET', '/api/nowhere'))
  const [route = ''] = /\/api\/\w+/.exec(JSON.parse(nowhere?.body ?? '').message) ?? []
  expect((await exchange(written('GET', route)))[0]?.status).toBe(200)
})

test('a request whose client leaves is logged with 499, and as no defect', async () => {
  const statusOf = () => service.seen.findLast(each => each.kind === 'request')?.status
  const path = '/api/analytics/window?symbols=ONE&range=full&calculations=HISTOGRAM'
  // A response may be complete before the server notices.
  for (let bins = 1; bins <= 20 && statusOf() !== 499; bins += 1) {
    const before = service.seen.length
    connect({ port, host: '127.0.0.1' })
      .end(written('GET', `${path}(bins=${bins})`))
      .resume()
    await service.until(() => service.seen.slice(before).some(({ kind }) => kind === 'request'))
  }
  expect(statusOf()).toBe(499)
  expect(service.seen.filter(({ kind }) => kind === 'failed')).toEqual([])
}, 20_000)
