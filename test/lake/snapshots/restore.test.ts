import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { keepSnapshot } from '../../../src/lake/snapshots/kept.ts'
import { restoreSnapshot } from '../../../src/lake/snapshots/restore.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { requireRecord } from '../../../src/lake/store/record.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { day, landDays, silent, storedDays, writerForTest } from '../store/days.ts'

async function threeSnapshots() {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('A', '2024-01-02'), day('A', '2024-01-03')])
  await landDays(writer, lake, [day('A', '2024-01-03', '2'), day('B', '2024-01-03', '2')])
  await landDays(writer, lake, [day('A', '2024-01-04', '3')])
  return { lake, writer }
}

const FIRST = ['A 2024-01-02 1', 'A 2024-01-03 1']

test('restoring publishes an earlier content as a new snapshot, and loses none', async () => {
  const { lake, writer } = await threeSnapshots()
  const before = await storedDays(writer, lake)
  expect(await restoreSnapshot(lake, 1)).toEqual({
    snapshot: 4,
    published: true,
    // The third has two rows instead of one, the fourth one instead of none.
    changes: { daily_bars: { added: 0, replaced: 1, removed: 2 } },
  })
  expect(await storedDays(writer, lake)).toEqual(FIRST)
  expect(await storedDays(writer, lake, {}, 3)).toEqual(before)
  expect(await requireRecord(lake, 4)).toMatchObject({ parent: 3, made_by: 'snapshot restore 1' })
  expect(await verify(writer, lake, silent)).toMatchObject({ problems: [] })

  expect(await restoreSnapshot(lake, 3)).toMatchObject({ snapshot: 5, published: true })
  expect(await storedDays(writer, lake)).toEqual(before)
  expect((await requireRecord(lake, 5)).datasets).toEqual((await requireRecord(lake, 3)).datasets)
})

test('restoring what is current publishes nothing', async () => {
  const { lake } = await threeSnapshots()
  expect(await restoreSnapshot(lake, 3)).toEqual({ snapshot: 3, published: false, changes: {} })
  expect(await readCurrent(lake)).toBe(3)
})

test('a snapshot that lacks a file is not restored', async () => {
  const { lake } = await threeSnapshots()
  await keepSnapshot(lake, 'first', 1)
  const file = (await loadSnapshot(lake, 1)).files('daily_bars', { from: '2024-01-03' })[0]
  rmSync(file?.path ?? '')
  await expect(restoreSnapshot(lake, 1)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining(file?.name ?? ''),
  })
  await expect(restoreSnapshot(lake, 9)).rejects.toMatchObject({ code: 'not_found' })
  expect(await readCurrent(lake)).toBe(3)
})

test('rows can be imported again after the snapshot before them was restored', async () => {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  const inputs = (digit: string) => [digit.repeat(64)]
  await landDays(writer, lake, [day('A', '2024-01-02')], inputs('a'))
  await landDays(writer, lake, [day('A', '2024-01-03')], inputs('b'))
  await restoreSnapshot(lake, 1)
  expect(await landDays(writer, lake, [day('A', '2024-01-03')], inputs('b'))).toMatchObject({
    published: true,
    snapshot: 4,
  })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 1'])
})
