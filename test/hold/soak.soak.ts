import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { addressFor, requestsFor } from '../../src/cli/smoke/requests.ts'
import { importFiles } from '../../src/lake/import/import.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { operations } from '../../src/operations/index.ts'
import { serving } from '../cli/process.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { openService } from '../fixtures/service.ts'
import { table } from '../prove/report.ts'
import { growthPerMinute, type Sample } from './growth.ts'
import { ask } from './load.ts'

/** A server under a mixed load, while snapshots are published: neither its memory nor its descriptors grow. */

const MINUTES = Number(process.env.TAPEHOUSE_SOAK_MINUTES ?? 60)
/** Caches fill at first. */
const WARM_MINUTES = Math.min(10, MINUTES / 3)
const CLIENTS = 4
const SAMPLE_EVERY_MS = 5000
const PUBLISH_EVERY_MS = 20_000
const MEBIBYTE = 1024 ** 2

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One address of each operation, which has records in the lake. */
async function addresses(lake: string): Promise<string[]> {
  const { engine, close } = await openService(folder, lake)
  const snapshot = await loadSnapshot(lake)
  const found: string[] = []
  for (const operation of operations)
    for (const values of (await requestsFor(operation, snapshot, engine, AbortSignal.timeout(60_000))).slice(
      0,
      4,
    ))
      found.push(addressFor(operation, values))
  await close()
  return found
}

const descriptorsOf = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0)

test('memory and descriptors do not grow', async () => {
  const lake = join(folder, 'lake')
  cpSync(await sharedMarket('small'), lake, { recursive: true })
  const tokens = join(folder, 'tokens.json')
  const token = await createToken(tokens, { name: 'soak', routes: ['*'], owner: null, expiresAt: null })
  const paths = await addresses(lake)
  const flags = [
    '--lake',
    lake,
    '--tokens',
    tokens,
    '--workers',
    '2',
    '--log-level',
    'warn',
    '--cache-mib',
    '16',
  ]
  const server = await serving(flags)
  const metrics = async () => (await fetch(`${server.adminUrl}/-/metrics`)).text()
  const pids = [Number(server.process.pid)]
  const children = `/proc/${server.process.pid}/task/${server.process.pid}/children`
  pids.push(...readFileSync(children, 'utf8').trim().split(' ').map(Number))

  const endMs = performance.now() + MINUTES * 60_000
  const isOver = () => performance.now() >= endMs
  const statuses = new Map<number | null, number>()
  let requests = 0
  const client = async () => {
    while (!isOver()) {
      // A snapshot changes the entity tags of some answers: others come from the cache.
      const path = paths[requests % paths.length] ?? '/api/lake'
      const accept = ['application/json', 'text/csv', 'application/x-ndjson'][
        Math.floor(requests / paths.length) % 3
      ]
      requests += 1
      const { status } = await ask(`${server.url}${path}`, token, false, { accept: String(accept) })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  let published = 0
  const publish = async () => {
    while (!isOver()) {
      const path = join(folder, 'bars.csv')
      const price = 100 + (published % 50)
      writeFileSync(
        path,
        `Date,Open,High,Low,Close,Volume,Name\n2024-01-02,${price},${price},${price},${price},10,SOAK\n`,
      )
      await importFiles({ format: 'daily-bars', inputs: [path], lake, observe: () => {} })
      published += 1
      await sleep(Math.min(PUBLISH_EVERY_MS, Math.max(0, endMs - performance.now())))
    }
  }
  const samples: Sample[] = []
  const measure = async () => {
    const begunMs = performance.now()
    while (!isOver()) {
      await sleep(SAMPLE_EVERY_MS)
      const [, bytes] = /^process_resident_memory_bytes (\d+)$/m.exec(await metrics()) ?? []
      const minute = (performance.now() - begunMs) / 60_000
      samples.push({ minute, memoryMib: Number(bytes) / MEBIBYTE, descriptors: descriptorsOf(pids) })
    }
  }
  await Promise.all([publish(), measure(), ...Array.from({ length: CLIENTS }, client)])

  const warm = samples.filter(({ minute }) => minute >= WARM_MINUTES)
  const growth = growthPerMinute(warm.map(({ minute, memoryMib }) => [minute, memoryMib]))
  const descriptors = warm.map(sample => sample.descriptors)
  const rows = [
    ['requests', String(requests), [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')],
    ['snapshots published', String(published), ''],
    [
      'samples after the first minutes',
      String(warm.length),
      `of ${MINUTES} minutes, without ${WARM_MINUTES.toFixed(0)}`,
    ],
    [
      'memory of the workers, MiB',
      String(Math.round(warm.at(-1)?.memoryMib ?? 0)),
      `${growth.toFixed(2)} MiB a minute`,
    ],
    [
      'descriptors',
      String(descriptors.at(-1)),
      `from ${Math.min(...descriptors)} to ${Math.max(...descriptors)}`,
    ],
  ]
  process.stdout.write(`\n${table([['what', 'value', 'note'], ...rows])}\n`)
  for (const { minute, memoryMib, descriptors } of samples.filter((_, index) => index % 6 === 0))
    process.stdout.write(
      `minute ${minute.toFixed(1)}: ${memoryMib.toFixed(0)} MiB, ${descriptors} descriptors\n`,
    )
  expect([...statuses.keys()].filter(status => status !== 200)).toEqual([])
  expect(requests).toBeGreaterThan(MINUTES * 100)
  expect(published).toBeGreaterThanOrEqual(MINUTES)
  // Connections and files that are open at the moment of a sample.
  expect(Math.max(...descriptors) - Math.min(...descriptors)).toBeLessThan(40)
  if (MINUTES >= 10) expect(growth).toBeLessThan(1)
  expect(await server.stop()).toBe(0)
})
