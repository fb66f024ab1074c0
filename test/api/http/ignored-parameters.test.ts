import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ignoredHeader } from '../../../src/api/http/ignored-parameters.ts'
import { openApi } from '../../../src/api/openapi/document.ts'
import { operations } from '../../../src/operations/index.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

/** A server that ignores unknown parameters, which others refuse. */

const folder = temporaryFolder()
let ignoring: TestService
let refusing: TestService

beforeAll(async () => {
  await makeLake(folder, { days: [flatDay('ONE', '2024-01-03', '120')] })
  const lake = join(folder, 'lake')
  ignoring = await openService(folder, lake, { ignoresUnknown: true })
  refusing = await openService(folder, lake)
})
afterAll(async () => {
  await ignoring.close()
  await refusing.close()
  rmSync(folder, { recursive: true, force: true })
})

const HEADER = 'x-tapehouse-ignored-parameters'

const ask = ({ server, token }: TestService, query = '', headers = {}) =>
  server.inject({
    url: `/api/analytics/window?symbols=ONE&range=full&calculations=MEAN${query}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

test('an unknown parameter is refused by default', async () => {
  const answer = await ask(refusing, '&vendor=1')
  expect([answer.statusCode, answer.headers[HEADER]]).toEqual([422, undefined])
  expect(answer.json().msg).toContain('"vendor" is not a parameter here')
})

test('ignored, it changes neither the answer nor its tag, and is named', async () => {
  const plain = await ask(ignoring)
  expect([plain.statusCode, plain.headers[HEADER]]).toEqual([200, undefined])
  for (const [query, named] of [
    ['&vendor=1', 'vendor'],
    ['&vendor=1&vendor=2&other[]=&Interval=DAILY', 'vendor, other%5B%5D, Interval'],
    ['&interval[]=DAILY', 'interval%5B%5D'],
  ]) {
    const answer = await ask(ignoring, query)
    expect([answer.statusCode, answer.headers[HEADER]]).toEqual([200, named])
    expect([answer.body, answer.headers.etag]).toEqual([plain.body, plain.headers.etag])
  }
})

test('a 304 names it too', async () => {
  const { headers } = await ask(ignoring)
  const unchanged = await ask(ignoring, '&vendor=1', { 'if-none-match': headers.etag })
  expect([unchanged.statusCode, unchanged.headers[HEADER]]).toEqual([304, 'vendor'])
})

test('known parameters are checked as ever, and so are those that select what is read', async () => {
  const bad = await ask(ignoring, '&vendor=1&interval=HOURLY&ohlc=mid')
  expect(bad.statusCode).toBe(422)
  expect(bad.json().msg).toMatch(
    /^invalid query input: interval is "HOURLY".*; invalid query input: ohlc is "mid"/,
  )
  expect(bad.json().msg).not.toContain('vendor')
  for (const name of ['snapshot', 'as_of']) {
    const answer = await ask(ignoring, `&${name}=1`)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().msg).toContain(`"${name}" is not a parameter here`)
  }
})

test('names cannot break out of the header, and do not fill it', async () => {
  const answer = await ask(ignoring, '&a%0D%0ASet-Cookie:%20x=1&%F0%9F%98%80%2C=2&%FF=3')
  expect(answer.headers[HEADER]).toBe('a%0D%0ASet-Cookie%3A%20x, %F0%9F%98%80%2C, %EF%BF%BD')
  expect(answer.headers['set-cookie']).toBeUndefined()
  const long = '😀'.repeat(100)
  expect(ignoredHeader([long])).toBe('%F0%9F%98%80'.repeat(40))
  const many = Array.from({ length: 500 }, (_, index) => `parameter_${100 + index}`)
  const header = ignoredHeader(many)
  expect(header).toMatch(/^parameter_100, parameter_101, .* and 434 more$/)
  expect(header.length).toBeLessThan(1100)
})

test('OpenAPI documents the header where it can be sent', () => {
  const described = (ignoresUnknown: boolean) => {
    const { paths, components } = openApi(operations, '', { ignoresUnknown })
    const answers = Object.values(paths).flatMap(({ get }) => [get.responses[200], get.responses[304]])
    return new Set([...answers, components].map(({ headers }) => 'X-Tapehouse-Ignored-Parameters' in headers))
  }
  expect(described(true)).toEqual(new Set([true]))
  expect(described(false)).toEqual(new Set([false]))
})
