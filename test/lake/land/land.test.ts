import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Observation } from '../../../src/engine/observation.ts'
import { knownInputs } from '../../../src/lake/land/land.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { pathOf } from '../../../src/lake/store/layout.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import {
  DAILY_BARS,
  day,
  land,
  landDays,
  makeHistory,
  partitionsOf,
  silent,
  storedDays,
  writerForTest,
} from '../store/days.ts'

async function emptyLake() {
  const lake = join(folderForTest(), 'lake')
  return { lake, writer: await writerForTest(lake) }
}

const INPUT = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.\w+$/.test(name))
    .toSorted()

test('rows replace stored rows of their key, and all others stay', async () => {
  const { lake, writer } = await emptyLake()
  await landDays(writer, lake, [day('A', '2024-01-02', '1'), day('B', '2024-01-02', '2')])
  const landing = await landDays(writer, lake, [day('B', '2024-01-02', '3'), day('C', '2024-01-03', '4')])
  expect(landing).toEqual({
    snapshot: 2,
    published: true,
    rows: 2,
    partitions: ['2024-01-02', '2024-01-03'],
  })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'B 2024-01-02 3', 'C 2024-01-03 4'])
})

test('the same rows again are no new snapshot, whatever inputs they come from', async () => {
  const { lake, writer } = await emptyLake()
  const rows = [day('B', '2024-01-02'), day('A', '2024-01-02'), day('A', '2024-01-03')]
  await landDays(writer, lake, rows, [INPUT])
  const before = filesIn(lake)
  for (const inputs of [[INPUT], [OTHER], []])
    expect(await landDays(writer, lake, rows.toReversed(), inputs)).toMatchObject({
      snapshot: 1,
      published: false,
      partitions: [],
    })
  expect(filesIn(lake)).toEqual(before)
})

test('known inputs change nothing, even if later inputs replaced their rows', async () => {
  const { lake, writer } = await emptyLake()
  expect(await knownInputs(lake, DAILY_BARS)).toEqual(new Set())
  await landDays(writer, lake, [day('A', '2024-01-02', '1')], [INPUT])
  await landDays(writer, lake, [day('A', '2024-01-02', '2')], [OTHER])
  expect(await knownInputs(lake, DAILY_BARS)).toEqual(new Set([INPUT, OTHER]))
  expect(await knownInputs(lake, dataset('stock_bars'))).toEqual(new Set())
  expect(await landDays(writer, lake, [day('A', '2024-01-02', '1')], [INPUT])).toEqual({
    snapshot: 2,
    published: false,
    rows: 0,
    partitions: [],
  })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 2'])
  expect(
    (await landDays(writer, lake, [day('A', '2024-01-02', '3')], [INPUT, 'c'.repeat(64)])).published,
  ).toBe(true)
})

test('a partition that no row touches keeps its manifest, and no file is written twice or changed', async () => {
  const { lake, writer } = await emptyLake()
  await landDays(writer, lake, [day('A', '2024-01-02'), day('A', '2024-01-03')])
  const before = new Map(filesIn(lake).map(name => [name, readFileSync(join(lake, name), 'utf8')]))
  await landDays(writer, lake, [day('B', '2024-01-03')])
  for (const [name, text] of before)
    if (name !== 'CURRENT') expect(readFileSync(pathOf(lake, name), 'utf8') === text, name).toBe(true)
  const added = filesIn(lake).filter(name => !before.has(name))
  expect(added.map(name => name.replace(/[0-9a-f]{32}/, '…')).toSorted()).toEqual([
    'daily_bars/2024-01-03/….parquet',
    'manifests/daily_bars/2024-01-03/….json',
    'snapshots/2.json',
    'superseded/daily_bars/2024-01-03/….parquet',
  ])
  // What the second landing replaced is out of the way.
  const replaced = [...before.keys()].filter(name => !filesIn(lake).includes(name))
  expect(replaced).toEqual([expect.stringMatching(/^daily_bars\/2024-01-03\/[0-9a-f]{32}\.parquet$/)])
})

test('history lands in the coarsest units that it fills, later days as days, and late rows where they belong', async () => {
  const { lake, writer } = await emptyLake()
  await makeHistory(writer, 2, '2021-12-31', '2023-02-03')
  const observed: Observation[] = []
  await land(writer, lake, DAILY_BARS, [INPUT], observation => observed.push(observation))
  const partitions = ['2021-12-31', '2022', '2023-01', '2023-02-01', '2023-02-02', '2023-02-03']
  expect(await partitionsOf(lake)).toEqual(partitions)
  expect(observed).toEqual(
    // Partitions that are new are written together.
    [0, 6].map(done => ({
      kind: 'progress',
      task: 'write daily_bars',
      done,
      total: 6,
      unit: 'partitions',
    })),
  )
  const late = await landDays(writer, lake, [day('LATE', '2022-05-02'), day('LATE', '2023-01-20')], [OTHER])
  expect(late.partitions).toEqual(['2022', '2023-01'])
  expect(await partitionsOf(lake)).toEqual(partitions)
  expect(await knownInputs(lake, DAILY_BARS)).toEqual(new Set([INPUT, OTHER]))
})

test('days that come together make the same files as days that come one by one', async () => {
  const together = await emptyLake()
  const apart = await emptyLake()
  const days = ['2024-06-04', '2024-06-05', '2024-06-06']
  const rows = days.flatMap((date, index) => [day('B', date), day('A', date, String(index))])
  await landDays(together.writer, together.lake, rows.toReversed())
  for (const date of days)
    await landDays(
      apart.writer,
      apart.lake,
      rows.filter(each => each.date === date),
    )
  const namesIn = async (lake: string) =>
    (await loadSnapshot(lake))
      .files('daily_bars')
      .map(({ name, rows: count, ranges }) => ({ name, count, ranges }))
  expect(await namesIn(together.lake)).toEqual(await namesIn(apart.lake))
  expect((await namesIn(together.lake)).length).toBe(3)
  expect((await verify(together.writer, together.lake, silent)).problems).toEqual([])
})

test('a period that becomes coarse takes in its days, and is one partition afterwards', async () => {
  const { lake, writer } = await emptyLake()
  await landDays(writer, lake, [day('A', '2024-06-04', '1'), day('B', '2024-06-04', '2')])
  await landDays(writer, lake, [day('A', '2024-06-03'), day('A', '2024-06-04', '7'), day('A', '2024-06-28')])
  expect(await partitionsOf(lake)).toEqual(['2024-06'])
  expect(await storedDays(writer, lake)).toEqual([
    'A 2024-06-03 1',
    'A 2024-06-04 7',
    'A 2024-06-28 1',
    'B 2024-06-04 2',
  ])
})

test('a large partition is sorted and split, and has the same bytes whatever the number of threads', async () => {
  const names: string[][] = []
  for (const threads of [1, 2, 4]) {
    const lake = join(folderForTest(), 'lake')
    const writer = await writerForTest(lake, { threads })
    await makeHistory(writer, 1000, '2023-01-01', '2023-12-31')
    await land(writer, lake, DAILY_BARS, [], silent)
    const files = (await loadSnapshot(lake)).files('daily_bars')
    names.push(files.map(({ name }) => name))
    if (threads > 1) continue
    expect(files.map(({ rows }) => rows)).toEqual([102_400, 102_400, 55_200])
    for (const [index, file] of files.entries()) {
      const [inFile] = await writer.rows(
        `SELECT count(DISTINCT row_group_id)::INT AS groups, max(row_group_num_rows)::INT AS most
         FROM parquet_metadata('${file.path}')`,
      )
      expect(inFile).toEqual({ groups: Math.ceil(file.rows / 10_240), most: 10_240 })
      const [disorder] = await writer.rows(
        `SELECT count(*) AS wrong FROM (
           SELECT (ticker, date) < lag((ticker, date)) OVER (ORDER BY file_row_number) AS wrong
           FROM read_parquet('${file.path}', file_row_number = true, hive_partitioning = false)) WHERE wrong`,
      )
      expect(disorder).toEqual({ wrong: '0' })
      const former = files[index - 1]?.ranges.ticker?.[1] ?? ''
      expect((file.ranges.ticker?.[0] ?? '') >= former).toBe(true)
    }
  }
  expect(names[1]).toEqual(names[0])
  expect(names[2]).toEqual(names[0])
})

test('texts longer than footers keep are bounded by what they are', async () => {
  const { lake, writer } = await emptyLake()
  const long = 'Z'.repeat(1000)
  await landDays(writer, lake, [day(long, '2024-01-02')])
  const select = async (ticker: string) =>
    (await loadSnapshot(lake)).files('daily_bars', { keys: { ticker: [ticker] } }).length
  expect([await select(long), await select(`${long}A`), await select(long.slice(1))]).toEqual([1, 0, 0])
})

test('rows that no partition can hold are rejected, and nothing is published', async () => {
  const { lake, writer } = await emptyLake()
  await landDays(writer, lake, [day('A', '2024-01-02')])
  for (const [column, value, problem] of [
    ['ticker', 'NULL', /daily_bars\.ticker is NULL in 1 rows/],
    ['date', 'NULL', /daily_bars\.date is NULL in 1 rows/],
    ['date', "DATE '12024-01-02'", /the year of 12024-01-02 does not have four digits/],
  ] as const) {
    await landDays(writer, lake, [day('A', '2024-01-02')])
    await writer.run(
      `CREATE OR REPLACE TEMP TABLE incoming AS SELECT * REPLACE (${value} AS ${column}) FROM incoming`,
    )
    await expect(land(writer, lake, DAILY_BARS, [], silent)).rejects.toMatchObject({
      code: 'input_refused',
      message: expect.stringMatching(problem),
    })
  }
  expect((await loadSnapshot(lake)).number).toBe(1)
})

test('no rows make no snapshot and no lake', async () => {
  const { lake, writer } = await emptyLake()
  expect(await landDays(writer, lake, [])).toEqual({ snapshot: 0, published: false, rows: 0, partitions: [] })
  expect(existsSync(join(lake, 'CURRENT'))).toBe(false)
})

test('a file in place of the lake or one of its folders is rejected in one line', async () => {
  const { lake, writer } = await emptyLake()
  writeFileSync(lake, '')
  const refusal = { code: 'lake_write', message: expect.stringMatching(/is not a folder; move it away$/) }
  await expect(landDays(writer, lake, [day('A', '2024-01-02')])).rejects.toMatchObject(refusal)
  const other = `${lake}-2`
  mkdirSync(other)
  const second = await writerForTest(other)
  writeFileSync(join(other, 'daily_bars'), '')
  await expect(landDays(second, other, [day('A', '2024-01-02')])).rejects.toMatchObject(refusal)
  expect(readdirSync(other)).toEqual(['daily_bars', 'manifests', 'snapshots', 'superseded'])
  expect(readdirSync(join(other, 'snapshots'))).toEqual([])
})

test('a damaged file under the name of its content is replaced by one that is right', async () => {
  const { lake, writer } = await emptyLake()
  await landDays(writer, lake, [day('A', '2024-01-02', '1')])
  const [file] = (await loadSnapshot(lake)).files('daily_bars')
  const path = file?.path ?? ''
  const right = readFileSync(path)
  await landDays(writer, lake, [day('A', '2024-01-02', '2')])
  writeFileSync(path, 'damaged')
  await landDays(writer, lake, [day('A', '2024-01-02', '1')])
  const { number, files } = await loadSnapshot(lake)
  expect([number, files('daily_bars')[0]?.path]).toEqual([3, path])
  expect(readFileSync(path).equals(right)).toBe(true)
})
