import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { snapshotHistory } from '../../../src/lake/snapshots/history.ts'
import { keepSnapshot, keptSnapshots, releaseSnapshot } from '../../../src/lake/snapshots/kept.ts'
import { snapshotNumber, wholeSnapshot } from '../../../src/lake/snapshots/named.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { day, landDays, storedDays, writerForTest } from '../store/days.ts'

/** Snapshots 1 to `count`; snapshot n has close n of one day. */
async function lakeOf(count: number) {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  for (let close = 1; close <= count; close += 1)
    await landDays(writer, lake, [day('A', '2024-01-02', String(close))])
  return { lake, writer }
}

test('a kept snapshot has a name, which a number or another name finds it by', async () => {
  const { lake } = await lakeOf(3)
  expect(await keepSnapshot(lake, 'report', 1)).toBe(1)
  expect(await keepSnapshot(lake, 'latest')).toBe(3)
  expect(await keptSnapshots(lake)).toEqual([
    { name: 'latest', snapshot: 3 },
    { name: 'report', snapshot: 1 },
  ])
  const { snapshots, lost } = await snapshotHistory(lake)
  expect(snapshots.map(({ record, isCurrent, keptAs }) => [record.number, isCurrent, keptAs])).toEqual([
    [1, false, ['report']],
    [2, false, []],
    [3, true, ['latest']],
  ])
  expect(lost).toEqual([])
  expect(await snapshotNumber(lake, 'report')).toBe(1)
  expect(await wholeSnapshot(lake, '2')).toBe(2)
})

test('a name that is taken keeps its snapshot, and a name that is none is refused', async () => {
  const { lake } = await lakeOf(2)
  await keepSnapshot(lake, 'report', 1)
  await expect(keepSnapshot(lake, 'report', 2)).rejects.toMatchObject({
    code: 'name_taken',
    message: expect.stringContaining('report is taken by snapshot 1'),
  })
  expect(await keptSnapshots(lake)).toEqual([{ name: 'report', snapshot: 1 }])
  for (const name of ['', '7', 'Report', '-a', '.a', 'a/b', '../a', 'a b', 'a'.repeat(65), 'é'])
    await expect(keepSnapshot(lake, name), name).rejects.toMatchObject({ code: 'usage' })
  for (const name of ['0a', '2024-q1', 'a'.repeat(64), 'a.json', 'a_b'])
    expect(await keepSnapshot(lake, name), name).toBe(2)
  expect(readdirSync(join(lake, 'kept'))).toHaveLength(6)
  expect(existsSync(join(lake, '.staging'))).toBe(false)
})

test('a name is free again once it is released, and an unknown one is named', async () => {
  const { lake } = await lakeOf(2)
  await expect(releaseSnapshot(lake, 'report')).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('no snapshot is kept; run'),
  })
  await keepSnapshot(lake, 'report', 1)
  await expect(releaseSnapshot(lake, 'repo')).rejects.toMatchObject({
    message: expect.stringContaining('did you mean report?'),
  })
  await expect(snapshotNumber(lake, 'repo')).rejects.toMatchObject({ code: 'not_found' })
  await releaseSnapshot(lake, 'report')
  expect(await keptSnapshots(lake)).toEqual([])
  expect(await keepSnapshot(lake, 'report', 2)).toBe(2)
})

test('a snapshot that does not exist, or lacks a file, is not kept', async () => {
  const { lake } = await lakeOf(2)
  await expect(keepSnapshot(lake, 'a', 9)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('has no snapshot 9'),
  })
  const [file] = (await loadSnapshot(lake, 1)).files('daily_bars')
  rmSync(file?.path ?? '')
  await expect(keepSnapshot(lake, 'a', 1)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining(file?.name ?? 'a file'),
  })
  expect(await keptSnapshots(lake)).toEqual([])
})

test('a kept snapshot whose files are gone is refused by its name', async () => {
  const { lake } = await lakeOf(2)
  await keepSnapshot(lake, 'report', 1)
  const [file] = (await loadSnapshot(lake, 1)).files('daily_bars')
  rmSync(file?.path ?? '')
  await expect(wholeSnapshot(lake, 'report')).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching(/^the kept snapshot report cannot be read: .*1\.json is damaged/),
  })
  rmSync(join(lake, 'snapshots/1.json'))
  await expect(wholeSnapshot(lake, 'report')).rejects.toMatchObject({
    message: expect.stringContaining('the kept snapshot report cannot be read'),
  })
  expect((await snapshotHistory(lake)).lost).toEqual([{ name: 'report', snapshot: 1 }])
  writeFileSync(join(lake, 'kept/report.json'), '{"format":1}')
  await expect(keptSnapshots(lake)).rejects.toMatchObject({ code: 'lake_damaged' })
  await releaseSnapshot(lake, 'report')
  expect(await keptSnapshots(lake)).toEqual([])
})

test('vacuum deletes nothing that a kept snapshot needs, and counts what only kept ones need', async () => {
  const { lake, writer } = await lakeOf(5)
  await keepSnapshot(lake, 'first', 1)
  await keepSnapshot(lake, 'latest')
  const [first] = (await loadSnapshot(lake, 1)).files('daily_bars')
  const manifest = JSON.parse(readFileSync(join(lake, 'snapshots/1.json'), 'utf8')).datasets.daily_bars
  const own = [`superseded/${first?.name}`, manifest.partitions['2024-01-02'], 'snapshots/1.json']
  const { deleted, keptBytes } = await vacuum(lake, { snapshots: 1, graceMs: 0 })
  // Snapshots 2, 3 and 4 with a manifest and a file each.
  expect(deleted.length).toBe(9)
  expect(keptBytes).toBe(own.reduce((sum, name) => sum + readFileSync(join(lake, name)).length, 0))
  expect(await storedDays(writer, lake, {}, 1)).toEqual(['A 2024-01-02 1'])
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 5'])

  await releaseSnapshot(lake, 'first')
  const again = await vacuum(lake, { snapshots: 1, graceMs: 0 })
  expect(again.deleted.toSorted()).toEqual(own.toSorted())
  expect(again.keptBytes).toBe(0)
})

test('vacuum deletes nothing while a kept snapshot cannot be read, and names it', async () => {
  const { lake } = await lakeOf(5)
  await keepSnapshot(lake, 'first', 1)
  rmSync(join(lake, 'snapshots/1.json'))
  await expect(vacuum(lake, { snapshots: 1, graceMs: 0 })).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching(/kept snapshot first .*"tapehouse snapshot release first"/),
  })
  expect(readdirSync(join(lake, 'snapshots'))).toHaveLength(4)
})
