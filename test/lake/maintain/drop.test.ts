import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { adopt } from '../../../src/lake/adopt/adopt.ts'
import { drop, dropFromKept } from '../../../src/lake/maintain/drop.ts'
import { applyRetention, retentionRules, setRetention } from '../../../src/lake/maintain/retention.ts'
import type { DropSelection } from '../../../src/lake/maintain/selection.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { keepSnapshot } from '../../../src/lake/snapshots/kept.ts'
import { restoreSnapshot } from '../../../src/lake/snapshots/restore.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { requireRecord } from '../../../src/lake/store/record.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { DAILY_BARS, silent, storedDays, writerForTest } from '../store/days.ts'

const DAYS = [
  flatDay('A', '2024-01-02', '1'),
  flatDay('B', '2024-01-02', '2'),
  flatDay('A', '2024-01-03', '3'),
  flatDay('A', '2024-01-04', '4'),
  flatDay('B', '2024-01-04', '5'),
]

async function lakeOf(days: readonly string[]) {
  const lake = await makeLake(folderForTest(), { days })
  return { lake, writer: await writerForTest(lake) }
}

const all: DropSelection = { dataset: DAILY_BARS, tickers: null, before: null }

/** Expects that a lake has the rows of one into which only `days` were imported, derived ones too. */
async function expectSame(writer: Writer, lake: string, days: readonly string[]): Promise<void> {
  const found = await verify(writer, lake, silent)
  expect([found.problems, found.stale]).toEqual([[], new Map()])
  const other = await lakeOf(days)
  expect(found.datasets).toEqual((await verify(other.writer, other.lake, silent)).datasets)
}

test.each<[string, Partial<DropSelection>, (line: string) => boolean, number]>([
  ['a ticker', { tickers: ['B'] }, line => line.endsWith(',A'), 2],
  ['the days before one', { before: '2024-01-04' }, line => line.startsWith('2024-01-04'), 3],
  ['a ticker before a day', { tickers: ['A', 'Z'], before: '2024-01-03' }, line => line !== DAYS[0], 1],
])('dropping %s leaves the rows of a lake that never had it', async (_, selection, stays, rows) => {
  const { lake, writer } = await lakeOf(DAYS)
  const { snapshot, ...dropped } = await drop(writer, lake, [{ ...all, ...selection }], 'drop', silent)
  expect([snapshot, dropped.rows]).toEqual([2, rows])
  expect((await requireRecord(lake, 2)).changes?.daily_bars).toEqual({ added: 0, replaced: 0, removed: rows })
  await expectSame(writer, lake, DAYS.filter(stays))
  // The snapshot before still has them.
  expect(await storedDays(writer, lake, {}, 1)).toHaveLength(5)
})

test('dropping the last row of a partition, or all rows, leaves no empty file', {
  tags: 'slow',
}, async () => {
  const { lake, writer } = await lakeOf(DAYS)
  await drop(writer, lake, [{ ...all, tickers: ['A'], before: '2024-01-04' }], 'drop', silent)
  await expectSame(writer, lake, [DAYS[1] ?? '', DAYS[3] ?? '', DAYS[4] ?? ''])
  expect(await drop(writer, lake, [all], 'drop', silent)).toMatchObject({ snapshot: 3, rows: 3 })
  expect((await verify(writer, lake, silent)).datasets).toEqual([])
  expect(await drop(writer, lake, [all], 'drop', silent)).toMatchObject({ snapshot: 3, rows: 0 })
})

test('rows of adopted files and of merged partitions are dropped too', async () => {
  const folder = folderForTest()
  const writer = await writerForTest(folder)
  await writer.run(`COPY (SELECT 'A' AS ticker, DATE '2024-01-02' + i::INTEGER AS date, 1.5 AS open, 1.5 AS high,
    1.5 AS low, 1.5 AS close, NULL::DOUBLE AS adjusted_close, 7 AS volume FROM range(60) AS r(i))
    TO '${folder}/bars.parquet' (FORMAT parquet)`)
  mkdirSync(join(folder, 'lake/daily_bars'), { recursive: true })
  renameSync(join(folder, 'bars.parquet'), join(folder, 'lake/daily_bars/bars.parquet'))
  const lake = join(folder, 'lake')
  await adopt(writer, lake, {}, silent)
  await drop(writer, lake, [{ ...all, before: '2024-02-28' }], 'drop', silent)
  // 2024-01-02 and 59 days is 2024-03-01; 2024 has a 29th of February.
  expect(await storedDays(writer, lake)).toEqual(['A 2024-02-28 1.5', 'A 2024-02-29 1.5', 'A 2024-03-01 1.5'])
})

test('of a derived dataset, the days that were adopted are dropped, and those that were computed stay', {
  tags: 'slow',
}, async () => {
  const imported = await lakeOf(DAYS)
  const folder = folderForTest()
  const writer = await writerForTest(folder)
  const lake = join(folder, 'lake')
  for (const name of ['daily_bars', 'stock_days']) {
    mkdirSync(join(lake, name), { recursive: true })
    const earlier = name === 'daily_bars' ? '' : "REPLACE (ticker || 'X' AS ticker, date + 10 AS date)"
    await imported.writer.run(
      `COPY (SELECT * ${earlier} FROM read_parquet('${imported.lake}/${name}/**/*.parquet'))
       TO '${imported.lake}/rows.parquet' (FORMAT parquet)`,
    )
    renameSync(join(imported.lake, 'rows.parquet'), join(lake, name, 'rows.parquet'))
  }
  await adopt(writer, lake, {}, silent)
  const adopted = { ...all, dataset: dataset('stock_days') }
  const dropped = (tickers: string[] | null) => drop(writer, lake, [{ ...adopted, tickers }], 'drop', silent)
  const rows = async () =>
    (await verify(writer, lake, silent)).datasets.find(each => each.dataset === 'stock_days')?.rows
  // Adopted and computed days are in one partition.
  expect(await rows()).toBe(10)
  expect(await dropped(['BX', 'A'])).toMatchObject({ rows: 2 })
  expect(await rows()).toBe(8)
  expect(await dropped(null)).toMatchObject({ rows: 3 })
  await expectSame(writer, lake, DAYS)
  await expect(dropped(null)).rejects.toMatchObject({
    message: expect.stringMatching(/^stock_days is derived: /),
  })
})

test('derived datasets, and datasets without tickers, are refused', async () => {
  const { lake, writer } = await lakeOf(DAYS)
  const refused = (selection: Partial<DropSelection>) =>
    drop(writer, lake, [{ ...all, ...selection }], 'drop', silent)
  await expect(refused({ dataset: dataset('stock_days') })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^stock_days is derived: drop rows of its sources instead \(.*daily_bars/),
  })
  await expect(refused({ dataset: dataset('economic_points'), tickers: ['A'] })).rejects.toMatchObject({
    message: expect.stringContaining('economic_points has no tickers'),
  })
  expect(await readCurrent(lake)).toBe(1)
})

test('a retention rule drops days by the last date of its dataset, and kept snapshots keep them', async () => {
  const { lake, writer } = await lakeOf(DAYS)
  expect(await applyRetention(writer, lake, silent)).toBeNull()
  await setRetention(lake, DAILY_BARS, 1)
  expect(await retentionRules(lake)).toEqual([{ dataset: 'daily_bars', days: 1 }])
  await keepSnapshot(lake, 'all')
  // The last date is the 4th: one day before it is the 3rd.
  expect(await applyRetention(writer, lake, silent)).toMatchObject({ snapshot: 2, rows: 2 })
  await expectSame(writer, lake, DAYS.slice(2))
  expect(await applyRetention(writer, lake, silent)).toMatchObject({ snapshot: 2, rows: 0 })
  await vacuum(lake, { snapshots: 1, graceMs: 0 })
  expect(await storedDays(writer, lake, {}, 1)).toHaveLength(5)

  await setRetention(lake, DAILY_BARS, 2)
  expect(await retentionRules(lake)).toEqual([{ dataset: 'daily_bars', days: 2 }])
  await setRetention(lake, DAILY_BARS, null)
  expect(await retentionRules(lake)).toEqual([])
  await expect(setRetention(lake, DAILY_BARS, null)).rejects.toMatchObject({ code: 'not_found' })
  await expect(setRetention(lake, dataset('stock_days'), 5)).rejects.toMatchObject({ code: 'usage' })
})

test('rows are dropped from kept snapshots too, and are gone after a vacuum', { tags: 'slow' }, async () => {
  const { lake, writer } = await lakeOf(DAYS)
  await keepSnapshot(lake, 'first')
  await keepSnapshot(lake, 'again', 1)
  const selection = { ...all, tickers: ['B'] }
  await drop(writer, lake, [selection], 'drop', silent)
  const before = await requireRecord(lake, 1)
  expect(await dropFromKept(writer, lake, [selection], 'drop daily_bars --tickers B', silent)).toEqual([1])
  const stays = ['A 2024-01-02 1', 'A 2024-01-03 3', 'A 2024-01-04 4']
  expect(await storedDays(writer, lake, {}, 1)).toEqual(stays)
  expect(await requireRecord(lake, 1)).toMatchObject({
    created_at: before.created_at,
    made_by: 'import daily-bars',
    rewritten_by: 'drop daily_bars --tickers B',
  })
  // Both snapshots now have the same files, derived ones too.
  expect((await requireRecord(lake, 1)).datasets).toEqual((await requireRecord(lake, 2)).datasets)
  const { deleted } = await vacuum(lake, { snapshots: 1, graceMs: 0 })
  // A file and a manifest of each of the two days with rows of B, in daily_bars and in what is derived from it.
  expect(deleted.filter(name => name.includes('/daily_bars/'))).toHaveLength(4)
  await restoreSnapshot(lake, 1)
  await expectSame(
    writer,
    lake,
    DAYS.filter(line => line.endsWith(',A')),
  )
})
