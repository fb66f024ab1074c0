import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFiles } from '../../../src/lake/import/import.ts'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { diffSnapshots } from '../../../src/lake/snapshots/diff.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { day, landDays, silent, writerForTest } from '../store/days.ts'

test('a difference counts rows by day: new keys, missing keys, and other values', async () => {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('A', '2024-01-02'), day('A', '2024-01-03'), day('B', '2024-01-03')])
  await landDays(writer, lake, [
    day('A', '2024-01-03'),
    day('B', '2024-01-03', '2'),
    day('C', '2024-01-03'),
    day('D', '2024-01-03'),
    day('A', '2024-01-04'),
  ])
  const row = (date: string, added: number, removed: number, changed: number) => ({
    dataset: 'daily_bars',
    day: date,
    added,
    removed,
    changed,
  })
  expect(await diffSnapshots(writer, lake, [1, 2], silent)).toEqual([
    row('2024-01-03', 2, 0, 1),
    row('2024-01-04', 1, 0, 0),
  ])
  expect(await diffSnapshots(writer, lake, [2, 1], silent)).toEqual([
    row('2024-01-03', 0, 2, 1),
    row('2024-01-04', 0, 1, 0),
  ])
  expect(await diffSnapshots(writer, lake, [2, 2], silent)).toEqual([])
})

test('equal rows in other files are no difference, and only files of days that differ are read', async () => {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  for (const date of ['2024-01-02', '2024-01-03', '2024-01-31', '2024-02-01'])
    await landDays(writer, lake, [day('A', date)])
  await compact(writer, lake, silent)
  expect(await diffSnapshots(writer, lake, [4, 5], silent)).toEqual([])
  await landDays(writer, lake, [day('A', '2024-02-01', '2')])
  // The day's file before and after is there; the one of January is not, while the query runs.
  const [january] = (await loadSnapshot(lake, 6)).files('daily_bars')
  const read: string[] = []
  const watching = {
    ...writer,
    rows: (...[sql, bindings]: Parameters<typeof writer.rows>) => {
      read.push(JSON.stringify(bindings))
      return writer.rows(sql, bindings)
    },
  }
  const found = await diffSnapshots(watching, lake, [5, 6], silent)
  expect(found).toEqual([{ dataset: 'daily_bars', day: '2024-02-01', added: 0, removed: 0, changed: 1 }])
  expect(read).toHaveLength(1)
  expect(january?.name).toContain('daily_bars/2024-01/')
  expect(read[0]).not.toContain(january?.name)
  renameSync(join(lake, 'snapshots/5.json'), join(lake, 'snapshots/05.json'))
  await expect(diffSnapshots(writer, lake, [5, 6], silent)).rejects.toMatchObject({ code: 'not_found' })
})

test('derived datasets and datasets without partitions are compared too', async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: [flatDay('A', '2024-01-02', '1')] })
  await makeLake(folder, { days: [flatDay('A', '2024-01-02', '2'), flatDay('B', '2024-01-02', '1')] })
  const points = join(folder, 'points.csv')
  writeFileSync(
    points,
    'indicator,maturity,interval,date,value\ntreasury-yield,10year,daily,2024-01-02,3.95\n',
  )
  const writer = await writerForTest(lake)
  const found = await diffSnapshots(writer, lake, [1, 2], silent)
  expect(found.map(({ dataset, added, changed }) => [dataset, added, changed])).toEqual([
    ['daily_bars', 1, 1],
    ['stock_days', 1, 1],
  ])
  await importFiles({
    format: 'csv-economic_points',
    inputs: [points],
    lake,
    observe: silent,
  })
  expect(await diffSnapshots(writer, lake, [2, 3], silent)).toEqual([
    { dataset: 'economic_points', day: 'all', added: 1, removed: 0, changed: 0 },
  ])
})
