import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { replaceResources } from '../../../src/engine/resources.ts'
import { texts } from '../../fixtures/resources.ts'
import { DAYS, goodDay, importing } from './importing.ts'

const priced = (date: string, close: string) => `${date},1,9,1,${close},10,A`

test('the same files again change nothing, by whatever name and packing they come', async () => {
  const run = importing()
  const a = run.file('bars-1.csv', [DAYS, goodDay('A')])
  const b = run.file('bars-2.csv', [DAYS, goodDay('B'), 'x'])
  const first = await run.import([a, b])
  expect(first).toMatchObject({ files: 2, skipped: 0, rows: 2, rejected: 1, snapshot: 1, published: true })
  const before = readdirSync(run.lake, { recursive: true }).sort()

  const again = await run.import([run.file('bars-3.csv', readFileSync(a)), b])
  expect(again).toEqual({
    format: 'daily-bars',
    files: 2,
    skipped: 2,
    refused: [],
    isDryRun: false,
    rows: 0,
    datasets: [],
    rejected: 0,
    faults: [],
    notes: [],
    warnings: [],
    renamed: { number: 0, tickers: [] },
    unused: [],
    accounts: [],
    rejectsFile: null,
    rejectsFolder: null,
    snapshot: 1,
    published: false,
    partitions: [],
    derived: [],
    seconds: expect.any(Number),
  })
  expect(readdirSync(run.lake, { recursive: true }).sort()).toEqual(before)
})

test('of known and new files the new ones are imported; of equal ones among them, one', async () => {
  const run = importing()
  const a = run.file('bars-1.csv', [DAYS, goodDay('A')])
  const b = run.file('bars-2.csv', [DAYS, goodDay('B')])
  await run.import([a])
  const copy = run.file('bars-copy.csv', readFileSync(b))
  expect(await run.import([a, b, copy])).toMatchObject({ files: 3, skipped: 2, rows: 1, snapshot: 2 })
  expect(await run.rows('SELECT ticker FROM bars ORDER BY ticker')).toEqual(['A', 'B'])
})

test('the last row of a key wins, in the order of files and lines, also over stored rows', async () => {
  const run = importing()
  const stored = run.file('stored.csv', [DAYS, priced('2024-01-02', '8'), priced('2024-01-05', '8')])
  await run.import([stored])
  const first = run.file('z.csv', [DAYS, priced('2024-01-02', '1.1'), priced('2024-01-03', '1.2')])
  const second = run.file('b.csv', [DAYS, priced('2024-01-03', '2.1'), priced('2024-01-04', '2.2')])
  const third = run.file('a.csv', [
    DAYS,
    priced('2024-01-04', '3.1'),
    'x',
    priced('2024-01-04', '3.2').replace('A', 'a'),
  ])
  expect(await run.import([first, second, third])).toMatchObject({ rows: 3, rejected: 1 })
  expect(run.notices()).toEqual(['3 rows were replaced by later rows with the same key'])
  expect(await run.rows('SELECT date, close FROM bars ORDER BY date')).toEqual([
    '2024-01-02 1.100000',
    '2024-01-03 2.100000',
    '2024-01-04 3.200000',
    '2024-01-05 8.000000',
  ])
})

test('a corrected mapping imports the same file again', async () => {
  const run = importing()
  const path = run.file('a.csv', [DAYS, goodDay('A')])
  await run.import([path])
  const replaced = replaceResources({
    ...texts,
    read: name => {
      const text = texts.read(name)
      return name.endsWith('daily-bars.sql') ? text.replace('open_price AS open', 'high_price AS open') : text
    },
  })
  onTestFinished(() => {
    replaceResources(replaced)
  })
  expect(await run.import([path])).toMatchObject({ skipped: 0, rows: 1, snapshot: 2, published: true })
  expect(await run.rows('SELECT open FROM bars')).toEqual(['2.000000'])
})

test('a file is known to its format only', async () => {
  const run = importing()
  const header = `${DAYS},ms_since_midnight_et`
  const path = run.file('a.csv', [header, `${goodDay('A')},34200000`])
  await run.import([path])
  expect(await run.import([path], { format: 'minute-bars', options: { seconds: '60' } })).toMatchObject({
    skipped: 0,
    rows: 1,
    snapshot: 2,
  })
  expect(await run.rows('SELECT start FROM bars', 'stock_bars')).toEqual(['2024-01-02 14:30:00'])
  expect(await run.import([path])).toMatchObject({ skipped: 1, snapshot: 2 })
})

test('rows that are stored already make no snapshot, though the file is new', async () => {
  const run = importing()
  await run.import([run.file('a.csv', [DAYS, goodDay('A')])])
  const other = run.file('b.csv', [DAYS, goodDay('A').replace(',10,', ',10.0,')])
  expect(await run.import([other])).toMatchObject({ skipped: 0, rows: 1, snapshot: 1, published: false })
})

test('a file that changes between hashing and reading is rejected', async () => {
  const run = importing()
  const path = run.file('a.csv', [DAYS, goodDay('A')])
  const message = await run.refusal([path], {
    observe: each => {
      if (each.kind === 'progress' && each.task === 'check files') run.file('a.csv', [DAYS, goodDay('BB')])
    },
  })
  expect(message).toBe(
    `input_refused: ${path} changed while it was imported: run the command again when the file is complete`,
  )
  expect(readdirSync(run.folder)).toEqual(['a.csv'])
})
