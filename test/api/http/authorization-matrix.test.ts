import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken, revokeToken } from '../../../src/api/service/token-file.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { operations } from '../../../src/operations/index.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../../fixtures/lake.ts'
import { CONTACTS, serveForTest, type TestService } from '../../fixtures/service.ts'

/** Every operation × every state of a token × the methods: exact status, body and headers. */

const folder = temporaryFolder()
let service: TestService
const tokens: Record<string, string> = {}

beforeAll(async () => {
  service = await serveForTest(folder, await makeLake(folder, { days: SMALL_DAYS }))
  const create = (name: string, routes: string[], expiresAt: Date | null = null) =>
    createToken(service.tokensFile, { name, routes, owner: null, expiresAt })
  tokens.revoked = await create('revoked', ['*'])
  tokens.expired = await create('expired', ['*'], new Date(Date.now() - 1000))
  for (const { id } of operations) {
    tokens[id] = await create(id, [id])
    tokens[`other than ${id}`] = await create(
      `other than ${id}`,
      operations.map(other => other.id).filter(other => other !== id),
    )
  }
  await revokeToken(service.tokensFile, 'revoked')
  // The revocation is the last change of the file.
  const { revoked = '' } = tokens
  const last = tokens[`other than ${operations.at(-1)?.id}`] ?? ''
  await service.until(() => service.grants.find(last) !== null && service.grants.find(revoked) === null)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST'] as const
type Method = (typeof METHODS)[number]

/** A valid URL: every required parameter with its example. */
function addressOf({ path, parameters }: Operation): string {
  const required = Object.entries(parameters).filter(([, parameter]) => parameter.required)
  const query = required
    .filter(([, each]) => each.in === 'query')
    .map(([name, { example }]) => [name, example])
  const filled = required.reduce(
    (made, [name, { example }]) => made.replace(`{${name}}`, encodeURIComponent(example)),
    path,
  )
  return `${filled}?${new URLSearchParams(query as [string, string][])}`
}

const ask = (operation: Operation, authorization: string | undefined, method: Method) =>
  service.server.inject({
    method,
    url: addressOf(operation),
    headers: authorization === undefined ? {} : { authorization },
  })

interface State {
  readonly header: (operation: Operation) => string | undefined
  readonly status: 401 | 403
  readonly challenge: string
  readonly reason: string
}

const MISSING = { status: 401, challenge: 'Bearer', reason: 'malformed_token' } as const
const INVALID = { status: 401, challenge: 'Bearer error="invalid_token"' } as const

const STATES: Readonly<Record<string, State>> = {
  none: { header: () => undefined, ...MISSING },
  empty: { header: () => 'Bearer ', ...MISSING },
  Basic: { header: () => 'Basic YTpi', ...MISSING },
  malformed: { header: () => 'Bearer not-a-uuid', ...INVALID, reason: 'malformed_token' },
  unknown: { header: () => `Bearer ${randomUUID()}`, ...INVALID, reason: 'unknown_token' },
  revoked: { header: () => `Bearer ${tokens.revoked}`, ...INVALID, reason: 'unknown_token' },
  expired: { header: () => `Bearer ${tokens.expired}`, ...INVALID, reason: 'unknown_token' },
  "another route's": {
    header: ({ id }) => `Bearer ${tokens[`other than ${id}`]}`,
    status: 403,
    challenge: 'Bearer error="insufficient_scope"',
    reason: 'route_not_permitted',
  },
}

describe.each(operations)('$id', operation => {
  test.each(Object.entries(STATES))('with the token state "%s" is rejected', async (_, state) => {
    for (const method of METHODS) {
      const answer = await ask(operation, state.header(operation), method)
      expect(answer.statusCode, method).toBe(state.status)
      expect(answer.headers['www-authenticate'], method).toBe(state.challenge)
      expect(answer.headers.allow, method).toBeUndefined()
      expect(answer.headers['cache-control'], method).toBe('no-store')
      if (method === 'HEAD') {
        expect(answer.body).toBe('')
        continue
      }
      const { message, ...body } = answer.json()
      expect(message).toMatch(/\w/)
      expect(body, method).toEqual({
        code: state.status === 401 ? 'authentication_required' : 'missing_access',
        reason: state.reason,
        ...(state.reason === 'malformed_token' ? { expected_format: 'uuid' } : {}),
        request_id: answer.headers['x-request-id'],
        retryable: false,
        ...CONTACTS,
      })
    }
  })

  test('with a token for it is permitted', async () => {
    const authorization = `Bearer ${tokens[operation.id]}`
    // The lake has only two stocks: operations on something that must exist return 404.
    const expected = KNOWN_ONLY[operation.id] ?? 200
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(operation, authorization, method)
      expect(answer.statusCode, answer.body).toBe(expected)
      expect(answer.headers['www-authenticate']).toBeUndefined()
    }
    for (const method of ['OPTIONS', 'POST'] as const) {
      const answer = await ask(operation, authorization, method)
      expect(answer.statusCode).toBe(405)
      expect(answer.headers.allow).toBe('GET, HEAD')
      expect(answer.json()).toEqual({
        code: 'method_not_allowed',
        message: 'Only GET and HEAD are allowed.',
        request_id: answer.headers['x-request-id'],
      })
    }
  })
})

/** What a lake without the requested data returns, if not 200. */
const KNOWN_ONLY: Readonly<Record<string, number>> = {
  'etf-info': 422,
  'forex-rate': 422,
  'prediction-liquidity': 404,
}
