import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { openService, type TestService } from '../fixtures/service.ts'
import { amount, countCases, sampleOf } from '../fixtures/tier.ts'
import { recordsOf } from '../golden/cases.ts'
import { goldenLake } from '../golden/lake.ts'
import { table } from '../prove/report.ts'
import { compareAnswers, differencesOf, type Subject, smallest, urlOf } from './comparison.ts'
import { randomOf } from './drawing/random.ts'
import { drawRequest } from './drawing/requests.ts'
import { type Sampling, samplingOf } from './drawing/samples.ts'
import { openLake } from './lake.ts'
import { loadReaders } from './readers.ts'

/** The product answers random requests as a second reader does, which docs/testing.md describes. */

const REQUESTS = amount({ test: 80, prove: 2000, long: 20_000 })
/** Of the requests, how many are sent to the generated market. The others are sent to lakes of golden cases. */
const MARKET_SHARE = 0.6
const MARKET = amount({ test: 'small', prove: 'whole', long: 'whole' } as const)
const GOLDEN_LAKES = amount({ test: 2, prove: 100, long: 100 })
const EMPTY_MOST = 0.3
const DIFFERENCES_SHOWN = 5
const seed =
  Number(process.env.REFERENCE_SEED ?? amount({ test: 7, prove: Date.now(), long: Date.now() })) >>> 0

type Drawn = Subject & { readonly sampling: Sampling }

const folders: string[] = []
const services: TestService[] = []
const market: Drawn[] = []
const golden: Drawn[] = []

const readers = await loadReaders()
const read = operations.filter(({ id }) => readers.has(id))

async function subjects(folder: string, ids: readonly string[]): Promise<Drawn[]> {
  const own = temporaryFolder()
  folders.push(own)
  const answered = read.filter(({ id }) => ids.includes(id))
  const datasets = [...new Set(answered.flatMap(operation => operation.datasets))]
  const lake = await openLake(folder, datasets)
  // A lake without rows has nothing to draw requests from. Golden cases say what it answers.
  if (datasets.every(dataset => lake.rows(dataset).length === 0)) return []
  const service = await openService(own, folder)
  services.push(service)
  return answered.flatMap(operation => {
    const reader = readers.get(operation.id)
    return reader ? [{ operation, reader, lake, service, sampling: samplingOf(operation, reader, lake) }] : []
  })
}

beforeAll(async () => {
  market.push(...(await subjects(await sharedMarket(MARKET), [...readers.keys()])))
  const sources = read.flatMap(({ id }) => {
    const folder = fileURLToPath(new URL(`../golden/${id}/`, import.meta.url))
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => [id, join(folder, name)] as const)
  })
  for (const [id, source] of sampleOf(sources, GOLDEN_LAKES)) {
    const folder = temporaryFolder()
    folders.push(folder)
    const { engine } = await goldenLake(source, folder)
    await engine.close()
    golden.push(...(await subjects(join(folder, 'lake'), [id])))
  }
})
afterAll(async () => {
  for (const service of services) await service.close()
  for (const folder of folders) if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
})

test(`random requests with the seed ${seed} have the answers of the second reader`, async () => {
  const random = randomOf(seed)
  const differences: string[] = []
  const counts = new Map(read.map(({ id }) => [id, { tried: 0, differences: 0, empty: 0 }]))
  for (let tried = 0; tried < REQUESTS && differences.length < DIFFERENCES_SHOWN; tried += 1) {
    const subject = random.of(random.chance(MARKET_SHARE) ? market : golden)
    const request = drawRequest(subject.operation, subject.sampling, random)
    const { product, isEqual } = await compareAnswers(subject, request)
    const count = counts.get(subject.operation.id) ?? { tried: 0, differences: 0, empty: 0 }
    count.tried += 1
    if (isEmpty(product)) count.empty += 1
    if (isEqual) continue
    count.differences += 1
    const simple = await smallest(subject, request)
    const { product: got, reference } = await compareAnswers(subject, simple)
    const where = differencesOf(got, reference).join('\n    ')
    differences.push(`${urlOf(subject.operation, simple)} on ${subject.lake.today}\n    ${where}`)
  }
  countCases(REQUESTS)
  const empty = [...counts.values()].reduce((sum, each) => sum + each.empty, 0)
  if (inject('tier') !== 'test') console.log(countsTable(counts))
  console.log(
    `second reader: seed ${seed}, ${REQUESTS} requests, ${differences.length} differences, ${((100 * empty) / REQUESTS).toFixed(1)} % of the answers empty`,
  )
  expect(differences.join('\n')).toBe('')
  expect(empty / REQUESTS).toBeLessThan(EMPTY_MOST)
})

test('every operation but analytics-window, which test/independent recomputes, has a second reader', () => {
  const unread = operations.filter(({ id }) => !readers.has(id)).map(({ id }) => id)
  expect(unread).toEqual(['analytics-window'])
})

const countsTable = (
  counts: ReadonlyMap<
    string,
    { readonly tried: number; readonly differences: number; readonly empty: number }
  >,
) =>
  table([
    ['operation', 'tried', 'differences', 'empty'],
    ...[...counts].map(([id, { tried, differences, empty }]) => [
      id,
      String(tried),
      String(differences),
      String(empty),
    ]),
  ])

/** Refused requests have no records either. */
function isEmpty(body: unknown): boolean {
  return !Object.hasOwn(body as object, 'data') || recordsOf(body).length === 0
}
