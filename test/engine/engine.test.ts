import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { text } from '../../src/engine/bind.ts'
import type { Encoded } from '../../src/engine/encode/encoded.ts'
import type { Engine, Query } from '../../src/engine/engine.ts'
import type { Observation } from '../../src/engine/observation.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { engineFor } from '../fixtures/service.ts'

const seen: Observation[] = []
let engine: Engine
beforeAll(async () => {
  engine = await engineFor(tmpdir(), observation => seen.push(observation), { leasesMax: 2, queueMax: 1 })
})
afterAll(() => engine.close())

function ownFolders() {
  return readdirSync(tmpdir()).filter(name => /^tapehouse-query-[\w-]+$/.test(name))
}
const patient = new AbortController().signal
const query = (sql: string, bindings: Query['bindings'] = {}): Query => ({
  operation: 'test',
  template: { name: 'test', sql, parameters: [] },
  bindings,
})
const ENDLESS = 'SELECT sum(a.range * b.range) AS n FROM range(10000000) a, range(100000) b'
const decode = ({ bytes }: Encoded) => new TextDecoder().decode(bytes)

describe('the engine', () => {
  test('binds a dataset without files to its empty-schema file: the same columns, no row', async () => {
    const empty = { stock_days: engine.bindFiles('stock_days', []) }
    const columns = await engine.columns(query('SELECT * FROM read_parquet($stock_days)', empty), patient)
    expect(columns.map(({ name, type }) => `${name} ${type}`).slice(0, 3)).toEqual([
      'ticker VARCHAR',
      'date DATE',
      'open DECIMAL(18,6)',
    ])
    expect(
      decode(await engine.encode(query('SELECT * FROM read_parquet($stock_days)', empty), 'json', patient)),
    ).toBe('')
  })

  test('makes the empty file of a dataset once for all queries that need it at the same time', async () => {
    const counts = ['posts', 'posts'].map(async name => {
      const bound = { files: engine.bindFiles(name, []) }
      const sql = 'SELECT count(*) AS n FROM read_parquet($files)'
      return decode(await engine.encode(query(sql, bound), 'json', patient))
    })
    expect(await Promise.all(counts)).toEqual(['{"n":0}', '{"n":0}'])
    expect(() => engine.bindFiles('nothing', [])).toThrow('unknown dataset "nothing"')
  })

  test('never lets a value become SQL', async () => {
    const value = `'; DROP TABLE x; --"\\ $other`
    expect(
      JSON.parse(
        decode(await engine.encode(query('SELECT $value AS value', { value: text(value) }), 'json', patient)),
      ),
    ).toEqual({ value })
  })

  test.each([
    'SELECT 1 AS a; SELECT 2 AS b',
    'CREATE TABLE x (n INTEGER)',
    "COPY (SELECT 1) TO '/tmp/x.csv'",
    'SET threads = 1',
  ])('refuses %j, which is no single SELECT', async sql => {
    await expect(engine.table(query(sql), patient)).rejects.toThrow()
  })

  test('rejects access to anything outside of the lake', async () => {
    await expect(engine.table(query("SELECT * FROM read_text('/etc/passwd')"), patient)).rejects.toThrow(
      /Permission Error/,
    )
  })

  test('runs many queries at once on few connections, each with its own rows', async () => {
    const crowded = await engineFor(tmpdir(), () => {}, { leasesMax: 3, queueMax: 1000 })
    const sql = 'SELECT $who AS who, count(*) AS n FROM range(20000) WHERE range::VARCHAR <> $who'
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        crowded.encode(query(sql, { who: text(`client ${n}`) }), n % 2 ? 'json' : 'ndjson', patient),
      ),
    )
    expect(answers.map(encoded => JSON.parse(decode(encoded)).who)).toEqual(
      Array.from({ length: 300 }, (_, n) => `client ${n}`),
    )
    await crowded.close()
  })

  test('releases its connections after deadlines, and rejects queries when its queue is full', async () => {
    const hurry = new AbortController()
    const running = [1, 2, 3].map(() => engine.table(query(ENDLESS), hurry.signal))
    await expect(engine.table(query(ENDLESS), patient)).rejects.toMatchObject({ code: 'overloaded' })
    expect([engine.running, engine.queued]).toEqual([2, 1])
    hurry.abort(new Error('too late'))
    const outcomes = await Promise.allSettled(running)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(decode(await engine.encode(query('SELECT 1 AS n'), 'csv', patient))).toBe('n\n1\n')
    await expect.poll(() => engine.running).toBe(0)
  })

  const damages: [how: string, damage: (whole: Buffer) => Buffer | null][] = [
    ['cut short', whole => whole.subarray(0, whole.length - 1000)],
    ['something else', whole => Buffer.alloc(whole.length, 'x')],
    [
      'scrambled where its pages start',
      whole => Buffer.concat([whole.subarray(0, 4), Buffer.alloc(60, 0xff), whole.subarray(64)]),
    ],
    ['gone', () => null],
  ]
  test.each(damages)('reports a file that is %s with advice', async (_how, damage) => {
    const path = join(folderForTest(), 'one.parquet')
    const whole = await engine.encode(
      query('SELECT range AS n, hash(range) AS h FROM range(50000)'),
      'parquet',
      patient,
    )
    const content = damage(Buffer.from(whole.bytes))
    if (content !== null) writeFileSync(path, content)
    const reading = engine.table(query(`SELECT sum(n), sum(h) FROM read_parquet('${path}')`), patient)
    await expect(reading).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringContaining('tapehouse verify'),
    })
  })

  test('leaves no Parquet file, and no folder once closed', async () => {
    vi.stubEnv('TMPDIR', folderForTest())
    onTestFinished(() => void vi.unstubAllEnvs())
    const own = await engineFor(tmpdir())
    await own.encode(query('SELECT 1 AS n'), 'parquet', patient)
    const [folder = ''] = ownFolders()
    expect(readdirSync(join(tmpdir(), folder))).toEqual(['empty'])
    await own.close()
    expect(ownFolders()).toEqual([])
  })

  test('makes what others removed from its temporary folder again', async () => {
    vi.stubEnv('TMPDIR', folderForTest())
    onTestFinished(() => void vi.unstubAllEnvs())
    const own = await engineFor(tmpdir())
    const none = own.bindFiles('tickers', [])
    const reading = { ...query('SELECT count(*)::INTEGER AS n FROM read_parquet($none)'), bindings: { none } }
    const count = async () => new TextDecoder().decode((await own.encode(reading, 'csv', patient)).bytes)
    expect(await count()).toBe('n\n0\n')
    const [folder = ''] = ownFolders()
    rmSync(join(tmpdir(), folder), { recursive: true })
    expect(await count()).toBe('n\n0\n')
    await own.encode(query('SELECT 1 AS n'), 'parquet', patient)
    await own.close()
    expect(ownFolders()).toEqual([])
  })

  test('reports a file of a canceled query that cannot be removed, and goes on', async () => {
    vi.stubEnv('TMPDIR', folderForTest())
    onTestFinished(() => void vi.unstubAllEnvs())
    const observed: Observation[] = []
    const own = await engineFor(tmpdir(), observation => observed.push(observation))
    const [name = ''] = ownFolders()
    const folder = join(tmpdir(), name)
    const client = new AbortController()
    const copying = own.encode(query(ENDLESS), 'parquet', client.signal)
    await vi.waitFor(() => expect(readdirSync(folder).length).toBeGreaterThan(1), 10_000)
    renameSync(folder, `${folder} moved`)
    writeFileSync(folder, 'a file where the folder was')
    client.abort(new Error('the client went away'))
    await expect(copying).rejects.toThrow()
    const message = expect.stringContaining('could not be removed: ENOTDIR')
    await vi.waitFor(() => expect(observed).toContainEqual({ kind: 'notice', message }), 10_000)
    expect(own.running).toBe(0)
    await own.close()
  })

  test('observes every query with its outcome', () => {
    const outcomes = new Set(seen.flatMap(one => (one.kind === 'query' ? one.outcome : [])))
    expect(outcomes).toEqual(new Set(['done', 'failed']))
  })
})
