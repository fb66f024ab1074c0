import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApi } from '../../../src/api/openapi/document.ts'
import { keepSnapshot, releaseSnapshot } from '../../../src/lake/snapshots/kept.ts'
import { snapshotShelf } from '../../../src/lake/snapshots/shelf.ts'
import { operations } from '../../../src/operations/index.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let lake = ''
let open: TestService
let closed: TestService

beforeAll(async () => {
  // The close of ONE on the second day is 110 in snapshot 1, 120 in snapshot 2, and again in snapshot 3.
  lake = await makeLake(folder, {
    days: [flatDay('ONE', '2024-01-02', '100'), flatDay('ONE', '2024-01-03', '110')],
  })
  await makeLake(folder, { days: [flatDay('ONE', '2024-01-03', '120')] })
  await makeLake(folder, { days: [flatDay('TWO', '2024-01-03', '7')] })
  open = await openService(folder, lake, { snapshots: snapshotShelf(lake) })
  closed = await openService(folder, lake)
})
afterAll(async () => {
  await open.close()
  await closed.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = ({ server, token }: TestService, query = '', method: 'GET' | 'HEAD' = 'GET', headers = {}) =>
  server.inject({
    method,
    url: `/api/analytics/window?symbols=ONE&range=full&calculations=CUMULATIVE_RETURN${query}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
const ofHeader = (answer: Awaited<ReturnType<typeof ask>>) => answer.headers['x-tapehouse-snapshot']
const returned = (answer: Awaited<ReturnType<typeof ask>>) =>
  /-?0\.[12]\d*/.exec(answer.body)?.[0].slice(0, 3)

test('every answer names its snapshot: also without a body, unchanged, or from the cache', async () => {
  const answer = await ask(closed)
  expect([answer.statusCode, ofHeader(answer)]).toEqual([200, '3'])
  expect(ofHeader(await ask(closed, '', 'HEAD'))).toBe('3')
  const unchanged = await ask(closed, '', 'GET', { 'if-none-match': answer.headers.etag })
  expect([unchanged.statusCode, ofHeader(unchanged)]).toEqual([304, '3'])
  // Served from the cache.
  expect(ofHeader(await ask(closed))).toBe('3')
  const refused = await ask(closed, '&nonsense=1')
  expect([refused.statusCode, ofHeader(refused)]).toEqual([422, undefined])
})

test('a request names a snapshot by number or name, and gets its data', async () => {
  await keepSnapshot(lake, 'first', 1)
  const answers = await Promise.all(
    ['&snapshot=1', '&snapshot=2', '&snapshot=first', '&snapshot=', ''].map(query => ask(open, query)),
  )
  expect(answers.map(answer => [ofHeader(answer), returned(answer)])).toEqual([
    ['1', '0.1'],
    ['2', '0.2'],
    ['1', '0.1'],
    ['3', '0.2'],
    ['3', '0.2'],
  ])
  const tags = answers.map(({ headers }) => headers.etag)
  expect(tags[0]).toBe(tags[2])
  expect(tags[0]).not.toBe(tags[1])
  // Equal data have an equal tag: the import of TWO does not change an answer about ONE.
  expect(tags[3]).toBe(tags[4])
  const unchanged = await ask(open, '&snapshot=1', 'GET', { 'if-none-match': tags[0] })
  expect([unchanged.statusCode, ofHeader(unchanged)]).toEqual([304, '1'])
})

test.each([
  ['&snapshot=99', 'snapshot names no snapshot of this lake: "99"'],
  ['&snapshot=nobody', 'snapshot names no snapshot of this lake: "nobody"'],
  ['&snapshot=../CURRENT', 'snapshot must be the number or the name of a snapshot, not "../CURRENT"'],
  ['&snapshot=0', 'snapshot must be the number or the name of a snapshot, not "0"'],
  ['&snapshot=1&snapshot=2', 'snapshot is given 2 times, once is allowed'],
])('%s is refused together with all other faults', async (query, problem) => {
  const { statusCode, body } = await ask(open, `${query}&nonsense=1`)
  expect(statusCode).toBe(422)
  expect(JSON.parse(body).msg).toContain(`invalid query input: ${problem} (for example snapshot=3)`)
  expect(JSON.parse(body).msg).toContain('"nonsense" is not a parameter here')
})

test('a server that does not permit it takes the snapshot for an unknown parameter', async () => {
  const { statusCode, body } = await ask(closed, '&snapshot=1')
  expect(statusCode).toBe(422)
  expect(JSON.parse(body).msg).toContain('"snapshot" is not a parameter here')
})

test('a name that was released is not served from memory', async () => {
  await keepSnapshot(lake, 'short', 2)
  expect((await ask(open, '&snapshot=short')).statusCode).toBe(200)
  await releaseSnapshot(lake, 'short')
  expect((await ask(open, '&snapshot=short')).statusCode).toBe(422)
})

test('the shelf holds few snapshots, and loads few at a time', { tags: 'slow' }, async () => {
  for (let close = 1; close <= 6; close += 1)
    await makeLake(folder, { days: [flatDay('SIX', '2024-01-04', String(close))] })
  const shelf = snapshotShelf(lake)
  const numbers = [1, 2, 3, 4, 5, 6]
  const refused = (await Promise.allSettled(numbers.map(number => shelf.load(number)))).filter(
    ({ status }) => status === 'rejected',
  )
  expect(refused).toMatchObject(Array.from({ length: 4 }, () => ({ reason: { code: 'overloaded' } })))
  const first = await shelf.load(1)
  expect(await shelf.load(1)).toBe(first)
  for (const number of numbers.slice(1, 4)) await shelf.load(number)
  expect(await shelf.load(1)).toBe(first)
  for (const number of numbers.slice(1, 5)) await shelf.load(number)
  expect(await shelf.load(1)).not.toBe(first)
})

test('OpenAPI documents the header, and the parameter where it is permitted', () => {
  const paths = (allowSnapshots: boolean) =>
    Object.values(openApi(operations, '', { allowSnapshots }).paths).map(({ get }) => get)
  for (const { responses, parameters } of paths(false)) {
    expect(Object.keys(responses[200].headers)).toContain('X-Tapehouse-Snapshot')
    expect(Object.keys(responses[304].headers)).toContain('X-Tapehouse-Snapshot')
    expect(parameters.map(({ name }) => name)).not.toContain('snapshot')
  }
  for (const { parameters } of paths(true)) expect(parameters.map(({ name }) => name)).toContain('snapshot')
})
