import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adopt } from '../../../src/lake/adopt/adopt.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { contentHash } from '../../../src/lake/store/content.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { day, landDays, silent, storedDays, writerForTest } from '../store/days.ts'

/** A lake whose only day was published `times` times. */
async function lakeOfSnapshots(times: number) {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  for (let n = 1; n <= times; n += 1) await landDays(writer, lake, [day('A', '2024-01-02', String(n))])
  return { lake, writer }
}

const AT_ONCE = { graceMs: -1000 }
const contents = (lake: string) =>
  readdirSync(lake, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.\w+$/.test(name))
    .toSorted()

test('files that none of the last three snapshots names are deleted, and these can still be read', async () => {
  const { lake, writer } = await lakeOfSnapshots(5)
  const before = contents(lake)
  const sizes = new Map(before.map(name => [name, readFileSync(join(lake, name)).length]))
  const { deleted, bytes } = await vacuum(lake, AT_ONCE)
  expect(deleted.map(name => name.replace(/[0-9a-f]{32}/, '…')).toSorted()).toEqual([
    'manifests/daily_bars/2024-01-02/….json',
    'manifests/daily_bars/2024-01-02/….json',
    'snapshots/1.json',
    'snapshots/2.json',
    'superseded/daily_bars/2024-01-02/….parquet',
    'superseded/daily_bars/2024-01-02/….parquet',
  ])
  expect(bytes).toBe(deleted.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0))
  expect(contents(lake)).toEqual(before.filter(name => !deleted.includes(name)))
  for (const number of [3, 4, 5])
    expect(await storedDays(writer, lake, {}, number)).toEqual([`A 2024-01-02 ${number}`])
  expect((await verify(writer, lake, silent)).problems).toEqual([])
  expect(await vacuum(lake, AT_ONCE)).toEqual({ deleted: [], bytes: 0, keptBytes: 0, undoBytes: 0 })
})

test('a snapshot that was current within the grace period stays, with all its files', async () => {
  const { lake } = await lakeOfSnapshots(5)
  expect(await vacuum(lake)).toEqual({ deleted: [], bytes: 0, keptBytes: 0, undoBytes: 0 })
  expect(await vacuum(lake, { snapshots: 1, graceMs: 60_000 })).toEqual({
    deleted: [],
    bytes: 0,
    keptBytes: 0,
    undoBytes: 0,
  })
  // Long ago for all but the last: only what it replaced may still be read by someone.
  for (const number of [1, 2, 3, 4]) {
    const path = join(lake, `snapshots/${number}.json`)
    const record = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...record, created_at: '2024-01-02T00:00:00.000Z' }))
  }
  await vacuum(lake, { snapshots: 1, graceMs: -1000 })
  expect(readdirSync(join(lake, 'snapshots'))).toEqual(['5.json'])
})

test('files are kept by what replaced their snapshot, not only by their age', async () => {
  const { lake } = await lakeOfSnapshots(3)
  for (const number of [1, 2]) {
    const path = join(lake, `snapshots/${number}.json`)
    const record = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...record, created_at: '2024-01-02T00:00:00.000Z' }))
  }
  // Snapshot 1 was replaced long ago, snapshot 2 by a snapshot of the future: a request may still read it.
  const path = join(lake, 'snapshots/3.json')
  const record = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(
    path,
    JSON.stringify({ ...record, created_at: new Date(Date.now() + 3_600_000).toISOString() }),
  )
  await vacuum(lake, { snapshots: 1, graceMs: -1000 })
  expect(readdirSync(join(lake, 'snapshots')).toSorted()).toEqual(['2.json', '3.json'])
})

test('the folders of deleted partitions are removed', async () => {
  const { lake, writer } = await lakeOfSnapshots(1)
  await landDays(writer, lake, [day('A', '2024-01-02', '2'), day('A', '2024-01-31', '2')])
  await landDays(writer, lake, [
    day('A', '2024-01-03', '2'),
    day('A', '2024-01-02', '3'),
    day('A', '2024-01-31', '3'),
  ])
  await vacuum(lake, { ...AT_ONCE, snapshots: 1 })
  expect(readdirSync(join(lake, 'daily_bars'))).toEqual(['2024-01'])
  expect((await storedDays(writer, lake)).length).toBe(3)
})

test('files that tapehouse did not write stay, and links are not followed', async () => {
  const lake = join(folderForTest(), 'lake')
  const outside = folderForTest()
  const place = join(lake, 'daily_bars/2024-01-02')
  mkdirSync(place, { recursive: true })
  const writer = await writerForTest(lake)
  await writer.run(
    `COPY (SELECT 'A' AS ticker, DATE '2024-01-02' AS date, 1::DECIMAL(18, 6) AS open, 1::DECIMAL(18, 6) AS high,
       1::DECIMAL(18, 6) AS low, 1::DECIMAL(18, 6) AS close, 1::DECIMAL(18, 6) AS adjusted_close, 1::BIGINT AS volume)
     TO '${place}/part-0.parquet' (FORMAT parquet)`,
  )
  await adopt(writer, lake, {}, silent)
  for (const n of [2, 3, 4, 5]) await landDays(writer, lake, [day('A', '2024-01-02', String(n))])
  // Named like tapehouse's files, but of other content; or tapehouse's content in places that are not its own.
  const kept = [
    `daily_bars/2024-01-02/${'0'.repeat(32)}.parquet`,
    `daily_bars/2024-01-02/notes.json`,
    `daily_bars/2024-01-02/${contentHash('mine')}.parquet`,
    `superseded/daily_bars/2024-01-02/${'0'.repeat(32)}.parquet`,
    'superseded/daily_bars/2024-01-02/notes.json',
    `daily_bars/archive/${contentHash('mine')}.parquet`,
    `${contentHash('mine')}.parquet`,
    `photographs/2024-01-02/${contentHash('mine')}.parquet`,
    'snapshots/notes.txt',
  ]
  for (const name of kept) {
    mkdirSync(join(lake, name, '..'), { recursive: true })
    writeFileSync(join(lake, name), 'mine')
  }
  writeFileSync(join(outside, `${contentHash('mine')}.parquet`), 'mine')
  symlinkSync(outside, join(lake, 'daily_bars/2024-01-03'))
  symlinkSync(outside, join(lake, 'superseded/daily_bars/2024-01-03'))
  const link = join(lake, 'superseded/daily_bars/2024-01-02', `${contentHash('mine')}.parquet`)
  symlinkSync(join(outside, `${contentHash('mine')}.parquet`), link)

  const { deleted } = await vacuum(lake, AT_ONCE)
  expect(deleted.length).toBeGreaterThan(3)
  expect(
    [...kept, 'superseded/daily_bars/2024-01-02/part-0.parquet'].filter(
      name => !existsSync(join(lake, name)),
    ),
  ).toEqual([])
  expect(readdirSync(outside)).toEqual([`${contentHash('mine')}.parquet`])
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 5'])
})

test('leftovers of a publish that lost a conflict are deleted', async () => {
  const { lake } = await lakeOfSnapshots(1)
  const orphan = `superseded/daily_bars/2024-01-02/${contentHash('orphan')}.parquet`
  mkdirSync(join(lake, orphan, '..'), { recursive: true })
  writeFileSync(join(lake, orphan), 'orphan')
  expect((await vacuum(lake)).deleted).toEqual([])
  expect((await vacuum(lake, AT_ONCE)).deleted).toEqual([orphan])
})

test('if a kept snapshot cannot be read, nothing is deleted', async () => {
  const { lake } = await lakeOfSnapshots(5)
  const before = contents(lake)
  writeFileSync(join(lake, 'snapshots/4.json'), 'damaged')
  await expect(vacuum(lake, AT_ONCE)).rejects.toMatchObject({ code: 'lake_damaged' })
  expect(contents(lake)).toEqual(before)
  await expect(vacuum(folderForTest())).rejects.toMatchObject({ code: 'lake_missing' })
})

test('a file with an old modification time stays within the grace period after it got its name', async () => {
  const { lake } = await lakeOfSnapshots(1)
  const orphan = `superseded/daily_bars/2024-01-02/${contentHash('orphan')}.parquet`
  mkdirSync(join(lake, orphan, '..'), { recursive: true })
  writeFileSync(join(lake, 'orphan'), 'orphan')
  // A publish that is slow, or that copied its file with `cp -p`: only the change time, which no one can set, is new.
  utimesSync(join(lake, 'orphan'), new Date('2024-01-02'), new Date('2024-01-02'))
  renameSync(join(lake, 'orphan'), join(lake, orphan))
  expect((await vacuum(lake)).deleted).toEqual([])
  expect((await vacuum(lake, AT_ONCE)).deleted).toEqual([orphan])
})
