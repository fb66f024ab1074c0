import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startOf } from '../../../src/engine/owner.ts'
import { openBase } from '../../../src/lake/publish/base.ts'
import { amend, publish } from '../../../src/lake/publish/publish.ts'
import { withStaging } from '../../../src/lake/publish/staging.ts'
import { requireRecord } from '../../../src/lake/store/record.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import {
  dataOf,
  manifestName,
  manifestOf,
  named,
  noted,
  pathsBelow,
  put,
  recordOf,
  textsOf,
} from './notes.ts'

const newLake = () => join(folderForTest(), 'lake')
const file = (partition: string, text: string) => named(`notes/${partition}`, text)
const current = (lake: string) => readFileSync(join(lake, 'CURRENT'), 'utf8')

test('the first snapshot: its record, its manifest and its files, and nothing else', async () => {
  const lake = newLake()
  const begun = Date.now()
  expect(await put(lake, { notes: { '2024-01-02': 'one' } })).toBe(1)
  const manifest = manifestName('2024-01-02', 'one')
  expect(recordOf(lake, 1)).toEqual({
    format: 2,
    number: 1,
    parent: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    writer: {
      version: JSON.parse(readFileSync('package.json', 'utf8')).version,
      host: hostname(),
      pid: process.pid,
      start: startOf(process.pid),
    },
    datasets: { notes: { partitions: { '2024-01-02': manifest } } },
  })
  const createdAt = Date.parse(recordOf(lake, 1).created_at)
  expect(createdAt >= begun && createdAt <= Date.now()).toBe(true)
  expect(pathsBelow(lake)).toEqual(
    ['CURRENT', 'snapshots/1.json', manifest, file('2024-01-02', 'one'), 'superseded/notes/'].toSorted(),
  )
  expect(current(lake)).toBe('1\n')
  expect(readFileSync(join(lake, manifest), 'utf8')).toBe(
    `${JSON.stringify(manifestOf('2024-01-02', 'one'))}\n`,
  )
  expect(textsOf(lake, 1)).toEqual({ '2024-01-02': 'one' })
})

test('what a snapshot replaces stays readable by the earlier one, out of the folders of the data', async () => {
  const lake = newLake()
  await put(lake, { notes: { '2024-01-02': 'one', '2024-01-03': 'same' } })
  expect(await put(lake, { notes: { '2024-01-02': 'two', '2024-01-04': 'new' } })).toBe(2)
  expect(recordOf(lake, 2).parent).toBe(1)
  expect(textsOf(lake, 1)).toEqual({ '2024-01-02': 'one', '2024-01-03': 'same' })
  expect(textsOf(lake, 2)).toEqual({ '2024-01-02': 'two', '2024-01-03': 'same', '2024-01-04': 'new' })
  expect(dataOf(lake)).toEqual(
    [file('2024-01-02', 'two'), file('2024-01-03', 'same'), file('2024-01-04', 'new')].toSorted(),
  )
  expect(pathsBelow(join(lake, 'superseded'))).toEqual([file('2024-01-02', 'one')])
})

test('content that an earlier snapshot had comes back from where it was moved', async () => {
  const lake = newLake()
  for (const text of ['one', 'two', 'one']) await put(lake, { notes: { '2024-01-02': text } })
  expect(dataOf(lake)).toEqual([file('2024-01-02', 'one')])
  expect(pathsBelow(join(lake, 'superseded'))).toEqual([file('2024-01-02', 'two')])
  expect([1, 2, 3].map(number => textsOf(lake, number)['2024-01-02'])).toEqual(['one', 'two', 'one'])
})

test('a partition absorbs others, and partitions are dropped', async () => {
  const lake = newLake()
  await put(lake, { notes: { '2024-01-02': 'one', '2024-01-03': 'two', '2024-02-01': 'three' } })
  await put(lake, { notes: { '2024-01': 'both' }, absorbs: ['2024-01-02', '2024-01-03'] })
  expect(textsOf(lake, 2)).toEqual({ '2024-01': 'both', '2024-02-01': 'three' })
  expect(dataOf(lake)).toEqual([file('2024-01', 'both'), file('2024-02-01', 'three')].toSorted())
  const dropped = [
    { dataset: 'notes', partition: '2024-01' },
    { dataset: 'no_such_dataset', partition: '2024-01' },
  ]
  await put(lake, { dropped })
  expect(textsOf(lake, 3)).toEqual({ '2024-02-01': 'three' })
  expect(recordOf(lake, 3).datasets).toEqual({
    notes: { partitions: { '2024-02-01': manifestName('2024-02-01', 'three') } },
  })
  expect(dataOf(lake)).toEqual([file('2024-02-01', 'three')])
  expect(textsOf(lake, 2)).toEqual({ '2024-01': 'both', '2024-02-01': 'three' })
})

test('a publish that changes no file moves none', async () => {
  const lake = newLake()
  await put(lake, { notes: { '2024-01-02': 'one' } })
  const before = statSync(join(lake, file('2024-01-02', 'one'))).ino
  expect(await put(lake, { notes: { '2024-01-02': 'one' } })).toBe(2)
  expect(statSync(join(lake, file('2024-01-02', 'one'))).ino).toBe(before)
  expect(await put(lake, { options: { made_by: 'close' } })).toBe(3)
  expect(dataOf(lake)).toEqual([file('2024-01-02', 'one')])
})

test('retired files are moved out of the folders of the data, other files stay', async () => {
  const lake = newLake()
  mkdirSync(join(lake, 'notes/old'), { recursive: true })
  writeFileSync(join(lake, 'notes/old/part.parquet'), 'retired')
  writeFileSync(join(lake, 'notes/old/readme.txt'), 'mine')
  await put(lake, {
    notes: { '2024-01-02': 'one' },
    options: { retired: ['notes/old/part.parquet'] },
  })
  expect(dataOf(lake)).toEqual([file('2024-01-02', 'one'), 'notes/old/readme.txt'].toSorted())
  expect(readFileSync(join(lake, 'superseded/notes/old/part.parquet'), 'utf8')).toBe('retired')
})

test('a partition whose manifest is lost is replaced: the files that tapehouse wrote are found in its folder', async () => {
  const lake = newLake()
  await put(lake, { notes: { '2024-01-02': 'one', '2024-01-03': 'two' } })
  rmSync(join(lake, manifestName('2024-01-02', 'one')))
  writeFileSync(join(lake, 'notes/2024-01-02/mine.parquet'), 'mine')
  await put(lake, { notes: { '2024-01-02': 'three' } })
  expect(dataOf(lake)).toEqual(
    [file('2024-01-02', 'three'), 'notes/2024-01-02/mine.parquet', file('2024-01-03', 'two')].toSorted(),
  )
  expect(pathsBelow(join(lake, 'superseded'))).toEqual([file('2024-01-02', 'one')])
  // Its folder is lost too.
  rmSync(join(lake, manifestName('2024-01-03', 'two')))
  rmSync(join(lake, 'notes/2024-01-03'), { recursive: true })
  expect(await put(lake, { notes: { '2024-01-03': 'four' } })).toBe(3)
  expect(textsOf(lake, 3)).toEqual({ '2024-01-02': 'three', '2024-01-03': 'four' })
})

test('a manifest of format 1 is moved out of the folder of the data with its files', async () => {
  const lake = newLake()
  await put(lake, { notes: { '2024-01-02': 'one' } })
  const { columns: _, ...rest } = manifestOf('2024-01-02', 'one')
  const text = `${JSON.stringify({ ...rest, format: 1, schema: '' })}\n`
  const former = named('notes/2024-01-02', text, 'json')
  writeFileSync(join(lake, former), text)
  const record = { ...recordOf(lake, 1), datasets: { notes: { partitions: { '2024-01-02': former } } } }
  writeFileSync(join(lake, 'snapshots/1.json'), JSON.stringify(record))
  await put(lake, { notes: { '2024-01-02': 'two' } })
  expect(dataOf(lake)).toEqual([file('2024-01-02', 'two')])
  expect(pathsBelow(join(lake, 'superseded'))).toEqual([former, file('2024-01-02', 'one')].toSorted())
})

describe('files that are there already', () => {
  test('a damaged file is replaced in its place', async () => {
    const lake = newLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    writeFileSync(join(lake, file('2024-01-02', 'one')), 'damaged')
    await put(lake, { notes: { '2024-01-02': 'one' } })
    expect(textsOf(lake, 2)).toEqual({ '2024-01-02': 'one' })
    expect(dataOf(lake)).toEqual([file('2024-01-02', 'one')])
  })

  test('so is one that only earlier snapshots have', async () => {
    const lake = newLake()
    for (const text of ['one', 'two']) await put(lake, { notes: { '2024-01-02': text } })
    writeFileSync(join(lake, 'superseded', file('2024-01-02', 'one')), 'damaged')
    await put(lake, { notes: { '2024-01-02': 'one' } })
    expect([1, 3].map(number => textsOf(lake, number)['2024-01-02'])).toEqual(['one', 'one'])
  })

  test('a damaged manifest is replaced, one that is whole stays', async () => {
    const lake = newLake()
    const manifest = join(lake, manifestName('2024-01-02', 'one'))
    await put(lake, { notes: { '2024-01-02': 'one' } })
    const { ino } = statSync(manifest)
    await put(lake, { notes: { '2024-01-02': 'one' } })
    expect(statSync(manifest).ino).toBe(ino)
    writeFileSync(manifest, '{}')
    await put(lake, { notes: { '2024-01-02': 'one' } })
    expect(textsOf(lake, 3)).toEqual({ '2024-01-02': 'one' })
  })

  test.each([
    ['a file', file('2024-01-02', 'two')],
    ['a manifest', manifestName('2024-01-02', 'two')],
  ])('a folder in place of %s fails the publish', async (_, name) => {
    const lake = newLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    mkdirSync(join(lake, name, 'inner'), { recursive: true })
    await expect(put(lake, { notes: { '2024-01-02': 'two' } })).rejects.toMatchObject({
      code: 'lake_write',
      message: expect.stringContaining(name),
    })
    expect(current(lake)).toBe('1\n')
    expect(pathsBelow(join(lake, 'snapshots'))).toEqual(['1.json'])
    expect(textsOf(lake, 1)).toEqual({ '2024-01-02': 'one' })
  })
})

describe('a writer that another one has overtaken', () => {
  const CONFLICT = {
    code: 'lake_conflict',
    message:
      'another command published snapshot 2 in the meantime, so this one published nothing: run it again',
  }

  /** Publishes on snapshot 1 after `meanwhile`. */
  async function late(meanwhile: (lake: string) => unknown) {
    const lake = newLake()
    await put(lake, { notes: { '2024-01-02': 'one' } })
    const published = withStaging(lake, 'write', async staging => {
      const base = await openBase(lake, staging)
      await meanwhile(lake)
      return publish(base, [noted(base, '2024-01-02', 'late'), noted(base, '2024-01-04', 'late')])
    })
    await expect(published).rejects.toMatchObject(CONFLICT)
    return lake
  }

  test('publishes nothing, and writes no file', async () => {
    const lake = await late(lake => put(lake, { notes: { '2024-01-02': 'two' } }))
    expect(textsOf(lake, 2)).toEqual({ '2024-01-02': 'two' })
    expect(pathsBelow(lake).filter(name => name.includes('2024-01-04'))).toEqual([])
    expect(pathsBelow(join(lake, 'snapshots'))).toEqual(['1.json', '2.json'])
  })

  test('neither between the snapshot of the other one and its CURRENT, and takes its markers away', async () => {
    const record = '{"format":2,"number":2}\n'
    const lake = await late(lake => writeFileSync(join(lake, 'snapshots/2.json'), record))
    expect(current(lake)).toBe('1\n')
    expect(readFileSync(join(lake, 'snapshots/2.json'), 'utf8')).toBe(record)
    expect(dataOf(lake)).toEqual([file('2024-01-02', 'one')])
    expect(pathsBelow(lake).filter(name => name.startsWith('.'))).toEqual([])
  })
})

test('an attempt after another one in the same staging folder', async () => {
  const lake = newLake()
  await withStaging(lake, 'write', async staging => {
    writeFileSync(join(staging, 'snapshot.json'), 'of the attempt before')
    const base = await openBase(lake, staging)
    expect(await publish(base, [noted(base, '2024-01-02', 'one')])).toBe(1)
  })
  expect(textsOf(lake, 1)).toEqual({ '2024-01-02': 'one' })
})

test('an earlier snapshot is amended: its record, in place, and the files that only it has', async () => {
  const lake = newLake()
  await put(lake, { notes: { '2024-01-02': 'one', '2024-01-03': 'two' }, options: { made_by: 'import csv' } })
  await put(lake, { notes: { '2024-01-04': 'three' } })
  const before = recordOf(lake, 1)
  const data = dataOf(lake)
  writeFileSync(join(lake, 'snapshots/1.json'), JSON.stringify({ ...before, format: 1 }))
  await withStaging(lake, 'write', async staging => {
    const base = { lake, staging, number: 2, record: await requireRecord(lake, 1) }
    await amend(base, [noted(base, '2024-01-02', 'fewer')], [{ dataset: 'notes', partition: '2024-01-03' }])
  })
  expect(recordOf(lake, 1)).toEqual({
    ...before,
    datasets: { notes: { partitions: { '2024-01-02': manifestName('2024-01-02', 'fewer') } } },
  })
  expect(readFileSync(join(lake, 'snapshots/1.json'), 'utf8').endsWith('}\n')).toBe(true)
  expect(textsOf(lake, 1)).toEqual({ '2024-01-02': 'fewer' })
  expect(textsOf(lake, 2)).toEqual({ '2024-01-02': 'one', '2024-01-03': 'two', '2024-01-04': 'three' })
  expect([current(lake), dataOf(lake)]).toEqual(['2\n', data])
  expect(pathsBelow(join(lake, 'superseded'))).toContain(file('2024-01-02', 'fewer'))
  expect(pathsBelow(join(lake, '.staging'))).toEqual([])
})
