import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FORMATS, formatNames } from '../../../src/operations/answering/formats.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { serveForTest, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let service: TestService
/** A Thursday and a Friday; the Monday after them is Martin Luther King Jr. Day. */
const DAYS = ['2024-01-11', '2024-01-12']

beforeAll(async () => {
  const lake = await importOptionDays(
    folder,
    DAYS.map(date => ({ date, trades: { ACME: 3 }, chain: { ACME: 4 } })),
  )
  service = await serveForTest(folder, lake)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (url: string, headers: Record<string, string> = {}, { server, token } = service) =>
  server.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } })

/** The status, the date and the reason of an answer. */
async function described(url: string, headers?: Record<string, string>) {
  const { statusCode, headers: sent } = await ask(url, headers)
  return [statusCode, sent['x-tapehouse-date'] ?? null, sent['x-tapehouse-empty'] ?? null]
}

const OI = (ticker: string, date = '') => `/api/stock/${ticker}/oi-per-expiry${date && `?date=${date}`}`
const FLOW = (root: string, date = '') =>
  `/api/option-contract/${root}241220C00100000/flow${date && `?date=${date}`}`

describe('X-Tapehouse-Date', () => {
  test('is the requested date, or the default', async () => {
    expect(await described(OI('ACME'))).toEqual([200, '2024-01-12', null])
    expect(await described(OI('ACME', '2024-01-11'))).toEqual([200, '2024-01-11', null])
  })

  test('is missing where an operation has no date, or the lake none', async () => {
    expect(await described('/api/institutions')).toEqual([200, null, 'dataset_missing'])
    expect(await described('/api/darkpool/ACME/price-levels')).toEqual([200, null, 'dataset_missing'])
  })
})

describe('X-Tapehouse-Empty', () => {
  test.each([
    ['a mistyped ticker', OI('NOPE'), '2024-01-12', 'unknown_ticker'],
    ['a mistyped ticker on a holiday', OI('NOPE', '2024-01-15'), '2024-01-15', 'unknown_ticker'],
    ['a contract of an unknown root', FLOW('NOPE'), '2024-01-12', 'unknown_ticker'],
    ['a holiday', OI('ACME', '2024-01-15'), '2024-01-15', 'no_session'],
    ['a Saturday', FLOW('ACME', '2024-01-13'), '2024-01-13', 'no_session'],
    ['a future date', OI('ACME', '2031-01-15'), '2031-01-15', 'outside_lake'],
    ['a date before the lake', FLOW('ACME', '2024-01-10'), '2024-01-10', 'outside_lake'],
    ['a contract that did not trade', FLOW('ACME').replace('00100000', '00999000'), '2024-01-12', 'no_match'],
    ['a dataset that was never imported', '/api/potus/posts', null, 'dataset_missing'],
  ])('of %s', async (_what, url, date, reason) => {
    expect(await described(url)).toEqual([200, date, reason])
  })

  test.each(formatNames)('is in an answer as %s, in the cached one and in a 304', async format => {
    const accept = { accept: FORMATS[format].mediaType }
    for (const [url, reason] of [
      [OI('NOPE'), 'unknown_ticker'],
      [FLOW('ACME', '2024-01-15'), 'no_session'],
      [OI('ACME'), undefined],
    ] as const) {
      const first = await ask(url, accept)
      const again = await ask(url, accept)
      expect(first.headers['x-tapehouse-empty'], url).toBe(reason)
      expect(again.headers).toMatchObject({ etag: first.headers.etag })
      expect(again.headers['x-tapehouse-empty'], url).toBe(reason)
      const unchanged = await ask(url, { ...accept, 'if-none-match': String(first.headers.etag) })
      expect(unchanged.statusCode).toBe(304)
      expect(unchanged.headers).toMatchObject({
        etag: first.headers.etag,
        'x-tapehouse-date': expect.any(String),
      })
      expect(unchanged.headers['x-tapehouse-empty'], url).toBe(reason)
    }
  })

  test('follows the lake: an import of other data makes an unknown ticker known', async () => {
    const own = temporaryFolder()
    const lake = await importOptionDays(own, [{ date: '2024-01-11', trades: { ACME: 3 } }])
    const growing = await serveForTest(own, lake)
    const about = (headers = {}) => ask(OI('BOLT', '2024-01-11'), headers, growing)
    const before = await about()
    expect(before.headers['x-tapehouse-empty']).toBe('unknown_ticker')
    await importOptionDays(own, [{ date: '2024-01-12', trades: { BOLT: 3 } }])
    const after = await about({ 'if-none-match': String(before.headers.etag) })
    expect([after.statusCode, after.headers['x-tapehouse-empty']]).toEqual([200, 'no_match'])
    expect((await about()).headers['x-tapehouse-empty']).toBe('no_match')
    await growing.close()
    rmSync(own, { recursive: true, force: true })
  })

  test('is not on an error', async () => {
    expect(await described(OI('ACME', 'yesterday'))).toEqual([422, null, null])
  })
})

test('X-Tapehouse-Synthetic marks each answer of a lake that holds only generated data', async () => {
  const market = await serveForTest(folder, await sharedMarket('whole'))
  const first = await ask('/api/congress/politicians', {}, market)
  expect(first.headers['x-tapehouse-synthetic']).toBe('true')
  const unchanged = await ask(
    '/api/congress/politicians',
    { 'if-none-match': String(first.headers.etag) },
    market,
  )
  expect([unchanged.statusCode, unchanged.headers['x-tapehouse-synthetic']]).toEqual([304, 'true'])
  expect((await ask(OI('ACME'))).headers['x-tapehouse-synthetic']).toBeUndefined()
  await market.close()
})
