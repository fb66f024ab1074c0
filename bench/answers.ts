import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildServer } from '../src/api/process/server.ts'
import { openCache } from '../src/api/service/service.ts'
import { bindAll } from '../src/engine/bind.ts'
import { openEngine } from '../src/engine/engine.ts'
import { openWriter } from '../src/engine/writer.ts'
import { generate } from '../src/lake/generate/generate.ts'
import { datasets } from '../src/lake/store/datasets.ts'
import { followLake } from '../src/lake/store/follow.ts'
import { pin, queryOf } from '../src/operations/answering/answer.ts'
import { validate } from '../src/operations/answering/validate.ts'
import { analyticsWindow } from '../src/operations/catalog/analytics-window.ts'

/**
 * Latency of an answer over HTTP with one client, compared with its lower bound: the same prepared statement without
 * tapehouse, plus an empty Fastify route. The kinds of request alternate. Results are medians in microseconds.
 */
const ROUNDS = 400
const WARM_UP = 50

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
const writer = await openWriter({ directories: [join(folder, 'lake')] })
await generate(writer, join(folder, 'lake'), { seed: 1, days: 1, tickers: 10, tradesPerDay: 1000 }, () => {})
writer.close()
const lake = await followLake(join(folder, 'lake'), () => {})
const engine = await openEngine(
  {
    lake: lake.current().lake,
    threads: 2,
    memoryBytesMax: 1024 ** 3,
    temporaryBytesMax: 0,
    leasesMax: 2,
    queueMax: 8,
    schemas: [...datasets().values()],
  },
  () => {},
)
const server = await buildServer({
  engine,
  lake,
  grants: {
    find: () => ({ name: 'bench', owner: null, admin: true, allows: () => true, reaches: () => true }),
    close: () => {},
  },
  cache: openCache(1024 ** 2),
  contacts: () => ({ documentation_url: '', support_email: '', token_url: '' }),
  publicUrl: null,
  deadlineMs: 10_000,
  observe: () => {},
})
const empty = Fastify()
empty.get('/', async () => ({}))
await Promise.all([server.listen({ port: 0 }), empty.listen({ port: 0 })])
const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const token = 'bearer 00000000-0000-4000-8000-000000000000'
function request(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; etag: string }> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent, headers: { authorization: token, ...headers } }, response => {
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, etag: String(response.headers.etag) }),
      )
    }).on('error', reject)
  })
}

const PATH = '/api/analytics/window?symbols=ACME,BRASS,CEDAR&range=1year&calculations='
const plain = `${PATH}MEAN,STDDEV`
const { etag } = await request(portOf(server), plain)

// The statement of the lower bound, on its own connection.
const validated = validate(analyticsWindow, {
  path: {},
  query: [...new URLSearchParams(plain.split('?')[1])],
})
if ('faults' in validated) throw new Error('faults')
const query = queryOf(
  pin(analyticsWindow, validated.values, lake.current(), { owner: null, admin: true }),
  engine,
)
const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
const connection = await instance.connect()
await connection.run("SET TimeZone = 'UTC'")
await connection.run('SET parquet_metadata_cache = true')
const statement = await connection.prepare(query.template.sql)

let fresh = 0
const kinds: Record<string, () => Promise<unknown>> = {
  'empty route': () => request(portOf(empty), '/'),
  'bare statement': async () => {
    bindAll(statement, query.bindings)
    return statement.run()
  },
  // Different parameters each time, so that no answer is cached. The query is the same.
  'answer, not cached': () =>
    request(portOf(server), `${PATH}MEAN,STDDEV,AUTOCORRELATION(lag=${(fresh++ % 1000) + 1})`),
  'answer, cached': () => request(portOf(server), plain),
  'not modified (304)': () => request(portOf(server), plain, { 'if-none-match': etag }),
}
const taken = new Map<string, number[]>(Object.keys(kinds).map(kind => [kind, []]))
for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
  for (const [kind, run] of Object.entries(kinds)) {
    const started = performance.now()
    await run()
    if (round >= WARM_UP) taken.get(kind)?.push((performance.now() - started) * 1000)
  }
}
const median = (kind: string) =>
  (taken.get(kind) ?? []).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
const floor = median('empty route') + median('bare statement')
for (const kind of Object.keys(kinds))
  process.stdout.write(`${kind.padEnd(22)}${median(kind).toFixed(0).padStart(8)} us\n`)
process.stdout.write(
  `not cached / floor    ${(median('answer, not cached') / floor).toFixed(2).padStart(8)}x\n`,
)
process.stdout.write(
  `cached / empty route  ${(median('answer, cached') / median('empty route')).toFixed(2).padStart(8)}x\n`,
)

agent.destroy()
await Promise.all([server.close(), empty.close()])
connection.closeSync()
instance.closeSync()
await engine.close()
rmSync(folder, { recursive: true, force: true })
