import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

/** What https://fetch.spec.whatwg.org/#http-cors-protocol requires of a server, with the setting and without it. */

const APP = 'https://app.example.org'
const ELSEWHERE = 'https://elsewhere.example.org'
const PATH = '/api/analytics/window?symbols=ONE&range=full&calculations=MEAN'
const PREFLIGHT = {
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
}

const folder = temporaryFolder()
let off: TestService
let listed: TestService
let all: TestService
beforeAll(async () => {
  const lake = await makeLake(folder, { days: [flatDay('ONE', '2024-01-02', '100')] })
  off = await openService(folder, lake)
  listed = await openService(folder, lake, { corsOrigins: ['http://localhost:5173', APP] })
  all = await openService(folder, lake, { corsOrigins: '*' })
})
afterAll(async () => {
  for (const service of [off, listed, all]) await service.close()
  rmSync(folder, { recursive: true, force: true })
})

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST'
const ask = (
  { server, token }: TestService,
  headers: Record<string, string>,
  url = PATH,
  method: Method = 'GET',
) => server.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...headers } })

const corsHeaders = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter(name => name.startsWith('access-control-'))

describe('without the setting', () => {
  test('OPTIONS is refused as any other method, and no response has a header of CORS', async () => {
    const origin = { origin: APP }
    const preflight = await off.server.inject({
      method: 'OPTIONS',
      url: PATH,
      headers: { ...origin, ...PREFLIGHT },
    })
    expect(preflight.statusCode).toBe(401)
    expect((await ask(off, { ...origin, ...PREFLIGHT }, PATH, 'OPTIONS')).statusCode).toBe(405)
    const answer = await ask(off, origin)
    expect([answer.statusCode, answer.headers.vary]).toEqual([200, 'Authorization, Accept, Accept-Encoding'])
    for (const { headers } of [preflight, answer]) expect(corsHeaders(headers)).toEqual([])
  })
})

describe('with a list of origins', () => {
  test('a preflight of one of them needs no token, on any path', async () => {
    for (const url of [PATH, '/api/lake', '/api/docs', '/api/nowhere']) {
      const headers = { origin: APP, ...PREFLIGHT }
      const answer = await listed.server.inject({ method: 'OPTIONS', url, headers })
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'Authorization, If-None-Match, X-Request-Id',
        vary: 'Origin',
        'x-request-id': expect.any(String),
      })
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
    expect(listed.seen.at(-1)).toMatchObject({ kind: 'request', method: 'OPTIONS', status: 204 })
  })

  test('other origins, and what is no preflight, get nothing', async () => {
    const others = [
      ELSEWHERE,
      'null',
      'https://app.example.org.evil.example',
      'http://app.example.org',
      `${APP}:8443`,
    ]
    for (const origin of others) {
      const preflight = await listed.server.inject({
        method: 'OPTIONS',
        url: PATH,
        headers: { origin, ...PREFLIGHT },
      })
      const answer = await ask(listed, { origin })
      expect([preflight.statusCode, answer.statusCode]).toEqual([401, 200])
      for (const { headers } of [preflight, answer]) {
        expect(corsHeaders(headers)).toEqual([])
        expect(headers.vary).toMatch(/(^|, )Origin$/)
      }
    }
    expect((await ask(listed, { origin: APP }, PATH, 'OPTIONS')).statusCode).toBe(405)
  })

  test('a page can read every response and its headers', async () => {
    const first = await ask(listed, { origin: APP })
    const cases: [answer: Awaited<ReturnType<typeof ask>>, status: number][] = [
      [first, 200],
      [await ask(listed, { origin: APP, 'if-none-match': String(first.headers.etag) }), 304],
      [await ask(listed, { origin: APP, authorization: '' }), 401],
      [await ask(listed, { origin: APP }, '/api/nowhere'), 404],
      [await ask(listed, { origin: APP }, PATH, 'POST'), 405],
      [await ask(listed, { origin: APP, accept: 'image/png' }), 406],
      [await ask(listed, { origin: APP }, `${PATH}&x=1`), 422],
      [await ask(listed, { origin: APP }, '/api/%zz'), 422],
      [await ask(listed, { origin: APP }, '/api/openapi.json'), 200],
    ]
    for (const [{ statusCode, headers }, status] of cases) {
      expect(statusCode).toBe(status)
      expect(headers['access-control-allow-origin'], String(status)).toBe(APP)
      expect(headers.vary, String(status)).toMatch(/(^|, )Origin$/)
      const exposed = String(headers['access-control-expose-headers']).split(', ')
      expect(exposed).toContain('x-request-id')
      if (status === 401) expect(exposed).toContain('www-authenticate')
      if (status === 405) expect(exposed).toContain('allow')
    }
    expect(first.headers.vary).toBe('Authorization, Accept, Accept-Encoding, Origin')
    const exposed = String(first.headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['etag', 'x-tapehouse-snapshot', 'x-tapehouse-date']))
  })
})

test('with * every origin is allowed, and a response does not vary by it', async () => {
  const preflight = await all.server.inject({
    method: 'OPTIONS',
    url: PATH,
    headers: { origin: APP, ...PREFLIGHT },
  })
  expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
  for (const headers of [{ origin: ELSEWHERE }, {}]) {
    const answer = await ask(all, headers as Record<string, string>)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers.vary).toBe('Authorization, Accept, Accept-Encoding')
  }
})
