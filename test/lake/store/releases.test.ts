import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { inputFor } from '../../../src/cli/smoke/requests.ts'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { upgradeLake } from '../../../src/lake/maintain/upgrade.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { restoreSnapshot } from '../../../src/lake/snapshots/restore.ts'
import { datasets } from '../../../src/lake/store/datasets.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { answer, pin } from '../../../src/operations/answering/answer.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'
import { day, landDays, silent, storedDays, writerForTest } from './days.ts'

/** A small lake of each release, with the answers that it gave: see `bin/make-lake.js`. */
const releases = fileURLToPath(new URL('../../fixtures/lakes/', import.meta.url))

interface Recorded {
  readonly operation: string
  readonly request: Readonly<Record<string, string>>
  readonly body: string
}

/** Unpacks the lake of a release into a folder of the test. */
function lakeOf(release: string): string {
  const lake = join(folderForTest(), 'lake')
  mkdirSync(lake)
  execFileSync('tar', ['-xzf', join(releases, release, 'lake.tar.gz'), '-C', lake])
  return lake
}

const recordedBy = (release: string): Recorded[] =>
  readFileSync(join(releases, release, 'answers.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

/** What CHANGELOG.md names as changed in responses since a release: the recorded text, and what is now in its place. */
const CHANGED: Readonly<Record<string, Readonly<Record<string, readonly [former: string, now: string]>>>> = {
  '0.1.0': {
    // The bars have adjusted closes; the lake has neither splits nor dividends.
    'analytics-window': [
      '"interval":"DAILY"}',
      '"interval":"DAILY","adjusted_for":{"ACME":"splits_and_dividends","BRASS":"splits_and_dividends","CEDAR":"splits_and_dividends"},"suspected_splits":[]}',
    ],
  },
}

/** The operations whose answer differs from the recorded one, but for what has changed since. */
async function differing(lake: string, release: string): Promise<string[]> {
  const snapshot = await loadSnapshot(lake)
  const engine = await engineFor(lake)
  const different: string[] = []
  for (const { operation: id, request, body } of recordedBy(release)) {
    const operation = operations.find(each => each.id === id)
    if (operation === undefined) throw new Error(`there is no operation ${id}`)
    const validated = validate(operation, inputFor(operation, request))
    if ('faults' in validated) throw new Error(`${id} rejects a request of ${release}`)
    const pinned = pin(operation, validated.values, snapshot, { owner: null, admin: true })
    const { bytes } = await answer(pinned, engine, 'json', new AbortController().signal)
    const [former, now] = CHANGED[release]?.[id] ?? ['', '']
    if (!body.includes(former)) throw new Error(`${id} of ${release} has no ${former}`)
    if (Buffer.from(bytes).toString() !== body.replace(former, now)) different.push(id)
  }
  await engine.close()
  return different
}

/** Names of the files in the folders of datasets. */
const filesOf = (lake: string): string[] =>
  [...datasets().keys()].flatMap(name =>
    existsSync(join(lake, name))
      ? readdirSync(join(lake, name), { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry => relative(lake, join(entry.parentPath, entry.name)))
      : [],
  )

async function currentFiles(lake: string): Promise<number> {
  const snapshot = await loadSnapshot(lake)
  return snapshot.datasets.reduce((sum, name) => sum + snapshot.files(name).length, 0)
}

describe.each(readdirSync(releases))('the lake of release %s', release => {
  test('has an answer of each operation', () => {
    expect(recordedBy(release).length).toBe(29)
  })

  test('is read in place, with the same answers', async () => {
    expect(await differing(lakeOf(release), release)).toEqual([])
  })
})

/** Releases whose lakes have format 1. */
const FORMER = ['0.1.0']

describe.each(FORMER)('the lake of release %s, in an earlier format,', release => {
  test('is upgraded in one snapshot, with the same answers and the same rows in all earlier snapshots', {
    tags: 'slow',
  }, async () => {
    const lake = lakeOf(release)
    const writer = await writerForTest(lake)
    const numbers = readdirSync(join(lake, 'snapshots')).map(name => Number.parseInt(name, 10))
    const current = Math.max(...numbers)
    const rows = async () => Promise.all(numbers.map(number => storedDays(writer, lake, {}, number)))
    const before = await rows()
    const { datasets: whole } = await verify(writer, lake, silent)

    const upgraded = await upgradeLake(writer, lake, silent)
    expect(upgraded.snapshot).toBe(current + 1)
    expect(upgraded.datasets.filter(({ computed }) => computed > 0)).toEqual([])
    expect(upgraded.datasets.length).toBe(whole.length)
    expect(await verify(writer, lake, silent)).toMatchObject({ datasets: whole, problems: [] })
    expect(await differing(lake, release)).toEqual([])
    expect(await rows()).toEqual(before)
    // Other programs see what the current snapshot has, and nothing else.
    expect(
      filesOf(lake).filter(name => !/^[a-z_]+\/(\d{4}(-\d\d){0,2}|all)\/[0-9a-f]{32}\.parquet$/.test(name)),
    ).toEqual([])
    expect(filesOf(lake).length).toBe(await currentFiles(lake))
    expect(await upgradeLake(writer, lake, silent)).toEqual({ snapshot: current + 1, datasets: [], kept: [] })
    expect(await landDays(writer, lake, [day('NEW', '2025-01-02')])).toMatchObject({ published: true })

    // A snapshot of the earlier format is restored in the present one.
    expect(await restoreSnapshot(lake, current)).toMatchObject({ snapshot: current + 3, published: true })
    expect(await verify(writer, lake, silent)).toMatchObject({ datasets: whole, problems: [] })
    expect(filesOf(lake).filter(name => name.includes('='))).toEqual([])
    expect(await restoreSnapshot(lake, current)).toMatchObject({ published: false })
  })

  test('is refused by what writes to it, with the next step, and not changed', async () => {
    const lake = lakeOf(release)
    const writer = await writerForTest(lake)
    const before = filesOf(lake)
    const number = (await loadSnapshot(lake)).number
    for (const write of [
      () => landDays(writer, lake, [day('A', '2024-12-31')]),
      () => compact(writer, lake, silent),
      () => vacuum(lake),
    ])
      await expect(write()).rejects.toMatchObject({
        code: 'lake_older',
        message: expect.stringMatching(/run "tapehouse upgrade-lake" first$/),
      })
    expect(filesOf(lake)).toEqual(before)
    expect((await loadSnapshot(lake)).number).toBe(number)
  })
})
