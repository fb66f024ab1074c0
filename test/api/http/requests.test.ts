import { rmSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../../fixtures/lake.ts'
import { serveForTest, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let service: TestService
const ALL = 'symbols=ONE,TWO&range=full&calculations=MEAN,MAX_DRAWDOWN,HISTOGRAM(bins=2),COVARIANCE'
const PATH = '/api/analytics/window'
const JSON_TYPE = 'application/json; charset=utf-8'
const CSV_TYPE = 'text/csv; charset=utf-8; header=present'
const PARQUET = 'application/vnd.apache.parquet'

beforeAll(async () => {
  service = await serveForTest(folder, await makeLake(folder, { days: SMALL_DAYS }))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (query: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.server.inject({
    method,
    url: `${PATH}?${query}`,
    headers: { authorization: `Bearer ${service.token}`, ...headers },
  })

describe('bad input', () => {
  test('is reported completely, each error with an example, in the body of the specification', async () => {
    const query = 'symbols=ONE,$BAD&range=yesterday&calculations=AVERAGE&intervall=DAILY&ohlc=last&ohlc='
    const answer = await ask(query, { host: 'data.example.org' })
    expect(answer.statusCode).toBe(422)
    const body = answer.json()
    expect(Object.keys(body)).toEqual(['msg', 'path', 'query', 'url'])
    expect(body.path).toBe(PATH)
    expect(body.query).toBe(query)
    expect(body.url).toBe(`http://localhost${PATH}?${query}`)
    for (const part of [
      'symbols has "$BAD"',
      'range is "yesterday"',
      'calculations has "AVERAGE"',
      'ohlc is "last"',
      '"intervall" is not a parameter here; the nearest is interval',
    ]) {
      expect(body.msg).toContain(part)
    }
    expect(body.msg.match(/for example/g)).toHaveLength(5)
  })

  const faults: [query: string, message: string][] = [
    ['range=full&calculations=MEAN', 'symbols is required'],
    ['symbols=&range=full&calculations=MEAN', 'symbols is required'],
    ['symbols=ONE&symbols=TWO&range=full&calculations=MEAN', 'symbols is given 2 times'],
    ['symbols=ONE,,TWO&range=full&calculations=MEAN', 'symbols has ""'],
    [
      `symbols=${Array.from({ length: 51 }, (_, n) => `A${n}`).join(',')}&range=full&calculations=MEAN`,
      'at most 50',
    ],
    ['symbols=ONE&range=30minute&calculations=MEAN', 'range is finer than a day'],
    ['symbols=ONE&range=2024-01-02T10:00Z&calculations=MEAN&interval=WEEKLY', 'range is finer than a day'],
    ['symbols=ONE&range=2024-01-02&range_end=2023-01-02&calculations=MEAN', 'range_end is before range'],
    ['symbols=ONE&range=full&calculations=MEAN&ticker_symbol=ONE', '"ticker_symbol" is not a parameter here'],
    ['symbols=ONE%00&range=full&calculations=MEAN', 'symbols has'],
    ['symbols=ONE%zz&range=full&calculations=MEAN', 'symbols has'],
  ]
  test.each(faults)('%s', async (query, message) => {
    const answer = await ask(query)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().msg).toContain(message)
  })

  test('in a URL that cannot be decoded is a 422 too, and requires a token', async () => {
    const url = '/api/analytics/%zz'
    expect((await service.server.inject({ url })).statusCode).toBe(401)
    const answer = await service.server.inject({ url, headers: { authorization: `Bearer ${service.token}` } })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().path).toBe(url)
  })

  test('with an invalid Host header is a 422', async () => {
    const answer = await ask('symbols=', { host: '[' })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().url).toMatch(/^http:\/\/localhost/)
  })

  test('that is empty is the same as absent', async () => {
    expect((await ask(`${ALL}&interval=&range_end=`)).json()).toEqual((await ask(ALL)).json())
  })
})

describe('an answer', () => {
  test('is JSON by default, with the headers for caches', async () => {
    const answer = await ask(ALL)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    expect(answer.headers.vary).toBe('Authorization, Accept, Accept-Encoding')
    expect(answer.headers.etag).toMatch(/^"[\w-]{32}"$/)
  })

  test("has the client's request id if that is valid, else a new one", async () => {
    expect((await ask(ALL, { 'x-request-id': 'trace-1' })).headers['x-request-id']).toBe('trace-1')
    expect((await ask(ALL, { 'x-request-id': 'a b\u00e9' })).headers['x-request-id']).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })

  test('to HEAD is the same as to GET, without the body', async () => {
    const [get, head] = [await ask(ALL), await ask(ALL, {}, 'HEAD')]
    expect(head.body).toBe('')
    for (const name of ['etag', 'content-type', 'content-length', 'vary'])
      expect(head.headers[name]).toBe(get.headers[name])
  })

  test('is 304 without a query while its ETag is current', async () => {
    const { etag } = (await ask(ALL)).headers
    const before = service.seen.filter(({ kind }) => kind === 'query').length
    for (const named of [String(etag), `"x", W/${etag}`, '*']) {
      const answer = await ask(ALL, { 'if-none-match': named })
      expect(answer.statusCode).toBe(304)
      expect(answer.body).toBe('')
      expect(answer.headers.etag).toBe(etag)
    }
    expect(service.seen.filter(({ kind }) => kind === 'query').length).toBe(before)
    expect((await ask(ALL, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test('has the same ETag for equivalent requests, and other ETags for other formats and codings', async () => {
    const tag = async (query: string, headers = {}) => (await ask(query, headers)).headers.etag
    const same = await tag(ALL)
    expect(
      await tag(
        'calculations=mean,max_drawdown,histogram(bins=2),covariance&range=FULL&symbols=one,two,ONE&interval=daily',
      ),
    ).toBe(same)
    const others = [
      await tag(ALL.replace('MEAN', 'MEDIAN')),
      await tag(ALL.replace('ONE,TWO', 'TWO,ONE')),
      await tag(`${ALL}&ohlc=open`),
      await tag(ALL, { accept: 'text/csv' }),
      await tag(ALL, { 'accept-encoding': 'gzip' }),
    ]
    expect(new Set([same, ...others]).size).toBe(6)
  })

  test('is compressed as requested', async () => {
    const plain = (await ask(ALL)).rawPayload
    const gzip = await ask(ALL, { 'accept-encoding': 'gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain)
    const brotli = await ask(ALL, { 'accept-encoding': 'br, gzip;q=0.5' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload)).toEqual(plain)
    expect((await ask(ALL, { 'accept-encoding': 'zstd' })).headers['content-encoding']).toBeUndefined()
  })

  test('in an unsupported format is rejected with the list of formats', async () => {
    const answer = await ask(ALL, { accept: 'application/xml' })
    expect(answer.statusCode).toBe(406)
    expect(answer.json().accepted).toEqual([
      'application/json',
      'text/csv',
      'application/x-ndjson',
      'application/vnd.apache.arrow.stream',
      'application/vnd.apache.parquet',
    ])
  })
})

describe('a media type with parameters, or a coding', () => {
  const OPERATION = `${PATH}?${ALL}`
  const LAKE = '/api/lake'
  const OPENAPI = '/api/openapi.json'
  const DOCS = '/api/docs'
  const answered: [
    url: string,
    headers: Record<string, string>,
    status: number,
    has: Record<string, string>,
  ][] = [
    [OPERATION, { accept: 'application/json; charset=utf-8' }, 200, { 'content-type': JSON_TYPE }],
    [OPERATION, { accept: 'TEXT/CSV; charset=UTF-8' }, 200, { 'content-type': CSV_TYPE }],
    [OPERATION, { accept: CSV_TYPE }, 200, { 'content-type': CSV_TYPE }],
    [OPERATION, { accept: 'text/csv; charset=ascii' }, 406, {}],
    [LAKE, { accept: 'application/json;charset=utf-8' }, 200, { 'content-type': JSON_TYPE }],
    [LAKE, { accept: 'application/json;q=0, */*' }, 406, {}],
    [OPENAPI, { accept: 'application/json; charset=utf-8' }, 200, { 'content-type': JSON_TYPE }],
    [OPENAPI, { accept: 'text/html' }, 406, {}],
    [DOCS, { accept: 'text/html; charset=utf-8' }, 200, { 'content-type': 'text/html; charset=utf-8' }],
    [DOCS, { accept: 'application/json' }, 406, {}],
    ...[OPERATION, LAKE, OPENAPI, DOCS].flatMap((url): typeof answered => [
      [url, { 'accept-encoding': 'x-gzip' }, 200, { 'content-encoding': 'gzip' }],
      [url, { 'accept-encoding': 'identity;q=0, *;q=0.5' }, 200, { 'content-encoding': 'br' }],
      [url, { 'accept-encoding': 'gzip;q=0.5, identity;q=0' }, 200, { 'content-encoding': 'gzip' }],
      [url, { 'accept-encoding': 'identity;q=0' }, 406, {}],
      [url, { 'accept-encoding': '*;q=0' }, 406, {}],
    ]),
    [OPERATION, { accept: PARQUET, 'accept-encoding': 'gzip;q=0, identity;q=0' }, 406, {}],
    [
      OPERATION,
      { accept: PARQUET, 'accept-encoding': 'gzip, identity;q=0' },
      200,
      { 'content-encoding': 'gzip' },
    ],
  ]
  test.each(answered)('%s with %j: %i', async (url, sent, status, has) => {
    const answer = await service.server.inject({
      url,
      headers: { authorization: `Bearer ${service.token}`, ...sent },
    })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers).toMatchObject(status === 406 ? { 'content-type': JSON_TYPE } : has)
    if (status !== 406) return
    expect(answer.json().code).toBe('not_acceptable')
    const named = 'accept-encoding' in sent ? ['br', 'gzip', 'identity'] : expect.arrayContaining([])
    expect(answer.json().accepted).toEqual(named)
  })

  test('of a Parquet file is identity, unless the client excludes it', async () => {
    const answer = await ask(ALL, { accept: PARQUET, 'accept-encoding': 'gzip, br' })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.rawPayload.subarray(0, 4).toString()).toBe('PAR1')
  })
})

describe('the same rows', () => {
  // ONE returns +0.1, −0.1, +0.1 from 100, 110, 99, 108.9; on the days that TWO shares, 100 → 99 → 108.9: −0.01, +0.1.
  const query = 'symbols=ONE,NONE&range=full&calculations=MAX_DRAWDOWN,HISTOGRAM(bins=2)'
  const expected = [
    {
      calculation: 'MAX_DRAWDOWN',
      symbol: 'ONE',
      bin: null,
      start: '2024-01-03T00:00:00.000Z',
      end: '2024-01-04T00:00:00.000Z',
      value: -0.1,
    },
    { calculation: 'MAX_DRAWDOWN', symbol: 'NONE', bin: null, start: null, end: null, value: null },
    { calculation: 'HISTOGRAM(BINS=2)', symbol: 'ONE', bin: 0, start: null, end: null, value: 1 },
    { calculation: 'HISTOGRAM(BINS=2)', symbol: 'ONE', bin: 1, start: null, end: null, value: 2 },
    { calculation: 'HISTOGRAM(BINS=2)', symbol: 'NONE', bin: null, start: null, end: null, value: null },
  ]
  const iso = (value: unknown) =>
    value === null || value === undefined || value === ''
      ? null
      : new Date(value as string | number | Date).toISOString()
  const simplify = (rows: Record<string, unknown>[]) =>
    rows.map(({ calculation, symbol, bin, start_time, end_time, value }) => ({
      calculation,
      symbol,
      bin: bin === null || bin === undefined || bin === '' ? null : Number(bin),
      start: iso(start_time),
      end: iso(end_time),
      value: value === null || value === '' ? null : Math.round(Number(value) * 1e12) / 1e12,
    }))
  const get = async (accept: string) => (await ask(query, { accept })).rawPayload

  test('come as NDJSON', async () => {
    const lines = (await get('application/x-ndjson')).toString().trimEnd().split('\n')
    expect(simplify(lines.map(line => JSON.parse(line)))).toEqual(expected)
  })

  test('come as CSV', async () => {
    const [header = '', ...lines] = (await get('text/csv')).toString().trimEnd().split('\n')
    expect(header).toBe('calculation,symbol,other_symbol,bin,lower_edge,upper_edge,start_time,end_time,value')
    const rows = lines.map(line =>
      Object.fromEntries(line.split(',').map((cell, index) => [header.split(',')[index], cell])),
    )
    expect(simplify(rows)).toEqual(expected)
  })

  test('come as an Arrow stream', async () => {
    const table = tableFromIPC(await get('application/vnd.apache.arrow.stream'))
    expect(simplify(table.toArray().map(row => row.toJSON()))).toEqual(expected)
    expect(String(table.schema.fields.find(({ name }) => name === 'start_time')?.type)).toContain('Timestamp')
  })

  test('come as Parquet', async () => {
    const bytes = await get('application/vnd.apache.parquet')
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const rows = await parquetReadObjects({ file })
    expect(simplify(rows)).toEqual(expected)
  })
})
