import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openCache } from '../../src/api/service/answer-cache.ts'
import { scrubLake } from '../../src/lake/proof/scrub.ts'
import { allFiles, type LakeFile, loadSnapshot, type Snapshot } from '../../src/lake/store/snapshot.ts'
import { openService, type TestService } from '../fixtures/service.ts'
import { amount, countCases } from '../fixtures/tier.ts'
import { type Random, randomOf } from '../reference/drawing/random.ts'
import { CODECS, marketIn } from './damage/codecs.ts'
import { type Disk, openDisk } from './damage/disk.ts'
import { KINDS } from './damage/kinds.ts'
import { type Needing, requestPool } from './damage/pool.ts'
import { type Answered, judge, newTally, type Tally, tableOf } from './damage/tally.ts'

/** Files of every dataset and codec are damaged before a server starts and while it serves: no answer is wrong. */

/** Damaged files of a codec. */
const FILES = amount({ test: 0, prove: 250, long: 10_000 })
/** Files that are damaged at the same time. */
const BATCH = 40
/** Every so many batches are damaged before the start; of the others, each second one has no cached answers. */
const STARTS_EVERY = 10
/** Fewer than a service queues. */
const AT_ONCE = 8
const SEED = Number(process.env.DAMAGE_SEED ?? Date.now() % 2 ** 31)

/** In memory, where files decay without being written back meanwhile, and writing many takes no time. */
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tapehouse-damage-'))
const tallies: Tally[] = []
let disk: Disk
beforeAll(() => {
  disk = openDisk()
})
afterAll(() => {
  disk.close()
  rmSync(folder, { recursive: true, force: true })
  const { user, system } = process.cpuUsage()
  const seconds = Math.round((user + system) / 1e6)
  console.log(`DAMAGE_SEED=${SEED}, ${seconds} s of processor time\n${tableOf(tallies)}`)
})

/** A lake, requests for it with their right answers, and the right content of the files that they need. */
interface Held {
  readonly lake: string
  readonly snapshot: Snapshot
  readonly pool: readonly Needing[]
  readonly right: ReadonlyMap<string, Answered>
  readonly contents: ReadonlyMap<LakeFile, Buffer>
  readonly tally: Tally
  readonly random: Random
}

describe.each(CODECS)('files of codec %s', codec => {
  let held: Held
  beforeAll(async () => {
    const lake = await marketIn(folder, codec)
    const snapshot = await loadSnapshot(lake)
    const service = await openService(folder, lake)
    try {
      const pool = await requestPool(snapshot, service.engine)
      const answers = await askAll(service, pool)
      const needed = new Set(pool.flatMap(({ files }) => [...files]))
      const files = allFiles(snapshot).filter(({ name }) => needed.has(name))
      held = {
        lake,
        snapshot,
        pool,
        right: new Map(answers.map(({ request, answered }) => [request.url, answered])),
        contents: new Map(files.map(file => [file, readFileSync(file.path)])),
        tally: newTally(codec),
        random: randomOf(SEED + CODECS.indexOf(codec)),
      }
      tallies.push(held.tally)
      expect(new Set(answers.map(({ answered }) => answered.status))).toEqual(new Set([200]))
    } finally {
      await service.close()
    }
  })
  afterAll(() => rmSync(held.lake, { recursive: true, force: true }))

  test('damaged ones give no wrong answer, before the start and while serving, with and without a cache', async () => {
    const services = [
      await openService(folder, held.lake),
      await openService(folder, held.lake, { cache: openCache(0) }),
    ]
    try {
      // The servers have proved all files, and one has all answers in its cache.
      for (const service of services) await askAndJudge(held, service, held.pool, new Map())
      for (let batch = 0; held.tally.damaged < FILES; batch += 1) {
        const service = services[batch % services.length]
        if (batch % STARTS_EVERY === 0 || service === undefined) await damageSome(held, null)
        else await damageSome(held, service)
      }
    } finally {
      for (const service of services) await service.close()
    }
    expect(held.tally.wrong.slice(0, 5)).toEqual([])
    countCases(held.tally.damaged)
  })

  // What a scrub finds does not depend on the codec.
  if (codec === CODECS[0] || inject('tier') === 'long')
    test('decay that changes no times is found by a scrub while serving', async () => {
      await decayAll(held)
      expect(held.tally.wrong.slice(0, 5)).toEqual([])
    })
})

/** Damages a batch of files and asks for what needs them; `service` null: before a server of their own starts. */
async function damageSome(held: Held, service: TestService | null): Promise<void> {
  const { contents, tally, random } = held
  const all = shuffled([...contents.keys()], random)
  const damaged = new Map<string, LakeFile>()
  for (const file of all) {
    if (damaged.size >= BATCH) break
    const kind = random.of(KINDS)
    const free = all.filter(each => each !== file && !damaged.has(each.name))
    const other = free.find(each => each.dataset === file.dataset) ?? free[0]
    if (other === undefined || damaged.has(file.name)) continue
    await kind.act(file.path, other.path, random, disk)
    for (const each of kind.isBoth ? [file, other] : [file]) damaged.set(each.name, each)
  }
  tally.damaged += damaged.size
  for (const { dataset } of damaged.values()) tally.datasets.add(dataset)
  await settle(damaged.values())

  const own = service ?? (await openService(folder, held.lake))
  try {
    const requests = [...needing(held, damaged), ...needingNone(held, damaged)]
    await askAndJudge(held, own, requests, damaged)
    // Nor does a client that has the right answer learn that it still is right.
    const [first] = requests
    const etag = first && held.right.get(first.url)?.etag
    if (first && etag) await askAndJudge(held, own, [first], damaged, { 'if-none-match': etag })
    for (const file of damaged.values()) writeFileSync(file.path, contents.get(file) ?? '')
    await settle(damaged.values())
    await askAndJudge(held, own, covering(requests, damaged), new Map())
  } finally {
    if (service === null) await own.close()
  }
}

/** All files decay while a server runs that has proved them; a scrub finds each. */
async function decayAll(held: Held): Promise<void> {
  const { tally, contents, snapshot, pool } = held
  const files = new Map([...contents.keys()].map(file => [file.name, file]))
  for (const { path } of files.values()) await disk.watch(path)
  const service = await openService(folder, held.lake)
  try {
    await askAndJudge(held, service, pool, new Map())
    for (const { path } of files.values()) await disk.decay(path)
    await scrubOnce(service, snapshot)
    await askAndJudge(held, service, needing(held, files), files)
    tally.damaged += files.size
    countCases(files.size)
    // Mended: the right bytes, at a later time.
    for (const { path } of files.values()) {
      await disk.decay(path)
      utimesSync(path, new Date(), new Date())
    }
    await settle(files.values())
    await askAndJudge(held, service, pool, new Map())
  } finally {
    await service.close()
  }
}

async function scrubOnce(service: TestService, snapshot: Snapshot): Promise<void> {
  const scrub = scrubLake({
    proofs: service.proofs,
    remembered: null,
    snapshot: () => snapshot,
    periodMs: 1,
    observe: service.observe,
    bytesASecondMax: 2 ** 30,
  })
  await service.until(() => service.seen.some(({ kind }) => kind === 'lake_scrubbed'))
  scrub.close()
}

/** A request for each damaged file. */
function needing({ pool, random }: Held, damaged: ReadonlyMap<string, LakeFile>): Needing[] {
  const mixed = shuffled(pool, random)
  const chosen = new Set<Needing>()
  for (const name of damaged.keys()) {
    const request = mixed.find(({ files }) => files.has(name))
    if (request) chosen.add(request)
  }
  return [...chosen]
}

/** Some requests that need no damaged file. */
const needingNone = ({ pool, random }: Held, damaged: ReadonlyMap<string, LakeFile>): Needing[] =>
  shuffled(pool, random)
    .filter(({ files }) => ![...files].some(name => damaged.has(name)))
    .slice(0, 2)

/** Few of the requests that need all of the files together. */
function covering(requests: readonly Needing[], wanted: ReadonlyMap<string, LakeFile>): Needing[] {
  const left = new Set(wanted.keys())
  return requests
    .toSorted((one, other) => other.files.size - one.files.size)
    .filter(({ files }) => [...files].filter(name => left.delete(name)).length > 0)
}

async function askAndJudge(
  { tally, right }: Held,
  service: TestService,
  requests: readonly Needing[],
  damaged: ReadonlyMap<string, LakeFile>,
  headers: Record<string, string> = {},
): Promise<void> {
  for (const { request, answered } of await askAll(service, requests, headers)) {
    const known = right.get(request.url)
    if (known === undefined) throw new Error(`no right answer of ${request.url}`)
    judge(tally, request, answered, known, damaged)
  }
}

async function askAll(
  { server, token }: TestService,
  requests: readonly Needing[],
  headers: Record<string, string> = {},
): Promise<{ request: Needing; answered: Answered }[]> {
  const answers: { request: Needing; answered: Answered }[] = []
  for (let from = 0; from < requests.length; from += AT_ONCE)
    answers.push(
      ...(await Promise.all(
        requests.slice(from, from + AT_ONCE).map(async request => {
          const {
            statusCode,
            body,
            headers: sent,
          } = await server.inject({
            url: request.url,
            headers: { authorization: `Bearer ${token}`, ...headers },
          })
          const etag = sent.etag === undefined ? undefined : String(sent.etag)
          return { request, answered: { status: statusCode, etag, body } }
        }),
      )),
    )
  return answers
}

/** Waits until the file system's clock has moved on, so that the next change of the files shows in their times. */
async function settle(files: Iterable<LakeFile>): Promise<void> {
  const latest = Math.max(
    ...[...files].map(({ path }) => statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0),
  )
  while (Date.now() - latest < 21) await sleep(1)
}

function shuffled<T>(list: readonly T[], { next }: Random): T[] {
  return list
    .map(each => ({ each, key: next() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ each }) => each)
}
