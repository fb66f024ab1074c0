import { rmSync } from 'node:fs'
import { Errors } from 'typebox/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { tapehouseHere } from '../../cli/in-process.ts'
import { withoutReferences } from '../../fixtures/document.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let lake = ''
let service: TestService
let token = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: [flatDay('ONE', '2024-01-02', '100')] })
  service = await openService(folder, lake)
  token = await createToken(service.tokensFile, {
    name: 'one',
    routes: ['greeks'],
    owner: null,
    expiresAt: null,
  })
  await service.until(() => service.grants.find(token) !== null)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  service.server.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...headers } })

test('any valid token may read what the lake holds, as tapehouse info prints it', async () => {
  const { statusCode, headers, body } = await get('/api/lake')
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(body).toBe((await tapehouseHere(['info', '--lake', lake, '--format', 'json'])).stdout.toString())
  expect((await service.server.inject('/api/lake')).statusCode).toBe(401)
})

test('the OpenAPI document describes it under a tag of its own, and its schema fits the response', async () => {
  const sent = (await get('/api/openapi.json')).json()
  const { get: described } = withoutReferences(sent).paths['/api/lake'] ?? expect.fail('it is missing')
  expect(described.tags).toEqual(['Lake'])
  const { schema } = described.responses['200']?.content?.['application/json'] ?? expect.fail('no JSON')
  expect(Errors(schema, (await get('/api/lake')).json())[1]).toEqual([])
  expect(Errors(schema, { snapshot: 1 })[1]).not.toEqual([])
})

test('a response has an ETag of its snapshot: the next one differs', async () => {
  const first = await get('/api/lake')
  const { etag = '' } = first.headers
  const again = await get('/api/lake', { 'if-none-match': String(etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const reads = () => service.seen.filter(each => each.kind === 'query').length
  const before = reads()
  expect((await get('/api/lake')).body).toBe(first.body)
  expect(reads()).toBe(before)
  expect((await get('/api/lake', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')

  await makeLake(folder, { days: [flatDay('TWO', '2024-01-03', '50')] })
  const next = await get('/api/lake', { 'if-none-match': String(etag) })
  expect(next.statusCode).toBe(200)
  expect(next.json()).toMatchObject({ snapshot: 2, rows: 4 })
  expect(next.headers.etag).not.toBe(etag)
})

test('other methods, media types and parameters are refused', async () => {
  expect((await get('/api/lake', {}, 'HEAD')).statusCode).toBe(200)
  expect((await get('/api/lake', {}, 'POST')).statusCode).toBe(405)
  expect((await get('/api/lake', { accept: 'text/csv' })).statusCode).toBe(406)
  const refused = await get('/api/lake?snapshot=1')
  expect([refused.statusCode, refused.json().msg]).toEqual([
    422,
    'invalid query input: "snapshot" is not a parameter here: this route has none (for example /api/lake)',
  ])
})
