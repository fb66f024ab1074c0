import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/engine/failure.ts'
import type { Owner } from '../../../src/engine/owner.ts'
import {
  assertWritable,
  type Base,
  conflict,
  manifestsOf,
  onNewestBase,
  openBase,
} from '../../../src/lake/publish/base.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { DEAD, ELSEWHERE, manifestOf, pathsBelow, put, RUNNING, recordOf } from './notes.ts'

const NOTES = { ...dataset('daily_bars'), name: 'notes' }

function emptyLake() {
  const folder = folderForTest()
  const staging = join(folder, 'staging')
  mkdirSync(staging)
  return { lake: join(folder, 'lake'), staging }
}

const pointTo = (lake: string, number: number) => writeFileSync(join(lake, 'CURRENT'), `${number}\n`)
const current = (lake: string) => readFileSync(join(lake, 'CURRENT'), 'utf8')

function rewrite(lake: string, number: number, part: object) {
  const text = JSON.stringify({ ...recordOf(lake, number), ...part })
  writeFileSync(join(lake, 'snapshots', `${number}.json`), text)
}

/** A lake of some snapshots, of which CURRENT names the first: `owner` writes the others. */
async function unfinished(owner: Owner, snapshots = 2, ageMs = 0) {
  const at = emptyLake()
  const texts = ['one', 'two', 'three']
  for (const text of texts.slice(0, snapshots)) await put(at.lake, { notes: { '2024-01-02': text } })
  const created_at = new Date(Date.now() - ageMs).toISOString()
  for (let number = 2; number <= snapshots; number += 1)
    rewrite(at.lake, number, { created_at, writer: { version: '0', ...owner } })
  pointTo(at.lake, 1)
  return at
}

const conflictOf = (number: number) => ({
  code: 'lake_conflict',
  message: `another command published snapshot ${number} in the meantime, so this one published nothing: run it again`,
})

describe('the snapshot that a writer builds on', () => {
  test('is none in a folder without a lake', async () => {
    const { lake, staging } = emptyLake()
    expect(await openBase(lake, staging)).toEqual({ lake, staging, number: 0, record: null })
    expect(await onNewestBase(lake, staging, async base => base.number)).toBe(0)
  })

  test('is the current one', async () => {
    const { lake, staging } = emptyLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    const record = recordOf(lake, 1)
    expect(await openBase(lake, staging)).toEqual({ lake, staging, number: 1, record })
    expect(pathsBelow(staging)).toEqual([])
  })

  test('is the one that a process wrote that died before CURRENT named it', async () => {
    const { lake, staging } = await unfinished(DEAD)
    const record = recordOf(lake, 2)
    expect(await openBase(lake, staging)).toEqual({ lake, staging, number: 2, record })
    expect(current(lake)).toBe('2\n')
  })

  test('is the first one, if its process died', async () => {
    const { lake, staging } = emptyLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    rewrite(lake, 1, { writer: { version: '0', ...DEAD } })
    rmSync(join(lake, 'CURRENT'))
    expect(await openBase(lake, staging)).toMatchObject({ number: 1, record: { number: 1 } })
    expect(current(lake)).toBe('1\n')
  })

  test('is the last of several such', async () => {
    const { lake, staging } = await unfinished(DEAD, 3)
    expect(await openBase(lake, staging)).toMatchObject({ number: 3, record: recordOf(lake, 3) })
    expect(current(lake)).toBe('3\n')
  })

  test('is not one that a process is about to publish, which is waited for', async () => {
    const { lake, staging } = await unfinished(RUNNING)
    await expect(openBase(lake, staging, { patienceMs: 0 })).rejects.toMatchObject(conflictOf(2))
    await expect(
      onNewestBase(lake, staging, async base => base, { patienceMs: 0, repeats: 1 }),
    ).rejects.toMatchObject(conflictOf(2))
    expect([current(lake), pathsBelow(staging)]).toEqual(['1\n', []])
  })

  test.each([2, 3])('is snapshot %d, if CURRENT names it while it is waited for', async number => {
    const { lake, staging } = await unfinished(RUNNING, number)
    setTimeout(() => pointTo(lake, number), 80)
    expect(await openBase(lake, staging)).toEqual({ lake, staging, number, record: recordOf(lake, number) })
  })

  test.each([
    [59_000, 'not yet'],
    [61_000, 'taken as it is'],
  ])('of another host is, %d ms after it was written, %s', async (ageMs, state) => {
    const { lake, staging } = await unfinished(ELSEWHERE, 2, ageMs)
    const opened = openBase(lake, staging, { patienceMs: 0 })
    if (state === 'not yet') await expect(opened).rejects.toMatchObject(conflictOf(2))
    else expect((await opened).number).toBe(2)
  })
})

describe('work that publishes', () => {
  async function attempts(thrown: unknown, options = {}) {
    const { lake, staging } = emptyLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    const bases: Base[] = []
    const done = onNewestBase(
      lake,
      staging,
      async base => {
        bases.push(base)
        throw thrown
      },
      options,
    )
    await expect(done).rejects.toBe(thrown)
    return bases.length
  }

  test('is repeated up to eight times, if other writers are faster', async () => {
    expect(await attempts(conflict(2))).toBe(9)
    expect(await attempts(conflict(2), { repeats: 0 })).toBe(1)
    expect(await attempts(conflict(2), { repeats: 2 })).toBe(3)
  })

  test('is not repeated after another failure', async () => {
    expect(await attempts(new Failure('lake_write', 'the disk is full'))).toBe(1)
    expect(await attempts(new Error('lake_conflict'))).toBe(1)
    expect(await attempts(undefined)).toBe(1)
  })

  test('is repeated on the snapshot of the faster writer', async () => {
    const { lake, staging } = emptyLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    const numbers: number[] = []
    const result = await onNewestBase(lake, staging, async base => {
      numbers.push(base.number)
      if (numbers.length > 1) return 'done'
      await put(lake, { notes: { '2024-01-02': 'two' } })
      throw conflict(2)
    })
    expect([result, numbers]).toEqual(['done', [1, 2]])
  })
})

describe('a lake of an earlier format', () => {
  const OLDER = {
    code: 'lake_older',
    message: expect.stringMatching(
      /^an earlier tapehouse wrote .*lake \(format 1, this one writes 2\): run "tapehouse upgrade-lake" first$/,
    ),
  }

  test('is not written, unless all of it is replaced', async () => {
    const { lake, staging } = emptyLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    await assertWritable(lake)
    rewrite(lake, 1, { format: 1 })
    await expect(openBase(lake, staging)).rejects.toMatchObject(OLDER)
    await expect(assertWritable(lake)).rejects.toMatchObject(OLDER)
    await expect(onNewestBase(lake, staging, async () => 1)).rejects.toMatchObject(OLDER)
    const base = await openBase(lake, staging, { readsFormer: true })
    expect(base.record).toMatchObject({ format: 1, number: 1 })
  })

  test('is none where there is no lake', async () => {
    await expect(assertWritable(emptyLake().lake)).rejects.toMatchObject({ code: 'lake_missing' })
  })
})

test('the manifests of one dataset in a snapshot', async () => {
  const { lake, staging } = emptyLake()
  expect(await manifestsOf(lake, null, NOTES)).toEqual([])
  await put(lake, { notes: { '2024-01-02': 'one', '2024-01-03': 'two' } })
  const { record } = await openBase(lake, staging)
  const found = await manifestsOf(lake, record, NOTES)
  expect(found.toSorted((one, other) => one.partition.localeCompare(other.partition))).toEqual([
    manifestOf('2024-01-02', 'one'),
    manifestOf('2024-01-03', 'two'),
  ])
  expect(await manifestsOf(lake, record, dataset('daily_bars'))).toEqual([])
})
