import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knownInputs } from '../../../src/lake/land/land.ts'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import {
  DAILY_BARS,
  type Day,
  day,
  land,
  landDays,
  makeHistory,
  partitionsOf,
  silent,
  storedDays,
  writerForTest,
} from '../store/days.ts'

/** A lake into which rows came one by one, so that each landed as a day. */
async function lakeOf(rows: readonly Day[]) {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  for (const [index, row] of rows.entries())
    await landDays(writer, lake, [row], [String(index).padStart(64, '0')])
  return { lake, writer }
}

test('days of closed months become months, those of closed years years, in one snapshot, with the same rows', async () => {
  const { lake, writer } = await lakeOf([
    day('A', '2022-12-29', '1'),
    day('B', '2022-12-29', '2'),
    day('A', '2022-11-01', '3'),
    day('A', '2023-01-03', '4'),
    day('A', '2023-02-01', '5'),
    day('A', '2023-02-02', '6'),
  ])
  const before = await storedDays(writer, lake)
  expect(await compact(writer, lake, silent)).toEqual({
    snapshot: 7,
    merged: [
      { dataset: 'daily_bars', partition: '2022', from: ['2022-11-01', '2022-12-29'] },
      { dataset: 'daily_bars', partition: '2023-01', from: ['2023-01-03'] },
    ],
  })
  expect(await partitionsOf(lake)).toEqual(['2022', '2023-01', '2023-02-01', '2023-02-02'])
  expect(await storedDays(writer, lake)).toEqual(before)
  expect((await verify(writer, lake, silent)).problems).toEqual([])
  expect((await knownInputs(lake, DAILY_BARS)).size).toBe(6)
  expect(await compact(writer, lake, silent)).toEqual({ snapshot: 7, merged: [] })
})

test('the period of the newest date is closed by its last session', async () => {
  // 29 March 2024 was Good Friday: the month's last session was the day before.
  const { lake, writer } = await lakeOf([day('A', '2024-03-01'), day('A', '2024-03-27')])
  expect((await compact(writer, lake, silent)).merged).toEqual([])
  await landDays(writer, lake, [day('A', '2024-03-28')])
  await compact(writer, lake, silent)
  expect(await partitionsOf(lake)).toEqual(['2024-03'])
})

test('months become a year once the year is closed', async () => {
  const { lake, writer } = await lakeOf([day('A', '2023-05-02'), day('A', '2023-06-01')])
  await compact(writer, lake, silent)
  expect(await partitionsOf(lake)).toEqual(['2023-05', '2023-06-01'])
  await landDays(writer, lake, [day('A', '2024-01-02')])
  await compact(writer, lake, silent)
  expect(await partitionsOf(lake)).toEqual(['2023', '2024-01-02'])
})

test('many small days become few sorted files that one lookup opens once', async () => {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await makeHistory(writer, 20, '2023-05-02', '2023-06-09')
  await land(writer, lake, DAILY_BARS, [], silent)
  const opened = async () =>
    (await loadSnapshot(lake)).files('daily_bars', { to: '2023-05-31', keys: { ticker: ['T00007'] } }).length
  expect(await opened()).toBe(22)
  const rows = await storedDays(writer, lake)
  await compact(writer, lake, silent)
  expect(await opened()).toBe(1)
  expect(await storedDays(writer, lake)).toEqual(rows)
})

test('a folder without a lake is rejected, and no lake is created', async () => {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await expect(compact(writer, lake, silent)).rejects.toMatchObject({ code: 'lake_missing' })
})
