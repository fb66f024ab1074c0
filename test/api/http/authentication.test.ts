import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken, revokeToken } from '../../../src/api/service/token-file.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../../fixtures/lake.ts'
import { CONTACTS, serveForTest, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let service: TestService
const tokens: Record<string, string> = {}
const PATH = '/api/analytics/window?symbols=ONE&range=full&calculations=MEAN'

beforeAll(async () => {
  service = await serveForTest(folder, await makeLake(folder, { days: SMALL_DAYS }))
  const create = (name: string, routes: string[], expiresAt: Date | null = null) =>
    createToken(service.tokensFile, { name, routes, owner: null, expiresAt })
  tokens.all = service.token
  tokens.path = await create('path', ['/api/analytics/*'])
  tokens.elsewhere = await create('elsewhere', ['congress-*', 'analytics'])
  tokens.nothing = await create('nothing', [])
  tokens.expired = await create('expired', ['*'], new Date(Date.now() - 1000))
  tokens.revoked = await create('revoked', ['*'])
  await revokeToken(service.tokensFile, 'revoked')
  tokens.exact = await create('exact', ['analytics-window'])
  tokens.unknown = randomUUID()
  tokens.malformed = 'not-a-uuid'
  const last = tokens.exact
  await service.until(() => service.grants.find(last) !== null)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (
  authorization: string | undefined,
  url = PATH,
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE' = 'GET',
) => service.server.inject({ method, url, headers: authorization === undefined ? {} : { authorization } })

const CHALLENGES = {
  missing: 'Bearer',
  invalid: 'Bearer error="invalid_token"',
  scope: 'Bearer error="insufficient_scope"',
}

describe('a request', () => {
  const refusals: [
    state: string,
    header: () => string | undefined,
    status: number,
    challenge: string,
    reason: string,
  ][] = [
    ['without a header', () => undefined, 401, CHALLENGES.missing, 'malformed_token'],
    ['with another scheme', () => 'Basic YTpi', 401, CHALLENGES.missing, 'malformed_token'],
    ['with a scheme and nothing else', () => 'Bearer ', 401, CHALLENGES.missing, 'malformed_token'],
    [
      'with a token that is no UUID',
      () => `Bearer ${tokens.malformed}`,
      401,
      CHALLENGES.invalid,
      'malformed_token',
    ],
    [
      'with a UUID and more',
      () => `Bearer ${tokens.all} ${tokens.all}`,
      401,
      CHALLENGES.invalid,
      'malformed_token',
    ],
    ['with an unknown token', () => `Bearer ${tokens.unknown}`, 401, CHALLENGES.invalid, 'unknown_token'],
    ['with an expired token', () => `Bearer ${tokens.expired}`, 401, CHALLENGES.invalid, 'unknown_token'],
    ['with a revoked token', () => `Bearer ${tokens.revoked}`, 401, CHALLENGES.invalid, 'unknown_token'],
    [
      'with a grant for other routes',
      () => `Bearer ${tokens.elsewhere}`,
      403,
      CHALLENGES.scope,
      'route_not_permitted',
    ],
    [
      'with a grant for no route',
      () => `Bearer ${tokens.nothing}`,
      403,
      CHALLENGES.scope,
      'route_not_permitted',
    ],
  ]
  test.each(refusals)(
    '%s is rejected, with any method and any parameters',
    async (_state, header, status, challenge, reason) => {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE'] as const) {
        const answer = await ask(header(), `${PATH}&nonsense=1`, method)
        expect(answer.statusCode).toBe(status)
        expect(answer.headers['www-authenticate']).toBe(challenge)
        expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
        if (method === 'HEAD') continue
        const { message, ...body } = answer.json()
        expect(message).toMatch(/\w/)
        expect(body).toEqual({
          code: status === 401 ? 'authentication_required' : 'missing_access',
          reason,
          ...(reason === 'malformed_token' ? { expected_format: 'uuid' } : {}),
          request_id: answer.headers['x-request-id'],
          retryable: false,
          ...CONTACTS,
        })
      }
    },
  )

  test.each(['all', 'exact', 'path'])('with the token "%s" is answered', async name => {
    expect((await ask(`Bearer ${tokens[name]}`)).statusCode).toBe(200)
  })

  test('may use any case for the scheme and the token', async () => {
    expect((await ask(`bearer ${tokens.all?.toUpperCase()}`)).statusCode).toBe(200)
  })

  test('for an unknown route gets 404 only with a token', async () => {
    expect((await ask(undefined, '/api/nowhere')).statusCode).toBe(401)
    const answer = await ask(`Bearer ${tokens.nothing}`, '/api/nowhere')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      code: 'not_found',
      message: 'This route does not exist: /api/docs lists all routes.',
      request_id: answer.headers['x-request-id'],
    })
  })

  test('with another method than GET or HEAD gets the allowed ones', async () => {
    for (const method of ['POST', 'DELETE'] as const) {
      const answer = await ask(`Bearer ${tokens.all}`, PATH, method)
      expect(answer.statusCode).toBe(405)
      expect(answer.headers.allow).toBe('GET, HEAD')
    }
  })
})

describe('a change of the tokens file', () => {
  test('takes effect once the server has loaded it, for new and revoked tokens', async () => {
    const token = await createToken(service.tokensFile, {
      name: 'late',
      routes: ['*'],
      owner: null,
      expiresAt: null,
    })
    await service.until(() => service.grants.find(token) !== null)
    expect((await ask(`Bearer ${token}`)).statusCode).toBe(200)
    await revokeToken(service.tokensFile, 'late')
    await service.until(() => service.grants.find(token) === null)
    expect((await ask(`Bearer ${token}`)).statusCode).toBe(401)
  })
})

test('no observation contains a token', async () => {
  await ask(`Bearer ${tokens.all}`, `${PATH}&token=${tokens.all}`)
  await ask(`Bearer ${tokens.unknown}`)
  const text = JSON.stringify(service.seen)
  expect(text).toContain('"kind":"request"')
  for (const [name, token] of Object.entries(tokens)) expect(text.toLowerCase(), name).not.toContain(token)
})
