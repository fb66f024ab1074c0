import { join } from 'node:path'
import { expect, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import { withDraft } from '../../../src/lake/land/draft.ts'
import { landMade } from '../../../src/lake/land/land.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { type InOrder, writeMade } from '../../../src/lake/store/made-files.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { DAILY_BARS, land, makeHistory, silent, writerForTest } from './days.ts'

const DAY = '2024-01-02'

/** A lake and `count` tickers in their order, of which rows of one day are made by `select`. */
async function tickers(count: number, threads = 1) {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake, { threads })
  await writer.run(
    `CREATE TABLE tape AS SELECT printf('%06d', i) AS ticker, DATE '${DAY}' AS date FROM range(${count}) AS r (i)`,
  )
  const made = (select: string): InOrder => ({ table: 'tape', select, bindings: {} })
  return { lake, writer, made }
}

/** Bars whose close is their position. */
const BARS = `SELECT ticker, date, 1 AS open, 1 AS high, 1 AS low, ticker::INTEGER::DECIMAL(18, 6) AS close,
  NULL::DECIMAL(18, 6) AS adjusted_close, 7::BIGINT AS volume FROM tape`
const TYPED = `SELECT ticker, date, open::DECIMAL(18, 6) AS open, high::DECIMAL(18, 6) AS high,
  low::DECIMAL(18, 6) AS low, close, adjusted_close, volume FROM (${BARS})`

test.each([
  ['in order', TYPED, 1],
  ['in order, by several threads', TYPED, 4],
  ['the other way round', `${TYPED} ORDER BY ticker DESC`, 1],
  ['as a join leaves them', `FROM (${TYPED}) ORDER BY hash(ticker)`, 2],
])('rows that are computed %s are in order in one file', async (_, select, threads) => {
  const { lake, writer, made } = await tickers(30_000, threads)
  await withDraft(writer, lake, silent, async draft => {
    const portion = await writeMade(writer, draft.base.staging, DAILY_BARS, DAY, made(select))
    expect(portion.blanks).toBe(0)
    expect(await landMade(draft, DAILY_BARS, DAY, [portion])).toBe(30_000)
    await draft.publish()
  })
  const [file] = (await loadSnapshot(lake)).files('daily_bars')
  expect(file).toMatchObject({
    rows: 30_000,
    dates: [DAY, DAY],
    ranges: { ticker: ['000000', '029999'] },
  })
  expect(
    await writer.rows(
      `SELECT count(*)::INTEGER AS stored, count(*) FILTER (close <> file_row_number)::INTEGER AS astray
       FROM read_parquet($file, file_row_number = true, hive_partitioning = false)`,
      { file: files([file?.path ?? '']) },
    ),
  ).toEqual([{ stored: 30_000, astray: 0 }])
  expect((await verify(writer, lake, silent)).problems).toEqual([])
})

test('rows that are more than a file holds make several, in order', async () => {
  const { lake, writer, made } = await tickers(102_401)
  await withDraft(writer, lake, silent, async draft => {
    const portion = await writeMade(writer, draft.base.staging, DAILY_BARS, DAY, made(TYPED))
    await landMade(draft, DAILY_BARS, DAY, [portion])
    await draft.publish()
  })
  const stored = (await loadSnapshot(lake)).files('daily_bars')
  expect(stored.map(({ rows, ranges }) => [rows, ranges.ticker])).toEqual([
    [102_400, ['000000', '102399']],
    [1, ['102400', '102400']],
  ])
  expect((await verify(writer, lake, silent)).problems).toEqual([])
})

test('several portions make up one partition', async () => {
  const { lake, writer, made } = await tickers(300)
  await withDraft(writer, lake, silent, async draft => {
    const portions = []
    for (const from of [0, 100, 200]) {
      await writer.run(
        `CREATE OR REPLACE TABLE part AS FROM tape WHERE rowid BETWEEN ${from} AND ${from + 99}`,
      )
      const rows = { ...made(TYPED.replaceAll('tape', 'part')), table: 'part' }
      portions.push(await writeMade(writer, draft.base.staging, DAILY_BARS, DAY, rows))
    }
    await landMade(draft, DAILY_BARS, DAY, portions)
    await draft.publish()
  })
  expect((await loadSnapshot(lake)).files('daily_bars').map(({ rows }) => rows)).toEqual([100, 100, 100])
  expect((await verify(writer, lake, silent)).problems).toEqual([])
})

test('rows that get lost while they are made, or lack a required value, are not landed', async () => {
  const { lake, writer, made } = await tickers(300)
  await withDraft(writer, lake, silent, async draft => {
    const write = (select: string) => writeMade(writer, draft.base.staging, DAILY_BARS, DAY, made(select))
    await expect(write(`${TYPED} WHERE ticker <> '000007'`)).rejects.toThrow('299 rows were made of 300')
    const blank = await write(`SELECT * REPLACE (nullif(date, DATE '${DAY}') AS date) FROM (${TYPED})`)
    expect(blank.blanks).toBe(300)
    await expect(landMade(draft, DAILY_BARS, DAY, [blank])).rejects.toMatchObject({
      code: 'input_refused',
    })
    expect(draft.changed()).toBe(false)
  })
})

test('several new partitions have the same bytes whatever the number of threads', async () => {
  const names: string[][] = []
  for (const threads of [1, 2, 4]) {
    const lake = join(folderForTest(), 'lake')
    const writer = await writerForTest(lake, { threads })
    // 19 sessions and 23: the second month begins within a vector of the first one's last rows. Both months together
    // are more than a file holds, each by itself is not.
    await makeHistory(writer, 3000, '2023-02-01', '2023-03-31')
    await land(writer, lake, DAILY_BARS, [], silent)
    names.push((await loadSnapshot(lake)).files('daily_bars').map(({ name }) => name))
  }
  expect(names[0]?.length).toBe(2)
  expect(names[1]).toEqual(names[0])
  expect(names[2]).toEqual(names[0])
})
