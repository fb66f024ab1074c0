import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { FORMATS, formatNames } from '../../../src/operations/answering/formats.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { openService, serveForTest, type TestService } from '../../fixtures/service.ts'
import { recordsOf } from '../../golden/cases.ts'
import { goldenLake } from '../../golden/lake.ts'

const folder = temporaryFolder()
let service: TestService
let lake: string

beforeAll(async () => {
  const golden = fileURLToPath(new URL('../../golden', import.meta.url))
  const source = join(folder, 'source')
  for (const file of [
    'alerts/ties/alerts.csv',
    'flow-alerts/pages/flow_alerts.csv',
    'potus-posts/lake/posts.csv',
    'fec-companies/lake/fec_companies.csv',
  ])
    cpSync(join(golden, file), join(source, String(file.split('/').at(-1))))
  const { snapshot, engine } = await goldenLake(source, folder)
  await engine.close()
  lake = snapshot.lake
  service = await serveForTest(folder, lake)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (url: string, headers: Record<string, string> = {}) =>
  service.server.inject({ url, headers: { authorization: `Bearer ${service.token}`, ...headers } })

type Reply = Awaited<ReturnType<typeof ask>>

/** The target of a Link header with the relation `next`; null without one. */
function nextOf({ headers }: Reply): string | null {
  const { link } = headers
  if (link === undefined) return null
  const [, target] = /^<(\/[!-;=?-~]*)>; rel="next"$/.exec(String(link)) ?? []
  expect(target, String(link)).toBeDefined()
  return target ?? null
}

/** The pages from an address on, each as the text of a field of its records. */
async function pagesFrom(url: string, field: string): Promise<string[]> {
  const pages: string[] = []
  for (let next: string | null = url; next !== null; ) {
    const reply: Reply = await ask(next)
    expect(reply.statusCode, next).toBe(200)
    pages.push(
      recordsOf(JSON.parse(reply.body))
        .map(record => record[field])
        .join(' '),
    )
    next = nextOf(reply)
  }
  return pages
}

const FLOW = '/api/option-trades/flow-alerts'

describe('pages by time', () => {
  test.each([
    // A tie that does not fit begins the next page, and is divided if it alone is more than the limit.
    ['/api/alerts?limit=2', 'name', ['newest', 't1 t2', 't3 t4', 't5', 'u1 u2', 'first']],
    ['/api/alerts?limit=1', 'name', ['newest', 't1', 't2', 't3', 't4', 't5', 'u1', 'u2', 'first']],
    ['/api/alerts?limit=4', 'name', ['newest', 't1 t2 t3 t4', 't5 u1 u2 first']],
    ['/api/alerts?limit=5', 'name', ['newest', 't1 t2 t3 t4 t5', 'u1 u2 first']],
    ['/api/alerts?limit=6', 'name', ['newest t1 t2 t3 t4 t5', 'u1 u2 first']],
    ['/api/alerts?limit=9', 'name', ['newest t1 t2 t3 t4 t5 u1 u2 first']],
    ['/api/alerts', 'name', ['newest t1 t2 t3 t4 t5 u1 u2 first']],
    // The position counts the alerts that pass the filter.
    ['/api/alerts?limit=3&ticker_symbols=-ACME', 'name', ['newest', 't1 t2 t4', 't5 u1 u2', 'first']],
    // The pages end where the whole answer does, 14 days before the bound of the first one or at its own.
    [
      '/api/alerts?limit=5&older_than=2024-01-18T04:59:59.999999Z',
      'name',
      ['newest', 't1 t2 t3 t4 t5', 'u1 u2 first before'],
    ],
    ['/api/alerts?limit=5&newer_than=2024-01-04T05:00:00Z', 'name', ['newest', 't1 t2 t3 t4 t5', 'u1 u2']],
    [`${FLOW}?limit=1`, 'ticker', ['A', 'B1', 'B2', 'B3', 'C', 'D', 'E']],
    [`${FLOW}?limit=2`, 'ticker', ['A', 'B1 B2', 'B3 C', 'D E']],
    [`${FLOW}?limit=4`, 'ticker', ['A B1 B2 B3', 'C D E']],
    [`${FLOW}?limit=2&ticker_symbol=-B2`, 'ticker', ['A', 'B1 B3', 'C D', 'E']],
  ])('%s', async (url, field, pages) => {
    expect(await pagesFrom(url, field)).toEqual(pages)
  })

  test.each([
    ['of a time within its ties', '/api/alerts?older_than=2024-01-17T19:00:00Z/3', 't4 t5 u1 u2 first'],
    ['of the last of its ties', '/api/alerts?older_than=1705518000/5', 'u1 u2 first before'],
    ['past the ties of its time', '/api/alerts?older_than=1705518000000%2F999999', 'u1 u2 first before'],
    ['of a time without alerts', '/api/alerts?older_than=2024-01-17T18:00:00Z/2', 'u1 u2 first before'],
  ])('older_than with a position %s', async (_what, url, names) => {
    const reply = await ask(url)
    const wanted = names.split(' ')
    const got = recordsOf(JSON.parse(reply.body)).map(({ name }) => name)
    expect(got.slice(0, wanted.length)).toEqual(wanted)
    expect(nextOf(reply)).toBeNull()
  })
})

describe('pages by number', () => {
  const POSTS = '/api/potus/posts'
  const FEC = '/api/politics/fec/companies?cycle=2024'

  test('follow from 0, or from 1 where the first one is 1, and the last one has no link', async () => {
    const whole = await pagesFrom(POSTS, 'timestamp')
    expect(whole).toHaveLength(1)
    expect(await pagesFrom(`${POSTS}?limit=2`, 'timestamp')).toEqual([
      '1706877296789 1706745600000',
      '1706745600000 1706745599999',
      '1704067200000',
    ])
    // Five posts: the last page is full, and nothing follows it.
    expect(await pagesFrom(`${POSTS}?limit=5`, 'timestamp')).toEqual(whole)
    expect(nextOf(await ask(`${FEC}&limit=1`))).toBe('/api/politics/fec/companies?cycle=2024&limit=1&page=2')
    const [tickers] = await pagesFrom(FEC, 'ticker')
    expect((await pagesFrom(`${FEC}&limit=1`, 'ticker')).join(' ')).toBe(tickers)
  })

  test('that no request may name have no link', async () => {
    // 1,000,000 records may precede a page: page 1,000,000 of one record each is the last.
    const reply = await ask(`${POSTS}?limit=1&page=1000001`)
    expect(reply.statusCode).toBe(422)
    expect(reply.headers.link).toBeUndefined()
  })
})

describe('the address of the next page', () => {
  test('keeps the other parameters, encoded, and drops empty ones', async () => {
    const url =
      '/api/alerts?noti_types[0]=gex&noti_types%5B%5D=news&ticker_symbols=zinc,AB&newer_than=&limit=1'
    const next = nextOf(await ask(url))
    expect(next).toBe(
      '/api/alerts?noti_types%5B0%5D=gex&noti_types%5B%5D=news&ticker_symbols=zinc%2CAB&limit=1&older_than=2024-01-17T19%3A00%3A00.000001Z&newer_than=2024-01-04T04%3A59%3A59.999999Z',
    )
  })

  test('is text that a header may hold, whatever the search term', async () => {
    const term = encodeURIComponent('"äpfel" <b>; \u{1F600}>')
    const reply = await ask(`/api/potus/posts?limit=1&search_term=${term}`)
    expect(reply.headers.link).toBeUndefined()
    const found = await ask(`/api/potus/posts?limit=1&search_term=${encodeURIComponent('tie, ')}`)
    expect(nextOf(found)).toBe('/api/potus/posts?limit=1&search_term=tie%2C+&page=1')
  })

  test('has no parameter that the server ignores, which may be a secret', async () => {
    const { server, token, close } = await openService(folder, lake, { ignoresUnknown: true })
    onTestFinished(close)
    const reply = await server.inject({
      url: '/api/potus/posts?api_key=secret&limit=1&token=secret',
      headers: { authorization: `Bearer ${token}` },
    })
    expect([reply.statusCode, nextOf(reply)]).toEqual([200, '/api/potus/posts?limit=1&page=1'])
  })
})

describe('the link of a page', () => {
  test.each(formatNames)('is in an answer as %s, in the cached one, to HEAD and in a 304', async format => {
    const accept = { accept: FORMATS[format].mediaType }
    for (const [url, next] of [
      ['/api/potus/posts?limit=3', '/api/potus/posts?limit=3&page=1'],
      [
        `${FLOW}?limit=1&older_than=2024-01-05T15:00:02Z/1`,
        `${FLOW}?limit=1&older_than=2024-01-05T15%3A00%3A02Z%2F2`,
      ],
      [`${FLOW}?limit=4`, `${FLOW}?limit=4&older_than=2024-01-05T15%3A00%3A02Z`],
      [`${FLOW}?limit=7`, null],
    ] as const) {
      const first = await ask(url, accept)
      expect([first.statusCode, nextOf(first)], url).toEqual([200, next])
      const again = await ask(url, accept)
      expect([nextOf(again), again.headers.etag], url).toEqual([next, first.headers.etag])
      const unchanged = await ask(url, { ...accept, 'if-none-match': `"other", W/${first.headers.etag}` })
      expect([unchanged.statusCode, nextOf(unchanged), unchanged.headers.etag]).toEqual([
        304,
        next,
        first.headers.etag,
      ])
      const head = await service.server.inject({
        method: 'HEAD',
        url,
        headers: { authorization: `Bearer ${service.token}`, ...accept },
      })
      expect(nextOf(head), url).toBe(next)
    }
  })

  test.each([
    ['csv', (text: string) => text.trim().split('\n').length - 1],
    ['ndjson', (text: string) => text.trim().split('\n').length],
  ] as const)('never comes with more records than the limit: %s', async (format, count) => {
    for (const [limit, rows] of [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 4],
      [5, 5],
    ] as const) {
      const { payload } = await ask(`${FLOW}?limit=${limit}`, { accept: FORMATS[format].mediaType })
      expect(count(payload)).toBe(rows)
    }
  })

  test('is not that of another answer, whatever tag a client sends', async () => {
    const { headers } = await ask(`${FLOW}?limit=7`)
    for (const suffix of ['x1', 'd', 'd12345678901234567890', 'e1>; rel="self"', ''])
      expect(
        (await ask(`${FLOW}?limit=7`, { 'if-none-match': `${String(headers.etag).slice(0, -1)}.${suffix}"` }))
          .statusCode,
      ).toBe(200)
  })
})

test.each([
  ['2024-01-17T19:00:00Z/0', 'has the position 0'],
  ['2024-01-17T19:00:00Z/1000001', 'has the position 1000001'],
  ['2024-01-17T19:00:00Z/-1', 'not Unix seconds'],
  ['/3', 'not Unix seconds'],
  ['2024-01-17T19:00:00Z/1/1', 'not Unix seconds'],
])('older_than=%s is invalid', async (text, message) => {
  for (const path of ['/api/alerts', FLOW]) {
    const reply = await ask(`${path}?older_than=${encodeURIComponent(text)}`)
    expect([reply.statusCode, JSON.parse(reply.body).msg]).toEqual([422, expect.stringContaining(message)])
  }
})

test('older_than with a position that is before newer_than is invalid, and the example exchanges valid bounds', async () => {
  for (const path of ['/api/alerts', FLOW]) {
    const reply = await ask(`${path}?newer_than=2024-01-18&older_than=2024-01-17T19:00:00Z/2`)
    expect(reply.statusCode).toBe(422)
    expect(JSON.parse(reply.body).msg).toBe(
      'invalid query input: older_than is before newer_than (for example newer_than=2024-01-17T19:00:00Z&older_than=2024-01-18)',
    )
  }
})
