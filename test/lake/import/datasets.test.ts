import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { literal, text } from '../../../src/engine/bind.ts'
import { writerForTest } from '../store/days.ts'
import { importing } from './importing.ts'

const BARS = 'ticker,date,open,high,low,close,volume'
const bar = (ticker: string, day: number, close: number) =>
  `${ticker},2024-01-${String(day).padStart(2, '0')},1,9,1,${close},10`

test('columns are in any order, others are reported, and nullable ones may be missing', async () => {
  const run = importing()
  const path = run.file('a.csv', [' Close ,note,DATE,"ticker"', '1.5,x,2024-01-02,A', '2.5,y,2024-01-03,B'])
  expect(await run.import([path], { format: 'csv-daily_bars' })).toMatchObject({ rows: 2, rejected: 0 })
  expect(await run.rows('SELECT ticker, date, open, close, volume FROM bars ORDER BY ticker')).toEqual([
    'A 2024-01-02 - 1.500000 -',
    'B 2024-01-03 - 2.500000 -',
  ])
  expect(run.notices()).toEqual([`columns of ${path} that are not imported: note`])
})

test('of rows with the same key the last one stays, by files and lines, whichever way each file is read', async () => {
  const run = importing()
  const plain = run.file('plain.csv', [BARS, bar('A', 2, 1), bar('B', 2, 1), bar('A', 2, 2)])
  const dirty = run.file('dirty.csv', [BARS, bar('B', 2, 2), 'x', bar('C', 2, 1), bar('C', 2, 3)])
  const last = run.file('last.csv', [BARS, bar('D', 2, 4), bar('C', 2, 4)])
  const report = await run.import([plain, dirty, last], { format: 'csv-daily_bars' })
  expect(report).toMatchObject({ rows: 4, rejected: 1, faults: [{ fault: 'too few fields', rows: 1 }] })
  expect(run.notices()).toEqual(['4 rows were replaced by later rows with the same key'])
  expect(await run.rows('SELECT ticker, close::INTEGER FROM bars ORDER BY ticker')).toEqual([
    'A 2',
    'B 2',
    'C 4',
    'D 4',
  ])
})

test('the last of equal keys stays in files that several threads read', { tags: 'slow' }, async () => {
  const run = importing()
  // 300,000 lines, 1,000 keys: of each key the last of 300 rows has the close that its line says.
  const lines = Array.from({ length: 300_000 }, (_, line) => bar(`T${line % 1000}`, 2 + (line % 2), line + 1))
  const path = run.file('a.csv', [BARS.replace('high', 'note'), ...lines])
  await run.import([path], { format: 'csv-daily_bars', threads: 4 })
  expect(run.notices()).toContain('299000 rows were replaced by later rows with the same key')
  expect(
    await run.rows(
      `SELECT count(*), count(*) FILTER (close = 299001 + substr(ticker, 2)::INTEGER) FROM bars`,
    ),
  ).toEqual(['1000 1000'])
})

test('the same file again changes nothing, and more than half of wrong rows refuse it', async () => {
  const run = importing()
  const path = run.file('a.ndjson', ['{"ticker":"A","date":"2024-01-02","close":1.5}'])
  const options = { format: 'ndjson-daily_bars' }
  expect(await run.import([path], options)).toMatchObject({ rows: 1, published: true, snapshot: 1 })
  expect(await run.import([path], options)).toMatchObject({ skipped: 1, published: false, snapshot: 1 })
  const bad = run.file('bad.ndjson', ['{"ticker":"A","date":"2024-01-02","close":1.5}', '{}', 'x'])
  expect(await run.refusal([bad], options)).toMatch(/nothing was imported: 2 of 3 rows of .* are invalid/)
  expect(readdirSync(`${run.lake}/snapshots`)).toEqual(['1.json'])
})

test('Parquet is imported row by row where some do not fit', async () => {
  const run = importing()
  const writer = await writerForTest(run.folder)
  const path = `${run.folder}/[a] 'b'.parquet`
  await writer.run(
    `COPY (SELECT 'A' AS ticker, DATE '2024-01-02' + i::INTEGER AS date, if(i = 1, NULL, 1.5)::DECIMAL(18, 6) AS close
     FROM range(3) AS r(i)) TO ${literal(text(path))} (FORMAT parquet)`,
  )
  expect(await run.import([path], { format: 'parquet-daily_bars' })).toMatchObject({ rows: 2, rejected: 1 })
  expect(run.rejects()[1]).toEqual([path, '2', 'close', 'missing', ''])
})

test('the figures that a chain lacks are derived when it is imported', async () => {
  const run = importing()
  const path = run.file('a.csv', [
    'date,underlying_symbol,option_symbol,option_type,strike,expiry,bid,ask,underlying_price,multiplier,settlement',
    '2024-01-03,ACME,ACME240119C00100000,call,100,2024-01-19,2.4,2.6,101,100,PM',
  ])
  const report = await run.import([path], { format: 'csv-option_chain_days' })
  expect(report.rows).toBe(1)
  // A call with 16 days to expiry, a dollar in the money, at 2.50: its delta is between a half and one.
  expect(
    await run.rows(
      'SELECT implied_volatility > 0.1, delta BETWEEN 0.5 AND 0.9 FROM bars',
      'option_greek_days',
    ),
  ).toEqual(['true true'])
})

test('the samples in canonical columns are imported whole', async () => {
  for (const name of readdirSync('data/samples/canonical')) {
    const run = importing()
    const [dataset, kind] = name.split('.')
    const report = await run.import([`data/samples/canonical/${name}`], { format: `${kind}-${dataset}` })
    expect(report, name).toMatchObject({ rejected: 0, published: true })
    expect(report.rows, name).toBeGreaterThan(1)
  }
})
