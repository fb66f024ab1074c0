import { rmSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { answer, pin } from '../../../src/operations/answering/answer.ts'
import { FORMATS } from '../../../src/operations/answering/formats.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { contractFlow } from '../../../src/operations/catalog/contract-flow.ts'
import { misfit } from '../../fixtures/answers-fit.ts'
import { BUSY, busyLake, tradeAt, tradeId } from '../../fixtures/busy-contract.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { type Listening, listening, queriesOf, sha } from '../../fixtures/streaming.ts'
import { amount } from '../../fixtures/tier.ts'

/** A response with many more rows than a page is complete, in order, and the same in every format and coding. */

const TRADES = amount({ test: 31_000, prove: 250_000, long: 450_000 })
/** Rows of several pages. */
/** Answers of these numbers of rows; a page has 10,240. */
const ROWS = amount({
  test: [1, 10_241],
  prove: [1, 10_240, 10_241, 25_000],
  long: [1, 10_240, 10_241, 25_000],
})
const MANY = amount({ test: 30_000, prove: 60_000, long: 60_000 })
const PLACES = Array.from({ length: TRADES }, (_, place) => place)
/** The ids of all trades in the expected order, from the formulas of `tradeAt`. */
const IDS = sha(Buffer.from(PLACES.map(place => tradeId(tradeAt(place, TRADES))).join()))

const folder = temporaryFolder()
let lake = ''
let server: Listening
beforeAll(async () => {
  lake = await busyLake(folder, TRADES)
  server = await listening(folder, lake)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const idsOf = (ids: readonly string[]) => [ids.length, sha(Buffer.from(ids.join()))]
const accept = (format: keyof typeof FORMATS) => ({ accept: FORMATS[format].mediaType })

interface Trade {
  readonly id: string
  readonly executed_at: string
  readonly price: string
  readonly size: number
  readonly volume: number
  readonly delta: string
}

describe('an answer without a limit', () => {
  test('as JSON has every trade once, newest first, in one chunked transfer', async () => {
    const { status, headers, bytes } = await server.read('')
    expect([status, headers['transfer-encoding'], headers['content-length']]).toEqual([
      200,
      'chunked',
      undefined,
    ])
    // The log has the bytes sent on the connection: the response with some headers and chunk sizes.
    await expect.poll(() => server.seen.findLast(({ kind }) => kind === 'request')).toBeDefined()
    const logged = server.seen.findLast(one => one.kind === 'request')?.bytes ?? 0
    expect(logged - bytes.byteLength).toBeGreaterThan(0)
    expect(logged - bytes.byteLength).toBeLessThan(4000)
    const body: unknown = JSON.parse(bytes.toString())
    expect(misfit('contract-flow', body)).toBeUndefined()
    const { data } = body as { data: Trade[] }
    expect(idsOf(data.map(({ id }) => id))).toEqual([TRADES, IDS])
    // Trade 0: 14:30:00, price 0 % 500 cents, size 1 + 0 % 9.
    const first = data.find(({ id }) => id === tradeId(0))
    expect(first).toMatchObject({
      executed_at: '2024-01-18T14:30:00.000000Z',
      price: '0.0000',
      size: 1,
      volume: 1,
    })
    const rises = data.some(
      ({ executed_at }, at) => at > 0 && executed_at > (data[at - 1]?.executed_at ?? ''),
    )
    expect(rises).toBe(false)
  })

  test('as NDJSON has one trade per line', async () => {
    const { bytes } = await server.read('', accept('ndjson'))
    const lines = bytes.toString().split('\n')
    expect(lines.pop()).toBe('')
    expect(idsOf(lines.map(line => (JSON.parse(line) as Trade).id))).toEqual([TRADES, IDS])
  })

  test('as CSV has one header', async () => {
    const { bytes } = await server.read('', accept('csv'))
    const [header, ...lines] = bytes.toString().trimEnd().split('\n')
    expect(header?.startsWith('id,option_chain_id,')).toBe(true)
    expect(idsOf(lines.map(line => line.slice(0, line.indexOf(','))))).toEqual([TRADES, IDS])
  })

  test('as Arrow is one stream with one schema', async () => {
    const { bytes } = await server.read('', accept('arrow'))
    const table = tableFromIPC(bytes)
    const ids = table.getChild('id')
    expect(idsOf(Array.from({ length: table.numRows }, (_, row) => String(ids?.get(row))))).toEqual([
      TRADES,
      IDS,
    ])
    expect(table.batches.length).toBeGreaterThan(TRADES / 10_240)
    // The end of a stream, and nothing after it.
    expect(bytes.subarray(-8).toString('hex')).toBe('ffffffff00000000')
  })

  test('as Parquet is one file, with a Content-Length', async () => {
    const { headers, bytes } = await server.read('', accept('parquet'))
    expect(Number(headers['content-length'])).toBe(bytes.byteLength)
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const rows = await parquetReadObjects({ file, columns: ['id', 'volume'] })
    expect(idsOf(rows.map(({ id }) => String(id)))).toEqual([TRADES, IDS])
    expect(Number(rows.at(-1)?.volume) - 1).toBe(tradeAt(TRADES - 1, TRADES))
  })

  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('as %s unpacks to the same bytes', async (coding, unpack) => {
    const packed = await server.read(`?limit=${MANY}`, { 'accept-encoding': coding })
    const plain = await server.read(`?limit=${MANY}`)
    expect([packed.headers['content-encoding'], packed.headers['transfer-encoding']]).toEqual([
      coding,
      'chunked',
    ])
    expect(sha(unpack(packed.bytes))).toBe(sha(plain.bytes))
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
  })

  test('is revalidated by its ETag without a query', async () => {
    const { etag = '' } = (await server.read(`?limit=${MANY}`)).headers
    const before = queriesOf(server.seen)
    const again = await server.read(`?limit=${MANY}`, { 'if-none-match': etag })
    expect([again.status, again.bytes.byteLength, queriesOf(server.seen)]).toEqual([304, 0, before])
  })

  test('has its headers for HEAD, and no body', async () => {
    const url = `http://127.0.0.1:${server.port}/api/option-contract/${BUSY.contract}/flow`
    const head = await fetch(url, { method: 'HEAD', headers: { authorization: server.authorization } })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, null, ''])
    expect(head.headers.get('etag')).toMatch(/^".+"$/)
  })
})

describe('an answer of', () => {
  // A page has 10,240 rows. The cases are less than one page, one page, one page and a row, more than two pages.
  test.each(ROWS)('%i rows is the same as that of a single query', { tags: 'slow' }, async limit => {
    const validated = validate(contractFlow, {
      path: { id: BUSY.contract },
      query: [['limit', String(limit)]],
    })
    if ('faults' in validated) throw new Error('refused')
    const pinned = pin(contractFlow, validated.values, await loadSnapshot(lake), {
      owner: null,
      admin: false,
    })
    for (const format of ['json', 'ndjson', 'csv'] as const) {
      const undivided = await answer(pinned, server.engine, format, new AbortController().signal)
      const { bytes } = await server.read(`?limit=${limit}`, accept(format))
      expect(sha(bytes), format).toBe(sha(undivided.bytes))
    }
    const { bytes } = await server.read(`?limit=${limit}`, accept('arrow'))
    expect(tableFromIPC(bytes).numRows).toBe(limit)
  })

  test('one page has a Content-Length and is cached', async () => {
    const { headers, bytes } = await server.read('?limit=200')
    expect(Number(headers['content-length'])).toBe(bytes.byteLength)
    const before = queriesOf(server.seen)
    expect((await server.read('?limit=200')).bytes.equals(bytes)).toBe(true)
    expect(queriesOf(server.seen)).toBe(before)
  })

  test('exactly all rows ends with them', async () => {
    const { bytes } = await server.read(`?limit=${TRADES}`, accept('csv'))
    expect(bytes.toString().split('\n').length).toBe(TRADES + 2)
  })
})
