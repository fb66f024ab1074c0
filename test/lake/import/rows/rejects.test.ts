import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWriter } from '../../../../src/engine/writer.ts'
import { importFormat } from '../../../../src/lake/import/format/formats.ts'
import { readHeader } from '../../../../src/lake/import/rows/header.ts'
import { takeChunk } from '../../../../src/lake/import/rows/raw.ts'
import { createTables } from '../../../../src/lake/import/rows/tables.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { DAYS, goodDay, importing } from '../importing.ts'

test('what the CSV reader itself turns away is a reject, and what it loses is a defect', async () => {
  const folder = folderForTest()
  const writer = await openWriter({ directories: [folder] })
  onTestFinished(() => writer.close())
  const format = importFormat('daily-bars')
  const [source] = format.sources
  if (source === undefined) throw new Error('no source')
  const header = readHeader('a.csv', DAYS, source, '')
  const reading = { writer, format, options: {}, isStrict: false, mapped: () => {}, today: '2024-02-01' }
  const path = join(folder, 'chunk.csv')
  writeFileSync(path, `3,${goodDay('A')}\n5,2024-01-02,1\n7,${goodDay('A')},x,y\n`)
  await createTables(writer, format, folder)
  await takeChunk(reading, source, 0, header, { path, records: 3 })
  expect(await writer.rows('SELECT line, reason, value FROM import_rejects ORDER BY line')).toEqual([
    { line: '5', reason: 'missing columns', value: '2024-01-02,1' },
    { line: '7', reason: 'too many columns', value: `${goodDay('A')},x,y` },
  ])
  expect(
    await writer.rows('SELECT count(*)::VARCHAR AS number FROM import_rows.accepted_daily_bars'),
  ).toEqual([{ number: '1' }])
  await expect(takeChunk(reading, source, 0, header, { path, records: 4 })).rejects.toThrow(
    'the CSV reader read or rejected 3 of 4 records',
  )
})

describe('rows that no CSV reader can read', () => {
  test('are rejects with their true line, each once, and swallow no other row', async () => {
    const run = importing()
    const lines = [
      DAYS,
      goodDay('A', '2024-01-02'),
      '2024-01-03,1,2',
      '2024-01-03,1,2,1,1.5,10,A,extra',
      `"2024-01-04,1,2,1,1.5,10,A`,
      goodDay('A', '2024-01-05'),
      '',
      `2024-01-08,1,2,1,1.5,10,"A`,
      `B"`,
      `2024-01-08,"1",2,1,1.5,10,"A`,
      '2024-01-09,1,2,1,1.5,10,"A"',
      '2024-01-10,1,2,1,1.5,10,\xff\xfeA',
      '2024-01-10,1\r2,"',
      '2024-01-10,1\r2\0',
      ...['11', '12', '16', '17', '18', '19'].map(day => goodDay('A', `2024-01-${day}`)),
    ]
    const path = run.file('a.csv', Buffer.from(lines.join('\r\n'), 'latin1'))
    const report = await run.import([path])
    expect(run.rejects()).toEqual([
      ['file', 'line', 'column', 'reason', 'value'],
      [path, '3', '', 'too few fields', '2024-01-03,1,2'],
      [path, '4', '', 'too many fields', '2024-01-03,1,2,1,1.5,10,A,extra'],
      [path, '5', '', 'broken quotes', '"2024-01-04,1,2,1,1.5,10,A'],
      [path, '8', 'ticker', 'not a ticker', 'A\r\nB'],
      [path, '10', '', 'broken quotes', '2024-01-08,"1",2,1,1.5,10,"A'],
      [path, '12', '', 'not UTF-8', '2024-01-10,1,2,1,1.5,10,\ufffd\ufffdA'],
      [path, '13', '', 'broken quotes', '2024-01-10,1\r2,"'],
      [path, '14', '', 'binary', '2024-01-10,1\r2\ufffd'],
    ])
    expect(report).toMatchObject({ rows: 9, rejected: 8 })
    expect(await run.rows('SELECT day(date) FROM bars ORDER BY date')).toEqual([
      '2',
      '5',
      '9',
      '11',
      '12',
      '16',
      '17',
      '18',
      '19',
    ])
  })

  test('have their true line in 200,000 lines that several threads read in several pieces', {
    tags: 'slow',
  }, async () => {
    const run = importing()
    // 40 MB: more than the import hands over at once, and than one thread of DuckDB reads alone.
    const note = 'n'.repeat(170)
    const lines = [`${DAYS},Note`]
    const expected: string[] = []
    let blank = 0
    while (lines.length < 200_000) {
      const row = lines.length
      const reject = (reason: string) => expected.push(`${row + 1},${reason}`)
      const day = new Date(Date.UTC(2020, 0, 1) + (row % 1000) * 86_400_000).toISOString().slice(0, 10)
      const ticker = `T${Math.floor(row / 1000)}`
      if (row % 997 === 0) {
        reject('too few fields')
        lines.push(`${day},1,2,${note}`)
      } else if (row % 1009 === 0) {
        reject('not a plain decimal number')
        lines.push(`${day},1,2,1,x,10,${ticker},${note}`)
      } else if (row % 1013 === 0) {
        reject('broken quotes')
        lines.push(`${day},1,2,1,"1.5,10,${ticker},${note}`)
      } else if (row % 1019 === 0) {
        reject('not a ticker')
        lines.push(`${day},1,2,1,1.5,10,"${ticker}`, '', `",${note}`)
        blank += 2
      } else if (row % 1021 === 0) {
        lines.push('')
        blank += 1
      } else if (row % 7 === 0) lines.push(`${goodDay(`"${ticker}"`, day)},"${note}"`)
      else lines.push(`${goodDay(ticker, day)},${note}`)
    }
    const report = await run.import([run.file('a.csv', lines)], { threads: 4 })
    const rejects = run.rejects().slice(1)
    expect(rejects.map(([, line, , reason]) => `${line},${reason}`)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(700)
    expect(report).toMatchObject({
      rejected: expected.length,
      rows: lines.length - 1 - blank - expected.length,
    })
  })
})

test('the rejects file is well-formed whatever the values and the file name are', async () => {
  const run = importing()
  const values = [
    "=cmd|' /C calc'!A0",
    '"a"",b"',
    '"line\nend"',
    'a\tb',
    "'; DROP TABLE x; --",
    'é😀',
    `${'x'.repeat(500)}`,
  ]
  const rows = values.map((value, index) => `2024-01-0${index + 1},1,2,1,${value},10,A`)
  const good = values.map((_, index) => goodDay('A', `2024-02-0${index + 1}`))
  const path = run.file(`a, "b"; 'c'.csv`, [DAYS, ...good, ...rows])
  const report = await run.import([path])
  expect(report.rejectsFile).toMatch(/^.*\/lake\/rejects\/daily-bars-[0-9a-f]{12}\.csv$/)
  expect(run.rejects().slice(1)).toEqual(
    ["=cmd|' /C calc'!A0", 'a",b', 'line\nend', 'a\tb', "'; DROP TABLE x; --", 'é😀', 'x'.repeat(200)].map(
      (value, index) => [
        path,
        String(index < 3 ? index + 9 : index + 10),
        'close',
        'not a plain decimal number',
        value,
      ],
    ),
  )
})

test('line ends within quotes do not decide how lines end', async () => {
  const run = importing()
  const note = (day: string, text: string) => `${goodDay('A', day)},"${text}"`
  const lines = [
    `${DAYS},Note`,
    note('2024-01-02', 'a\r\nb\r\n'),
    note('2024-01-03', 'a\rb'),
    note('2024-01-04', '\n\n'),
    'x',
  ]
  expect(await run.import([run.file('a.csv', lines)])).toMatchObject({ rows: 3, rejected: 1 })
  expect(run.rejects()[1]?.[1]).toBe('9')
})

test('rejects of several files are in one file, in the order of the files', async () => {
  const run = importing()
  const b = run.file('b.csv', [DAYS, goodDay('B'), goodDay('B'), 'x'])
  const a = run.file('a.csv', [DAYS, goodDay('A'), 'x', 'y', goodDay('A'), goodDay('A')])
  expect(await run.import([b, a])).toMatchObject({ rejected: 3, rows: 2 })
  expect(
    run
      .rejects()
      .slice(1)
      .map(row => row.slice(0, 2)),
  ).toEqual([
    [b, '4'],
    [a, '3'],
    [a, '4'],
  ])
})

describe('a file of which more than half the rows are wrong', () => {
  const half = [DAYS, goodDay('A', '2024-01-02'), goodDay('A', '2024-01-03'), '1,2', '1,2,1,1.5,1,1,1']

  test('is not one with exactly half', async () => {
    const run = importing()
    expect(await run.import([run.file('a.csv', half)])).toMatchObject({ rows: 2, rejected: 2 })
  })

  test('is rejected with all others and three examples, and creates no lake', async () => {
    const run = importing()
    const good = run.file('good.csv', [DAYS, goodDay('B')])
    const bad = run.file('bad.csv', [...half, '1,2', goodDay('A', '2024-01-04'), '1,2', '1,2'])
    expect(await run.refusal([good, bad], { isAllOrNothing: true })).toBe(
      `input_refused: nothing was imported: 5 of 8 rows of ${bad} are invalid, most often too few fields (4 of them); line 4: too few fields "1,2"; line 5: ticker: not a ticker "1"; line 6: too few fields "1,2"`,
    )
    expect(existsSync(run.lake)).toBe(false)
  })

  test('has its rejects listed where there is a lake', async () => {
    const run = importing()
    await run.import([run.file('good.csv', [DAYS, goodDay('B')])])
    const message = await run.refusal([run.file('bad.csv', [...half, '1,2\0\u001b[31m'])])
    expect(message).toMatch(
      /^input_refused: nothing was imported: 3 of 5 rows of .*bad\.csv are invalid, most often .* \(1 of them\); all are in .*\/lake\/rejects\/daily-bars-[0-9a-f]{12}\.csv$/,
    )
    expect(run.rejects().length).toBe(4)
    expect(await run.rows('SELECT ticker FROM bars')).toEqual(['B'])
  })
})
