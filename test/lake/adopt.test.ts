import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../src/engine/writer.ts'
import { adopt } from '../../src/lake/adopt.ts'
import { knownInputs } from '../../src/lake/land.ts'
import { loadSnapshot } from '../../src/lake/snapshot.ts'
import { verify } from '../../src/lake/verify.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { day, landDays, partitionsOf, STOCK_DAYS, silent, storedDays, writerForTest } from './days.ts'
import { writeRowByRow } from './row-by-row.ts'

async function foreignFolder() {
  const folder = join(folderForTest(), 'foreign')
  mkdirSync(folder)
  return { folder, writer: await writerForTest(folder) }
}

const CANONICAL = `ticker, date, NULL::DECIMAL(18, 6) AS open, NULL::DECIMAL(18, 6) AS high,
  NULL::DECIMAL(18, 6) AS low, close::DECIMAL(18, 6) AS close, NULL::DECIMAL(18, 6) AS adjusted_close,
  1000::BIGINT AS volume`

/** Writes rows `('A', DATE '2024-01-02', 1), …` with the columns of `select` as a Parquet file. */
async function write(writer: Writer, path: string, values: string, select = CANONICAL, options = '') {
  mkdirSync(dirname(path), { recursive: true })
  await writer.run(
    `COPY (SELECT ${select} FROM (VALUES ${values}) AS t(ticker, date, close)) TO '${path}' (FORMAT parquet${options})`,
  )
}

const everything = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.parquet'))
      .map(name => [name, readFileSync(join(folder, name), 'base64')]),
  )

test('files in the canonical columns are served where they stand, whatever their layout', async () => {
  const { folder, writer } = await foreignFolder()
  const place = join(folder, 'stock_days')
  await write(
    writer,
    join(place, 'a/part-0.parquet'),
    "('A', DATE '2024-01-02', 1), ('B', DATE '2024-01-02', 2)",
  )
  await write(writer, join(place, 'b.parquet'), "('A', DATE '2024-02-01', 3), ('A', DATE '2024-02-20', 4)")
  await write(writer, join(place, 'c.parquet'), "('A', DATE '2023-01-03', 5), ('A', DATE '2023-06-01', 6)")
  await write(writer, join(place, 'd.parquet'), "('A', DATE '2021-01-04', 7), ('A', DATE '2022-06-01', 8)")
  await write(writer, join(place, 'e.parquet'), "('A', DATE '2020-01-02', 7), ('Z', DATE '2022-01-03', 8)")
  writeFileSync(join(place, '_SUCCESS'), '')
  const before = everything(folder)
  const adoption = await adopt(writer, folder, {}, silent)
  expect(adoption).toEqual({
    snapshot: 1,
    adopted: ['a/part-0', 'b', 'c', 'd', 'e'].map(name => `stock_days/${name}.parquet`),
    rewritten: [],
    ignored: [],
    rows: 10,
  })
  expect(everything(folder)).toEqual(before)
  const snapshot = await loadSnapshot(folder)
  expect(
    snapshot.files('stock_days').map(({ name, dates, ranges }) => [name.slice(11), ...dates, ranges.ticker]),
  ).toEqual([
    ['e.parquet', '2020-01-02', '2022-01-03', ['A', 'Z']],
    ['d.parquet', '2021-01-04', '2022-06-01', ['A', 'A']],
    ['c.parquet', '2023-01-03', '2023-06-01', ['A', 'A']],
    ['a/part-0.parquet', '2024-01-02', '2024-01-02', ['A', 'B']],
    ['b.parquet', '2024-02-01', '2024-02-20', ['A', 'A']],
  ])
  const record = JSON.parse(readFileSync(join(folder, 'snapshots/1.json'), 'utf8'))
  expect(Object.keys(record.datasets.stock_days.partitions).toSorted()).toEqual([
    'all',
    'date=2024-01-02',
    'month=2024-02',
    'year=2023',
  ])
  expect((await storedDays(writer, folder)).length).toBe(10)
  expect((await verify(writer, folder, silent)).problems).toEqual([])
  expect((await knownInputs(folder, STOCK_DAYS)).size).toBe(5)
})

test('rows that are imported later replace adopted ones, those of the catch-all too', async () => {
  const { folder, writer } = await foreignFolder()
  await write(
    writer,
    join(folder, 'stock_days/a.parquet'),
    "('A', DATE '2022-01-03', 1), ('A', DATE '2023-06-01', 2)",
  )
  await write(
    writer,
    join(folder, 'stock_days/b.parquet'),
    "('A', DATE '2023-05-31', 3), ('B', DATE '2023-05-31', 4)",
  )
  await adopt(writer, folder, {}, silent)
  const before = everything(folder)
  await landDays(writer, folder, [day('A', '2023-05-31', '9'), day('A', '2023-06-02', '8')])
  expect(await storedDays(writer, folder)).toEqual([
    'A 2022-01-03 1',
    'A 2023-05-31 9',
    'A 2023-06-01 2',
    'A 2023-06-02 8',
    'B 2023-05-31 4',
  ])
  expect(await partitionsOf(folder)).toEqual(['all', 'date=2023-06-02'])
  expect([...everything(folder)].filter(([name]) => before.has(name))).toEqual([...before])
})

test('a hive layout whose dates stand only in folder names is rewritten with them', async () => {
  const { folder, writer } = await foreignFolder()
  const place = join(folder, 'stock_days')
  mkdirSync(place)
  await writer.run(
    `COPY (SELECT ${CANONICAL} FROM (VALUES ('A', DATE '2024-01-02', 1), ('B', DATE '2024-01-02', 2), ('A', DATE '2024-01-03', 3)) AS t(ticker, date, close))
     TO '${place}' (FORMAT parquet, PARTITION_BY (date, ticker), OVERWRITE_OR_IGNORE)`,
  )
  const adoption = await adopt(writer, folder, {}, silent)
  expect(adoption.rewritten).toEqual([
    'stock_days/date=2024-01-02/ticker=A/data_0.parquet',
    'stock_days/date=2024-01-02/ticker=B/data_0.parquet',
    'stock_days/date=2024-01-03/ticker=A/data_0.parquet',
  ])
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 3', 'B 2024-01-02 2'])
  expect(await partitionsOf(folder)).toEqual(['date=2024-01-02', 'date=2024-01-03'])
  expect((await verify(writer, folder, silent)).problems).toEqual([])
})

test("a folder's name never overrides a date that the file holds", async () => {
  const { folder, writer } = await foreignFolder()
  await write(writer, join(folder, 'stock_days/date=1999-01-04/a.parquet'), "('A', DATE '2024-01-02', 1)")
  expect((await adopt(writer, folder, {}, silent)).adopted.length).toBe(1)
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1'])
})

test('files that parquetjs-lite wrote row by row are adopted', async () => {
  const { folder, writer } = await foreignFolder()
  const rows = [
    { ticker: 'AAPL', date: '2024-01-02', close: 185.64, volume: 82_488_700 },
    { ticker: '\uffee', date: '2024-01-02', close: 0.000001, volume: 1 },
    { ticker: '\u{1f600}', date: '2024-01-02', close: 12, volume: null },
    { ticker: 'MSFT', date: '2024-01-03', close: 370.6, volume: 23_083_500 },
  ]
  mkdirSync(join(folder, 'stock_days'))
  await writeRowByRow(join(folder, 'stock_days/rows.parquet'), rows)
  const adoption = await adopt(writer, folder, {}, silent)
  // Its prices are doubles: their values fit, their type does not.
  expect(adoption).toMatchObject({ adopted: [], rewritten: ['stock_days/rows.parquet'], rows: 4 })
  expect(await storedDays(writer, folder)).toEqual([
    'AAPL 2024-01-02 185.64',
    'MSFT 2024-01-03 370.6',
    '\uffee 2024-01-02 0.000001',
    '\u{1f600} 2024-01-02 12',
  ])
  const [file] = (await loadSnapshot(folder)).files('stock_days')
  expect(file?.ranges.ticker).toEqual(['AAPL', '\u{1f600}'])
})

test('key ranges come from the data where a footer does not state them exactly', async () => {
  const { folder, writer } = await foreignFolder()
  const long = 'Z'.repeat(300)
  await write(
    writer,
    join(folder, 'stock_days/long.parquet'),
    `('${long}A', DATE '2024-01-02', 1), ('${long}B', DATE '2024-01-02', 1)`,
  )
  await adopt(writer, folder, {}, silent)
  const [inFooter] = await writer.rows(
    `SELECT min_is_exact, length(stats_min_value)::INT AS kept FROM parquet_metadata('${folder}/stock_days/long.parquet') WHERE path_in_schema = 'ticker'`,
  )
  expect(inFooter).toEqual({ min_is_exact: false, kept: 256 })
  const [file] = (await loadSnapshot(folder)).files('stock_days')
  expect(file?.ranges.ticker).toEqual([`${long}A`, `${long}B`])
})

test('all files of a folder can be said to be of one dataset', async () => {
  const { folder, writer } = await foreignFolder()
  await write(writer, join(folder, 'one.parquet'), "('A', DATE '2024-01-02', 1)")
  await write(writer, join(folder, 'more/two.parquet'), "('B', DATE '2024-01-02', 1)")
  await expect(adopt(writer, folder, { dataset: 'stocks' }, silent)).rejects.toMatchObject({ code: 'usage' })
  const adoption = await adopt(writer, folder, { dataset: 'stock_days' }, silent)
  expect(adoption.adopted).toEqual(['more/two.parquet', 'one.parquet'])
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1', 'B 2024-01-02 1'])
})

test('what is of no known dataset, without a row or hidden is left out and named', async () => {
  const { folder, writer } = await foreignFolder()
  await write(writer, join(folder, 'stock_days/a.parquet'), "('A', DATE '2024-01-02', 1)")
  await writer.run(
    `COPY (SELECT ${CANONICAL} FROM (VALUES ('A', DATE '2024-01-02', 1)) AS t(ticker, date, close) WHERE false) TO '${folder}/stock_days/empty.parquet' (FORMAT parquet)`,
  )
  await write(writer, join(folder, 'weather/a.parquet'), "('A', DATE '2024-01-02', 1)")
  await write(writer, join(folder, 'stock_days/_temporary/a.parquet'), "('A', DATE '2024-01-02', 1)")
  const adoption = await adopt(writer, folder, {}, silent)
  expect(adoption.adopted).toEqual(['stock_days/a.parquet'])
  expect(adoption.ignored.toSorted()).toEqual(['stock_days/empty.parquet', 'weather/a.parquet'])
})

const A_ROW = "('A', DATE '2024-01-02', 1)"
const REFUSED: readonly [string, string, RegExp][] = [
  [
    'a missing column',
    CANONICAL.replace('NULL::DECIMAL(18, 6) AS high,', ''),
    /column high: expected DECIMAL\(18,6\), found none$/,
  ],
  [
    'an unknown column',
    `${CANONICAL}, 1 AS row_number`,
    /column row_number: expected none of that name in stock_days, found INTEGER$/,
  ],
  [
    'a NULL key',
    CANONICAL.replace('ticker', 'NULL::VARCHAR AS ticker'),
    /column ticker: expected a value in every row, found NULL$/,
  ],
  [
    'digits that do not fit',
    CANONICAL.replace('close::DECIMAL(18, 6)', '1.23456789::DOUBLE'),
    /column close: expected DECIMAL\(18,6\), found DOUBLE with 1 values that it cannot hold without loss$/,
  ],
  [
    'a text for a number',
    CANONICAL.replace('1000::BIGINT', "'many'"),
    /column volume: expected BIGINT, found VARCHAR with 1 values/,
  ],
  [
    'a time in a date',
    CANONICAL.replace('date', "TIMESTAMP '2024-01-02 09:30:00' AS date"),
    /column date: expected DATE, found TIMESTAMP with 1 values/,
  ],
]

test.each(REFUSED)('%s is refused with file, column, expected and found', async (_, select, problem) => {
  const { folder, writer } = await foreignFolder()
  await write(writer, join(folder, 'stock_days/good.parquet'), A_ROW)
  await write(writer, join(folder, 'stock_days/wrong.parquet'), A_ROW, select)
  const refusal = await adopt(writer, folder, {}, silent).catch(thrown => thrown)
  expect(refusal).toMatchObject({ code: 'input_refused' })
  expect(refusal.message).toMatch(/^stock_days\/wrong\.parquet: /)
  expect(refusal.message).toMatch(problem)
  expect(readdirSync(folder)).toEqual(['stock_days'])
  expect(readdirSync(join(folder, 'stock_days')).toSorted()).toEqual(['good.parquet', 'wrong.parquet'])
})

test('types and spellings that lose nothing are rewritten', async () => {
  const { folder, writer } = await foreignFolder()
  await write(
    writer,
    join(folder, 'stock_days/a.parquet'),
    "('A', DATE '2024-01-02', 1.5)",
    `ticker AS "Ticker", strftime(date, '%Y-%m-%d') AS "DATE", NULL::FLOAT AS open, NULL::FLOAT AS high,
     NULL::FLOAT AS low, close::DECIMAL(6, 2) AS close, NULL::DOUBLE AS adjusted_close, 1000::INTEGER AS volume`,
  )
  expect((await adopt(writer, folder, {}, silent)).rewritten).toEqual(['stock_days/a.parquet'])
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1.5'])
  expect((await verify(writer, folder, silent)).problems).toEqual([])
})

test('a file that is no Parquet, a link and a pattern are refused by name', async () => {
  const { folder, writer } = await foreignFolder()
  await write(writer, join(folder, 'stock_days/a.parquet'), A_ROW)
  const refusal = (message: RegExp) => ({ code: 'input_refused', message: expect.stringMatching(message) })
  const bytes = readFileSync(join(folder, 'stock_days/a.parquet'))
  writeFileSync(join(folder, 'stock_days/b.parquet'), bytes.subarray(0, 200))
  await expect(adopt(writer, folder, {}, silent)).rejects.toMatchObject(
    refusal(/^stock_days\/b\.parquet cannot be read as Parquet: [^\n]*$/),
  )
  const linked = await foreignFolder()
  mkdirSync(join(linked.folder, 'stock_days'))
  symlinkSync(join(folder, 'stock_days/a.parquet'), join(linked.folder, 'stock_days/a.parquet'))
  await expect(adopt(linked.writer, linked.folder, {}, silent)).rejects.toMatchObject(
    refusal(/is a symbolic link/),
  )
  const folderLink = await foreignFolder()
  symlinkSync(join(folder, 'stock_days'), join(folderLink.folder, 'stock_days'))
  await expect(adopt(folderLink.writer, folderLink.folder, {}, silent)).rejects.toMatchObject(
    refusal(/^stock_days is a symbolic link/),
  )
  const patterned = await foreignFolder()
  await write(patterned.writer, join(patterned.folder, 'stock_days/a.parquet'), A_ROW)
  writeFileSync(join(patterned.folder, 'stock_days/a[1].parquet'), bytes)
  await expect(adopt(patterned.writer, patterned.folder, {}, silent)).rejects.toMatchObject(
    refusal(/rename it/),
  )
})

test('a lake, a folder without Parquet files and no folder at all are refused', async () => {
  const { folder, writer } = await foreignFolder()
  const refusal = (message: RegExp) => ({ code: 'input_refused', message: expect.stringMatching(message) })
  await expect(adopt(writer, folder, {}, silent)).rejects.toMatchObject(
    refusal(/no Parquet files in <dataset>/),
  )
  await expect(adopt(writer, join(folder, 'none'), {}, silent)).rejects.toMatchObject(
    refusal(/cannot be read/),
  )
  expect(readdirSync(folder)).toEqual([])
  await landDays(writer, folder, [day('A', '2024-01-02')])
  await expect(adopt(writer, folder, {}, silent)).rejects.toMatchObject(
    refusal(/is a lake already: add to it with "tapehouse import"/),
  )
})
