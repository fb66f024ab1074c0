import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { writerForTest } from '../store/days.ts'
import { DAYS, goodDay, importing } from './importing.ts'

/** The files of rejected rows of the only import with rejects, by name. */
function rejectedIn(lake: string) {
  const folder = join(lake, 'rejects')
  const [own = ''] = readdirSync(folder).filter(name => !name.endsWith('.csv'))
  const path = (name: string) => join(folder, own, name)
  return {
    names: readdirSync(join(folder, own)).toSorted(),
    text: (name: string) => readFileSync(path(name), 'utf8'),
    path,
  }
}

const mended = (text: string) => text.replaceAll('oops', '1.5')

test('rejected rows of CSV are files with the header of their source, which import once mended', async () => {
  const run = importing()
  const header = `${DAYS.replaceAll(',', ';')};Extra`
  const bad = '"2024-01-04";1;2;1;oops;10;"B;\nC";"a ""b"""'
  const first = [header, '', '2024-01-02;1;2;1;1.5;10;A;x', '2024-01-03;1;2;1;oops;oops;A;x', bad]
  run.file('first.csv', [...first, ...['D', 'E', 'F'].map(name => `2024-01-02;1;2;1;1.5;10;${name};x`)])
  run.file('second.csv.gz', gzipSync(`${DAYS}\n${goodDay('G')}\n2024-01-05,1,2,1,oops,10,G\n`))
  await run.import([run.folder], { lake: join(run.folder, 'lake') })

  const rejected = rejectedIn(run.lake)
  expect(rejected.names).toEqual(['first.csv', 'second.csv'])
  const lines = rejected.text('first.csv').split('\n')
  expect(lines[0]).toBe(`reject_line;reject_reason;${header}`)
  expect(lines[1]).toMatch(/^4;close: [^;]+;2024-01-03;1;2;1;oops;oops;A;x$/)
  expect(lines[2]).toMatch(/^5;.*;"2024-01-04";1;2;1;oops;10;"B;$/)
  expect(lines.slice(3)).toEqual(['C";"a ""b"""', ''])
  const [, row] = rejected.text('second.csv').split('\n')
  expect(row).toMatch(/^3,"?close: .*,2024-01-05,1,2,1,oops,10,G$/)

  const before = run.notices().length
  writeFileSync(rejected.path('second.csv'), mended(rejected.text('second.csv')))
  expect(await run.import([rejected.path('second.csv')])).toMatchObject({ rows: 1, rejected: 0 })
  expect(run.notices().slice(before)).toEqual([])
  expect(await run.rows("SELECT date FROM bars WHERE ticker = 'G' ORDER BY date")).toEqual([
    '2024-01-02',
    '2024-01-05',
  ])
})

test('rejected rows of JSON are lines with all members', async () => {
  const run = importing()
  const row = (close: string) =>
    `{"ticker": "A", "date": "2024-01-0${close === 'oops' ? 3 : 2}", "open": 1, "high": 2, "low": 1,\n "close": "${close}", "volume": 10, "extra": {"a": 1}}`
  const path = run.file('days.json', [`[${row('1.5')},`, `${row('oops')}]`])
  await run.import([path], { format: 'ndjson-daily_bars' })
  const rejected = rejectedIn(run.lake)
  const [line, ...rest] = rejected.text('days.json').split('\n')
  expect([JSON.parse(line ?? ''), rest]).toEqual([
    {
      reject_line: 2,
      reject_reason: expect.stringMatching(/^close: /),
      ...JSON.parse(row('oops')),
    },
    [''],
  ])
  writeFileSync(rejected.path('days.json'), mended(rejected.text('days.json')))
  expect(await run.import([rejected.path('days.json')], { format: 'ndjson-daily_bars' })).toMatchObject({
    rows: 1,
    rejected: 0,
  })
})

test('rejected rows of Parquet are CSV with the same columns', async () => {
  const run = importing()
  const writer = await writerForTest(run.folder)
  const path = join(run.folder, 'days.parquet')
  await writer.run(
    `COPY (SELECT 'A' AS ticker, '2024-01-0' || i AS date, 1 AS open, 2 AS high, 1 AS low,
       CASE i WHEN 3 THEN 'oops' ELSE '1.5' END AS close, 10 AS volume FROM range(1, 5) AS days(i))
     TO '${path}' (FORMAT parquet)`,
  )
  await run.import([path], { format: 'parquet-daily_bars' })
  const rejected = rejectedIn(run.lake)
  expect(rejected.names).toEqual(['days.csv'])
  const [header, row, ...rest] = rejected.text('days.csv').split('\n')
  expect(header).toBe('reject_line,reject_reason,ticker,date,open,high,low,close,volume')
  expect(row).toMatch(/^3,"?close: .*,A,2024-01-03,1,2,1,oops,10$/)
  expect(rest).toEqual([''])
  writeFileSync(rejected.path('days.csv'), mended(rejected.text('days.csv')))
  expect(await run.import([rejected.path('days.csv')], { format: 'csv-daily_bars' })).toMatchObject({
    rows: 1,
  })
})

test('rejected rows of JSON in a layout are a document with the same members around them', {
  tags: 'slow',
}, async () => {
  const value = (day: string, close: string) =>
    `{"datetime": "2024-01-${day}", "open": "1", "high": "2", "low": "1", "close": "${close}", "volume": "10"}`
  const twelve = importing()
  const wrapped = twelve.file('time_series.json', [
    `{"meta": {"symbol": "ACME", "interval": "1day"}, "values": [${value('02', '1.5')}, ${value('03', 'oops')}], "status": "ok"}`,
  ])
  const vantage = importing()
  const bar = (day: string, close: string) =>
    `"2024-01-${day}": {"1. open": "1", "2. high": "2", "3. low": "1", "4. close": "${close}", "5. volume": "10"}`
  const keyed = vantage.file('daily.json', [
    `{"Meta Data": {"1. Information": "Daily Prices (open, high, low, close) and Volumes", "2. Symbol": "ACME"}, "Time Series (Daily)": {${bar('02', '1.5')}, ${bar('03', 'oops')}}}`,
  ])
  for (const [run, path, reason] of [
    [twelve, wrapped, { values: [{ reject_line: 2, close: 'oops' }] }],
    [vantage, keyed, { 'Time Series (Daily)': { '2024-01-03': { reject_line: 2, '4. close': 'oops' } } }],
  ] as const) {
    expect(await run.import([path])).toMatchObject({ rows: 1, rejected: 1 })
    const rejected = rejectedIn(run.lake)
    const [name = ''] = rejected.names
    expect(JSON.parse(rejected.text(name))).toMatchObject(reason)
    writeFileSync(rejected.path(name), mended(rejected.text(name)))
    expect(await run.import([rejected.path(name)])).toMatchObject({ rows: 1, rejected: 0 })
    expect(await run.rows("SELECT ticker, strftime(date, '%d') FROM bars ORDER BY date")).toEqual([
      'ACME 02',
      'ACME 03',
    ])
  }
})
