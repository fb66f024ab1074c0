import { existsSync, readdirSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApi } from '../../../src/api/openapi/document.ts'
import { type AsOfShelf, asOfShelf } from '../../../src/lake/point-in-time/shelf.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { operations } from '../../../src/operations/index.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let lake = ''
let shelf: AsOfShelf
let open: TestService
let closed: TestService

beforeAll(async () => {
  lake = await makeLake(folder, {
    days: [
      flatDay('ONE', '2024-01-02', '100'),
      flatDay('ONE', '2024-01-03', '110'),
      flatDay('ONE', '2024-01-04', '132'),
    ],
  })
  shelf = asOfShelf({ threads: 1 })
  open = await openService(folder, lake, { asOf: shelf })
  closed = await openService(folder, lake)
})
afterAll(async () => {
  await open.close()
  await closed.close()
  shelf.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = ({ server, token }: TestService, query = '', headers = {}) =>
  server.inject({
    url: `/api/analytics/window?symbols=ONE&range=full&calculations=CUMULATIVE_RETURN${query}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
const returned = (answer: Awaited<ReturnType<typeof ask>>) => [
  answer.headers['x-tapehouse-as-of'],
  JSON.parse(answer.body).data.payload.RETURNS_CALCULATIONS.CUMULATIVE_RETURN.ONE.toFixed(2),
]

test('a request with a time gets what was known by then', async () => {
  // 132 / 100 − 1 = 0.32 after all three days, 110 / 100 − 1 = 0.1 after two.
  expect(returned(await ask(open))).toEqual([undefined, '0.32'])
  expect(returned(await ask(open, '&as_of=2024-01-03'))).toEqual(['2024-01-03', '0.10'])
  expect(returned(await ask(open, '&as_of=2024-01-04T19:59:59-05:00'))).toEqual(['2024-01-03', '0.10'])
  expect(returned(await ask(open, '&as_of=2024-01-04T20:00:00-05:00'))).toEqual(['2024-01-04', '0.32'])
  expect(returned(await ask(open, '&as_of='))).toEqual([undefined, '0.32'])
})

test('equal data have an equal tag, and other data another one', async () => {
  const now = await ask(open)
  const then = await ask(open, '&as_of=2024-01-03')
  const later = await ask(open, '&as_of=2025-01-01')
  expect(later.headers.etag).toBe(now.headers.etag)
  expect(then.headers.etag).not.toBe(now.headers.etag)
  const unchanged = await ask(open, '&as_of=2024-01-03', { 'if-none-match': then.headers.etag })
  expect([unchanged.statusCode, unchanged.headers['x-tapehouse-as-of']]).toEqual([304, '2024-01-03'])
})

test('why an answer is empty is that of its own state, also from the cache and with a matching tag', async () => {
  const why = async (query: string, headers = {}) => {
    const { statusCode, headers: sent } = await open.server.inject({
      url: `/api/stock/ONE/greeks?expiry=2024-02-16&date=2024-01-03${query}`,
      headers: { authorization: `Bearer ${open.token}`, ...headers },
    })
    return { statusCode, etag: sent.etag, reason: sent['x-tapehouse-empty'] }
  }
  const now = await why('')
  const before = await why('&as_of=2024-01-02')
  expect([now.statusCode, before.statusCode]).toEqual([200, 200])
  expect(before.etag).not.toBe(now.etag)
  expect(await why('')).toEqual(now)
  const other = await why('&as_of=2024-01-02', { 'if-none-match': now.etag })
  expect([other.statusCode, other.reason]).toEqual([200, before.reason])
})

test.each([
  ['&as_of=2024-01-03T20:00:00', 'as_of must be a date, or a time with a zone, not "2024-01-03T20:00:00"'],
  ['&as_of=yesterday', 'as_of must be a date, or a time with a zone, not "yesterday"'],
  ['&as_of=2024-01-03&as_of=2024-01-04', 'as_of is given 2 times, once is allowed'],
])('%s is refused together with all other faults', async (query, problem) => {
  const { statusCode, body } = await ask(open, `${query}&nonsense=1`)
  expect(statusCode).toBe(422)
  expect(JSON.parse(body).msg).toContain(`invalid query input: ${problem} (for example as_of=2024-03-15)`)
  expect(JSON.parse(body).msg).toContain('"nonsense" is not a parameter here')
})

test('a server that does not permit it takes the time for an unknown parameter', async () => {
  const { statusCode, body } = await ask(closed, '&as_of=2024-01-03')
  expect(statusCode).toBe(422)
  expect(JSON.parse(body).msg).toContain('"as_of" is not a parameter here')
})

test('a request whose deadline passes before its state is computed is a 503', async () => {
  const own = asOfShelf({ threads: 1 })
  const hurried = await openService(folder, lake, { asOf: own, deadlineMs: 1 })
  const { statusCode, body } = await ask(hurried, '&as_of=2024-01-03')
  expect([statusCode, JSON.parse(body).code]).toEqual([503, 'deadline_exceeded'])
  // The state is computed nevertheless.
  const taken = await own.take(await loadSnapshot(lake), '2024-01-03')
  expect(taken.snapshot.lastDate('stock_days')).toBe('2024-01-03')
  await taken.release()
  await hurried.close()
  own.close()
})

test('the shelf computes one state at a time, and once', async () => {
  const own = asOfShelf({ threads: 1 })
  const snapshot = await loadSnapshot(lake)
  const [one, same, other] = await Promise.allSettled([
    own.take(snapshot, '2024-01-02'),
    own.take(snapshot, '2024-01-02'),
    own.take(snapshot, '2024-01-03'),
  ])
  if (one.status === 'rejected' || same.status === 'rejected') throw new Error('not computed')
  expect(same.value.snapshot).toBe(one.value.snapshot)
  expect(other).toMatchObject({ status: 'rejected', reason: { code: 'overloaded' } })
  own.close()
  expect(existsSync(own.folder)).toBe(false)
})

test('the shelf holds few states, and deletes others once no response reads them', async () => {
  const own = asOfShelf({ threads: 1 })
  const snapshot = await loadSnapshot(lake)
  const states = () => readdirSync(own.folder).sort()
  const first = await own.take(snapshot, '2024-01-01')
  for (const day of ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'])
    await (await own.take(snapshot, day)).release()
  expect(states()).toEqual(['1', '2', '3', '4', '5'])
  await first.release()
  expect(states()).toEqual(['2', '3', '4', '5'])
  own.close()
})

test('OpenAPI documents the parameter and its header where they are permitted', () => {
  const described = (allowAsOf: boolean) =>
    Object.values(openApi(operations, '', { allowAsOf }).paths).map(({ get }) => [
      get.parameters.some(({ name }) => name === 'as_of'),
      'X-Tapehouse-As-Of' in get.responses[200].headers,
      'X-Tapehouse-As-Of' in get.responses[304].headers,
    ])
  expect(new Set(described(true).flat())).toEqual(new Set([true]))
  expect(new Set(described(false).flat())).toEqual(new Set([false]))
})
