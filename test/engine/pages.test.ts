import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARROW_END } from '../../src/engine/encode/arrow-end.ts'
import type { Engine, Query } from '../../src/engine/engine.ts'
import { engineFor } from '../fixtures/service.ts'

/** What an answer in pages asks of the engine. */

const before = new Set(readdirSync(tmpdir()))
let engine: Engine
beforeAll(async () => {
  engine = await engineFor(tmpdir(), () => {}, { leasesMax: 1, queueMax: 1 })
})
afterAll(() => engine.close())

const patient = new AbortController().signal
const query = (sql: string): Query => ({
  operation: 'test',
  template: { name: 'test', sql, parameters: [] },
  bindings: {},
})
const ENDLESS = 'SELECT sum(a.range * b.range) AS n FROM range(10000000) a, range(100000) b'
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

describe('places', () => {
  test('are those of every n-th row and of the last one, in the order of the rows', async () => {
    const sql = `SELECT range AS n, TIMESTAMP '2024-01-02 00:00:00.000001' AS at,
      CAST('00000000-0000-4000-8000-00000000000' || range % 10 AS UUID) AS id FROM range(10) ORDER BY n DESC`
    // Rows are 9 to 0: the third is 7, the sixth 4, the ninth 1, the last 0.
    const places = await engine.places(query(sql), ['id', 'n', 'at'], 3, patient)
    expect(places.map(([id, n, at]) => [id?.value, n?.value, String(at?.value)])).toEqual(
      [7, 4, 1, 0].map(n => [
        `00000000-0000-4000-8000-00000000000${n}`,
        BigInt(n),
        '2024-01-02 00:00:00.000001',
      ]),
    )
    expect(places[0]?.map(({ type }) => String(type))).toEqual(['VARCHAR', 'BIGINT', 'TIMESTAMP'])
    expect((await engine.places(query(sql), ['n'], 5, patient)).map(([n]) => n?.value)).toEqual([5n, 0n])
    expect(await engine.places(query(`${sql} LIMIT 0`), ['n'], 5, patient)).toEqual([])
  })
})

test('the envelope is around few rows and around many, in JSON alone', async () => {
  // 5,000 values are written by the engine.
  for (const rows of [0, 2, 5000]) {
    const of = query(`SELECT range AS n FROM range(${rows}) ORDER BY n`)
    const enveloped: Query = { ...of, envelope: ['{"data":[', ']}'] }
    const records = Array.from({ length: rows }, (_, n) => ({ n }))
    expect(text((await engine.encode(enveloped, 'json', patient)).bytes)).toBe(
      JSON.stringify({ data: records }),
    )
    const lines = records.map(record => `${JSON.stringify(record)}\n`).join('')
    expect(text((await engine.encode(enveloped, 'ndjson', patient)).bytes)).toBe(lines)
  }
})

describe('a page', () => {
  test('that follows another has no header', async () => {
    const two = query('SELECT 1 AS a, 2 AS b')
    const csv = async (of: Query, follows: boolean) => {
      const { bytes, rows } = await engine.page(of, 'csv', { follows }, patient)
      return [rows, text(bytes)]
    }
    expect(await csv(two, false)).toEqual([1, 'a,b\n1,2\n'])
    expect(await csv(two, true)).toEqual([1, '1,2\n'])
    expect(await csv(query('SELECT 1 AS a WHERE false'), true)).toEqual([0, ''])
    const parts = [
      await engine.page(two, 'arrow', { follows: false }, patient),
      await engine.page(two, 'arrow', { follows: true }, patient),
    ]
    expect(parts.map(({ rows }) => rows)).toEqual([1, 1])
    expect(
      tableFromIPC(Buffer.concat([...parts.map(({ bytes }) => bytes), ARROW_END]))
        .toArray()
        .map(String),
    ).toEqual(['{"a": 1, "b": 2}', '{"a": 1, "b": 2}'])
  })

  test('as JSON has its frame, but no end if another page may follow', async () => {
    const json = async (rows: number) => {
      const of = query(`SELECT range AS n FROM range(${rows}) ORDER BY n`)
      const frame = { head: `{"it's":[`, tail: ']}', fullRows: 2 }
      return (await engine.page(of, 'json', { follows: false, frame }, patient)).bytes
    }
    expect(text(await json(0))).toBe(`{"it's":[]}`)
    expect(text(await json(1))).toBe(`{"it's":[{"n":0}]}`)
    expect(text(await json(2))).toBe(`{"it's":[{"n":0},{"n":1}`)
    // Bytes of their own: the engine frees its memory.
    expect((await json(0)).buffer.byteLength).toBe(11)
  })

  test('is rejected if all connections are busy, but waits if it follows another page', async () => {
    const hurry = new AbortController()
    const busy = [1, 2].map(() => engine.table(query(ENDLESS), hurry.signal).catch(() => {}))
    await expect.poll(() => [engine.running, engine.queued]).toEqual([1, 1])
    const first = engine.page(query('SELECT 1 AS a'), 'ndjson', { follows: false }, patient)
    await expect(first).rejects.toMatchObject({ code: 'overloaded' })
    const next = engine.page(query('SELECT 1 AS a, 2 AS b'), 'csv', { follows: true }, patient)
    await expect.poll(() => engine.queued).toBe(2)
    hurry.abort(new Error('too late'))
    await Promise.all(busy)
    expect(text((await next).bytes)).toBe('1,2\n')
  })
})

describe('a Parquet file', () => {
  const files = () =>
    readdirSync(tmpdir())
      .filter(name => name.startsWith('tapehouse-query-') && !before.has(name))
      .flatMap(name => readdirSync(join(tmpdir(), name)).filter(file => file !== 'empty'))

  test('is deleted from its folder while it can still be read', async () => {
    const { file, rows } = await engine.parquetFile(query('SELECT range AS n FROM range(1000)'), patient)
    expect(files()).toEqual([])
    expect(rows).toBe(1000)
    expect((await file.readFile()).subarray(0, 4).toString()).toBe('PAR1')
    await file.close()
  })

  test('of an aborted query is deleted', async () => {
    const hurry = new AbortController()
    const rows = query('SELECT range AS n, hash(range) AS h, md5(range::VARCHAR) AS t FROM range(200000000)')
    await engine.columns(rows, patient)
    const writing = engine.parquetFile(rows, hurry.signal)
    writing.catch(() => {})
    await expect.poll(files).not.toEqual([])
    hurry.abort(new Error('too late'))
    await expect(writing).rejects.toThrow('too late')
    await expect.poll(() => engine.running).toBe(0)
    await expect.poll(files).toEqual([])
  })
})
