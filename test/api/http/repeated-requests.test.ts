import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openCache } from '../../../src/api/service/answer-cache.ts'
import { createToken, revokeToken } from '../../../src/api/service/token-file.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'
import { goldenLake } from '../../golden/lake.ts'

/** A request that was sent before is answered from what was prepared for it, and from nothing else. */

const folder = temporaryFolder()
const cache = openCache(1024 ** 2)
const DAYS = [flatDay('ONE', '2024-01-02', '100'), flatDay('ONE', '2024-01-03', '125')]
let service: TestService
let alerts: TestService
let alertsLake: string

beforeAll(async () => {
  service = await openService(folder, await makeLake(folder, { days: DAYS }), { ignoresUnknown: true, cache })
  const source = fileURLToPath(new URL('../../golden/alerts/lake', import.meta.url))
  const { snapshot, engine } = await goldenLake(source, join(folder, 'alerts'))
  await engine.close()
  alertsLake = snapshot.lake
  alerts = await openService(folder, alertsLake)
})
afterAll(async () => {
  await service.close()
  await alerts.close()
  rmSync(folder, { recursive: true, force: true })
})

const WINDOW = '/api/analytics/window?symbols=ONE&range=full&calculations=MAX'

type Method = 'GET' | 'HEAD'
const ask = (
  { server, token }: TestService,
  url: string,
  headers: Record<string, string> = {},
  method: Method = 'GET',
) => server.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...headers } })

/** Asks until the answer comes from the cache, and returns this answer. */
async function askTwice(of: TestService, url: string, headers: Record<string, string> = {}) {
  const first = await ask(of, url, headers)
  const again = await ask(of, url, headers)
  expect([again.statusCode, again.rawPayload, usesOf(of).at(-1)]).toEqual([200, first.rawPayload, 'hit'])
  return again
}

const usesOf = ({ seen }: TestService) => seen.flatMap(each => (each.kind === 'request' ? [each.cache] : []))

describe('a repeated request', () => {
  test('has the headers of the first, and a request id of its own', async () => {
    const first = await ask(service, `${WINDOW},MIN`)
    const again = await ask(service, `${WINDOW},MIN`, { 'x-request-id': 'own' })
    const { 'x-request-id': id, date, ...same } = again.headers
    expect(id).toBe('own')
    expect(first.headers).toMatchObject(same)
    expect(Object.keys(first.headers)).toEqual(Object.keys(again.headers))
  })

  test('gets the representation that it accepts', async () => {
    const json = await askTwice(service, WINDOW)
    const csv = await askTwice(service, WINDOW, { accept: 'text/csv' })
    const compressed = await askTwice(service, WINDOW, { 'accept-encoding': 'gzip' })
    expect(csv.headers['content-type']).toContain('text/csv')
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect((await ask(service, WINDOW, { accept: 'image/png' })).statusCode).toBe(406)
    expect((await ask(service, WINDOW, { 'accept-encoding': 'identity;q=0' })).statusCode).toBe(406)
    const last = await ask(service, WINDOW)
    expect([last.headers['content-type'], last.body]).toEqual([json.headers['content-type'], json.body])
    expect(last.headers).not.toHaveProperty('content-encoding')
    const head = await ask(service, WINDOW, {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', json.headers.etag])
  })

  test('names the parameters that its own URL has and that are ignored', async () => {
    for (const [query, named] of [
      ['', undefined],
      ['&vendor=1', 'vendor'],
      ['&other=1', 'other'],
    ]) {
      const { headers } = await askTwice(service, `${WINDOW}${query}`)
      expect(headers['x-tapehouse-ignored-parameters']).toBe(named)
      const unchanged = { 'if-none-match': String(headers.etag) }
      for (const _ of [1, 2]) {
        const answer = await ask(service, `${WINDOW}${query}`, unchanged)
        expect([answer.statusCode, answer.headers['x-tapehouse-ignored-parameters']]).toEqual([304, named])
      }
      expect((await ask(service, `${WINDOW}${query}`, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    }
  })

  test('names the next page by its own parameters, whatever its host', async () => {
    const period = 'newer_than=2024-01-12T14:54:00Z&older_than=2024-01-12T14:58:00Z'
    const link = async (query: string, host: string) =>
      String((await askTwice(alerts, `/api/alerts?${query}`, { host, authorization: ann })).headers.link)
    const ann = `Bearer ${await tokenFor(alerts, 'ann')}`
    for (const host of ['one.example.org', 'two.example.org']) {
      expect(await link(`limit=1&${period}`, host)).toMatch(/^<\/api\/alerts\?limit=1&newer_than=[^>]*>/)
      expect(await link(`${period}&limit=1`, host)).toMatch(/^<\/api\/alerts\?newer_than=[^>]*limit=1&[^>]*>/)
    }
  })

  test('is refused once its token is revoked, and to a token without its route', async () => {
    await askTwice(service, WINDOW)
    const authorization = `Bearer ${await tokenFor(service, 'brief')}`
    await askTwice(service, WINDOW, { authorization })
    const other = await tokenFor(service, 'other', ['alerts'])
    expect((await ask(service, WINDOW, { authorization: `Bearer ${other}` })).statusCode).toBe(403)
    await revokeToken(service.tokensFile, 'brief')
    await service.until(() => service.grants.find(authorization.slice('Bearer '.length)) === null)
    expect((await ask(service, WINDOW, { authorization })).statusCode).toBe(401)
  })

  test('at another minute has a window that ends then', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const own = await openService(folder, alertsLake)
    onTestFinished(() => own.close())
    const url = '/api/alerts?intraday_only=false'
    const countAt = async (clock: string) => {
      vi.setSystemTime(clock)
      return (await askTwice(own, url)).json().data.length
    }
    // Between these times, one alert that everybody sees was created.
    const [before, after] = [await countAt('2024-01-12T14:54:00Z'), await countAt('2024-01-12T14:58:00Z')]
    expect(after).toBeGreaterThan(before)
    expect(await countAt('2024-01-12T14:54:00Z')).toBe(before)
  })

  test('is answered from a snapshot as soon as it is published', async () => {
    const before = await askTwice(service, WINDOW)
    await makeLake(folder, { days: [...DAYS, flatDay('ONE', '2024-01-04', '250')] })
    const after = await askTwice(service, WINDOW, { 'if-none-match': String(before.headers.etag) })
    const maximum = ({ body }: typeof after) => JSON.parse(body).data.payload.RETURNS_CALCULATIONS.MAX.ONE
    expect([maximum(before), maximum(after)]).toEqual([0.25, 1])
    expect(after.headers['x-tapehouse-snapshot']).not.toBe(before.headers['x-tapehouse-snapshot'])
  })
})

async function tokenFor(of: TestService, name: string, routes = ['*']): Promise<string> {
  const token = await createToken(of.tokensFile, { name, routes, owner: name, expiresAt: null })
  await of.until(() => of.grants.find(token) !== null)
  return token
}

test('requests that are never repeated take an eighth of the cache at most', async () => {
  for (let number = 0; number < 40; number += 1) {
    expect((await ask(service, `${WINDOW}&number=${number}`)).statusCode).toBe(200)
    expect(cache.requests.bytes).toBeLessThanOrEqual(1024 ** 2 / 8)
  }
  expect(cache.requests.bytes).toBeGreaterThan(1024 ** 2 / 16)
})
