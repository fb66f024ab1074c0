import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adopt } from '../../../src/lake/adopt/adopt.ts'
import { knownInputs } from '../../../src/lake/land/land.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { writeRowByRow } from '../import/row-by-row.ts'
import { DAILY_BARS, day, landDays, partitionsOf, silent, storedDays } from '../store/days.ts'
import { CANONICAL, foreignFolder, writeForeign } from './foreign.ts'

const everything = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.parquet'))
      .map(name => [name, readFileSync(join(folder, name), 'base64')]),
  )

test('files with the canonical columns are served in place, whatever their layout', async () => {
  const { folder, writer } = await foreignFolder()
  const place = join(folder, 'daily_bars')
  await writeForeign(
    writer,
    join(place, 'a/part-0.parquet'),
    "('A', DATE '2024-01-02', 1), ('B', DATE '2024-01-02', 2)",
  )
  await writeForeign(
    writer,
    join(place, 'b.parquet'),
    "('A', DATE '2024-02-01', 3), ('A', DATE '2024-02-20', 4)",
  )
  await writeForeign(
    writer,
    join(place, 'c.parquet'),
    "('A', DATE '2023-01-03', 5), ('A', DATE '2023-06-01', 6)",
  )
  await writeForeign(
    writer,
    join(place, 'd.parquet'),
    "('A', DATE '2021-01-04', 7), ('A', DATE '2022-06-01', 8)",
  )
  await writeForeign(
    writer,
    join(place, 'e.parquet'),
    "('A', DATE '2020-01-02', 7), ('Z', DATE '2022-01-03', 8)",
  )
  writeFileSync(join(place, '_SUCCESS'), '')
  const before = everything(folder)
  const adoption = await adopt(writer, folder, {}, silent)
  const days = [
    '2020-01-02',
    '2021-01-04',
    '2022-01-03',
    '2022-06-01',
    '2023-01-03',
    '2023-06-01',
    '2024-01-02',
    '2024-02-01',
    '2024-02-20',
  ]
  expect(adoption).toEqual({
    snapshot: 1,
    adopted: ['a/part-0', 'b', 'c', 'd', 'e'].map(name => `daily_bars/${name}.parquet`),
    rewritten: [],
    ignored: [],
    rows: 10,
    derived: ['stock_days', 'price_adjustments'].map(dataset => ({ dataset, computed: days, dropped: [] })),
  })
  for (const [name, content] of before) expect(everything(folder).get(name), name).toBe(content)
  const snapshot = await loadSnapshot(folder)
  expect(
    snapshot.files('daily_bars').map(({ name, dates, ranges }) => [name.slice(11), ...dates, ranges.ticker]),
  ).toEqual([
    ['e.parquet', '2020-01-02', '2022-01-03', ['A', 'Z']],
    ['d.parquet', '2021-01-04', '2022-06-01', ['A', 'A']],
    ['c.parquet', '2023-01-03', '2023-06-01', ['A', 'A']],
    ['a/part-0.parquet', '2024-01-02', '2024-01-02', ['A', 'B']],
    ['b.parquet', '2024-02-01', '2024-02-20', ['A', 'A']],
  ])
  const record = JSON.parse(readFileSync(join(folder, 'snapshots/1.json'), 'utf8'))
  expect(Object.keys(record.datasets.daily_bars.partitions).toSorted()).toEqual([
    '2023',
    '2024-01-02',
    '2024-02',
    'all',
  ])
  expect((await storedDays(writer, folder)).length).toBe(10)
  expect((await verify(writer, folder, silent)).problems).toEqual([])
  expect((await knownInputs(folder, DAILY_BARS)).size).toBe(5)
})

test('rows that are imported later replace adopted ones, those of the catch-all too', async () => {
  const { folder, writer } = await foreignFolder()
  await writeForeign(
    writer,
    join(folder, 'daily_bars/a.parquet'),
    "('A', DATE '2022-01-03', 1), ('A', DATE '2023-06-01', 2)",
  )
  await writeForeign(
    writer,
    join(folder, 'daily_bars/b.parquet'),
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
  expect(await partitionsOf(folder)).toEqual(['2023-06-02', 'all'])
  // Files of the folder that were replaced are out of the way, as they were.
  const after = everything(folder)
  for (const name of ['a', 'b'].map(each => `daily_bars/${each}.parquet`))
    expect([after.get(name), after.get(`superseded/${name}`)]).toEqual([undefined, before.get(name)])
})

test('a Hive layout with dates only in folder names is rewritten with a date column', async () => {
  const { folder, writer } = await foreignFolder()
  const place = join(folder, 'daily_bars')
  mkdirSync(place)
  await writer.run(
    `COPY (SELECT ${CANONICAL} FROM (VALUES ('A', DATE '2024-01-02', 1), ('B', DATE '2024-01-02', 2), ('A', DATE '2024-01-03', 3)) AS t(ticker, date, close))
     TO '${place}' (FORMAT parquet, PARTITION_BY (date, ticker), OVERWRITE_OR_IGNORE)`,
  )
  const adoption = await adopt(writer, folder, {}, silent)
  expect(adoption.rewritten).toEqual([
    'daily_bars/date=2024-01-02/ticker=A/data_0.parquet',
    'daily_bars/date=2024-01-02/ticker=B/data_0.parquet',
    'daily_bars/date=2024-01-03/ticker=A/data_0.parquet',
  ])
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 3', 'B 2024-01-02 2'])
  expect(await partitionsOf(folder)).toEqual(['2024-01-02', '2024-01-03'])
  expect((await verify(writer, folder, silent)).problems).toEqual([])
})

test("a folder's name never overrides a date that the file holds", async () => {
  const { folder, writer } = await foreignFolder()
  await writeForeign(
    writer,
    join(folder, 'daily_bars/date=1999-01-04/a.parquet'),
    "('A', DATE '2024-01-02', 1)",
  )
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
  mkdirSync(join(folder, 'daily_bars'))
  await writeRowByRow(join(folder, 'daily_bars/rows.parquet'), rows)
  const adoption = await adopt(writer, folder, {}, silent)
  // Its prices are doubles: their values fit, their type does not.
  expect(adoption).toMatchObject({ adopted: [], rewritten: ['daily_bars/rows.parquet'], rows: 4 })
  expect(await storedDays(writer, folder)).toEqual([
    'AAPL 2024-01-02 185.64',
    'MSFT 2024-01-03 370.6',
    '\uffee 2024-01-02 0.000001',
    '\u{1f600} 2024-01-02 12',
  ])
  const [file] = (await loadSnapshot(folder)).files('daily_bars')
  expect(file?.ranges.ticker).toEqual(['AAPL', '\u{1f600}'])
})

test('key ranges come from the data where a footer does not state them exactly', async () => {
  const { folder, writer } = await foreignFolder()
  const long = 'Z'.repeat(300)
  await writeForeign(
    writer,
    join(folder, 'daily_bars/long.parquet'),
    `('${long}A', DATE '2024-01-02', 1), ('${long}B', DATE '2024-01-02', 1)`,
  )
  await adopt(writer, folder, {}, silent)
  const [inFooter] = await writer.rows(
    `SELECT min_is_exact, length(stats_min_value)::INT AS kept FROM parquet_metadata('${folder}/daily_bars/long.parquet') WHERE path_in_schema = 'ticker'`,
  )
  expect(inFooter).toEqual({ min_is_exact: false, kept: 256 })
  const [file] = (await loadSnapshot(folder)).files('daily_bars')
  expect(file?.ranges.ticker).toEqual([`${long}A`, `${long}B`])
})

test('one dataset can be specified for all files of a folder', async () => {
  const { folder, writer } = await foreignFolder()
  await writeForeign(writer, join(folder, 'one.parquet'), "('A', DATE '2024-01-02', 1)")
  await writeForeign(writer, join(folder, 'more/two.parquet'), "('B', DATE '2024-01-02', 1)")
  await expect(adopt(writer, folder, { dataset: 'stocks' }, silent)).rejects.toMatchObject({ code: 'usage' })
  const adoption = await adopt(writer, folder, { dataset: 'daily_bars' }, silent)
  expect(adoption.adopted).toEqual(['more/two.parquet', 'one.parquet'])
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1', 'B 2024-01-02 1'])
})

test('files of an unknown dataset, without rows or hidden are skipped and reported', async () => {
  const { folder, writer } = await foreignFolder()
  await writeForeign(writer, join(folder, 'daily_bars/a.parquet'), "('A', DATE '2024-01-02', 1)")
  await writer.run(
    `COPY (SELECT ${CANONICAL} FROM (VALUES ('A', DATE '2024-01-02', 1)) AS t(ticker, date, close) WHERE false) TO '${folder}/daily_bars/empty.parquet' (FORMAT parquet)`,
  )
  await writeForeign(writer, join(folder, 'weather/a.parquet'), "('A', DATE '2024-01-02', 1)")
  await writeForeign(writer, join(folder, 'daily_bars/_temporary/a.parquet'), "('A', DATE '2024-01-02', 1)")
  const adoption = await adopt(writer, folder, {}, silent)
  expect(adoption.adopted).toEqual(['daily_bars/a.parquet'])
  expect(adoption.ignored.toSorted()).toEqual(['daily_bars/empty.parquet', 'weather/a.parquet'])
})

test('types and spellings that lose nothing are rewritten', async () => {
  const { folder, writer } = await foreignFolder()
  await writeForeign(
    writer,
    join(folder, 'daily_bars/a.parquet'),
    "('A', DATE '2024-01-02', 1.5)",
    `ticker AS "Ticker", strftime(date, '%Y-%m-%d') AS "DATE", NULL::FLOAT AS open, NULL::FLOAT AS high,
     NULL::FLOAT AS low, close::DECIMAL(6, 2) AS close, NULL::DOUBLE AS adjusted_close, 1000::INTEGER AS volume`,
  )
  expect((await adopt(writer, folder, {}, silent)).rewritten).toEqual(['daily_bars/a.parquet'])
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1.5'])
  expect((await verify(writer, folder, silent)).problems).toEqual([])
})

test('a spelling or a folder name alone is reason enough to rewrite a file', async () => {
  const { folder, writer } = await foreignFolder()
  const spelled = CANONICAL.replace('ticker', 'ticker AS "Ticker"')
  await writeForeign(
    writer,
    join(folder, 'daily_bars/spelled.parquet'),
    "('A', DATE '2024-01-02', 1)",
    spelled,
  )
  const nameless = CANONICAL.replace('ticker,', '')
  const inFolder = join(folder, 'daily_bars/ticker=B%2FC/part.parquet')
  await writeForeign(writer, inFolder, "('', DATE '2024-01-03', 2)", nameless)
  expect((await adopt(writer, folder, {}, silent)).rewritten).toEqual([
    'daily_bars/spelled.parquet',
    'daily_bars/ticker=B%2FC/part.parquet',
  ])
  expect(await storedDays(writer, folder)).toEqual(['A 2024-01-02 1', 'B/C 2024-01-03 2'])
})

test('columns that are computed from the others need not be in a file, which is then rewritten with them', async () => {
  const { folder, writer } = await foreignFolder()
  const { columns, computed } = dataset('flow_alerts')
  const known: Readonly<Record<string, string>> = {
    date: `DATE '2024-01-03'`,
    type: `'put'`,
    total_premium: '400',
    total_ask_side_prem: '100',
    total_bid_side_prem: '300',
  }
  const zero = (type: string) => (type.endsWith('[]') ? '[]' : /DATE|TIME/.test(type) ? `'2024-01-05'` : '0')
  const values = columns
    .filter(({ name }) => !computed?.names.includes(name))
    .map(({ name, type, nullable }) => {
      const value = known[name] ?? (nullable ? 'NULL' : type === 'UUID' ? 'uuid()' : zero(type))
      return `CAST(${value} AS ${type}) AS ${name}`
    })
  await writer.run(
    `COPY (SELECT ${values.join(', ')}) TO '${join(folder, 'alerts.parquet')}' (FORMAT parquet)`,
  )
  const { rewritten } = await adopt(writer, folder, { dataset: 'flow_alerts' }, silent)
  expect(rewritten).toEqual(['alerts.parquet'])
  const [file] = (await loadSnapshot(folder)).files('flow_alerts')
  expect(
    await writer.rows(`SELECT ask_perc, bull_perc, leading_side, spread FROM read_parquet('${file?.path}')`),
  ).toEqual([{ ask_perc: '0.2500000000', bull_perc: '0.7500000000', leading_side: 'bid', spread: null }])
})
