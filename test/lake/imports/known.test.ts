import { expect, test } from 'vitest'
import { inputHash } from '../../../src/lake/import/format/format.ts'
import { importFormat } from '../../../src/lake/import/format/formats.ts'
import { type Layout, parseLayout } from '../../../src/lake/import/layout/layout.ts'
import { hashesOf, identified } from '../../../src/lake/import/new-inputs.ts'
import { DAYS, importing } from '../import/importing.ts'

const HASHED = {
  path: '',
  origin: '',
  real: '',
  bytes: 1,
  isNamed: true,
  compression: 'none',
  sha256: '0'.repeat(64),
  version: '',
} as const

const bar = (ticker: string, date: string, close: string) => `${date},1,9,1,${close},10,${ticker}`
const closes = (run: ReturnType<typeof importing>) =>
  run.rows(
    "SELECT ticker || ' ' || day(date) || ' ' || (close * 10)::INTEGER FROM bars ORDER BY ticker, date",
  )

test('a file is imported again once another one has replaced rows of it, and is then nothing new', {
  tags: 'slow',
}, async () => {
  const run = importing()
  const right = run.file('right.csv', [DAYS, bar('A', '2024-01-02', '2'), bar('A', '2024-01-03', '3')])
  const wrong = run.file('wrong.csv', [DAYS, bar('A', '2024-01-02', '7')])
  await run.import([right])
  expect(await run.import([wrong])).toMatchObject({ snapshot: 2, published: true })
  expect(await run.import([right])).toMatchObject({ skipped: 0, snapshot: 3, published: true })
  expect(await closes(run)).toEqual(['A 2 20', 'A 3 30'])
  expect(await run.import([right])).toMatchObject({ skipped: 1, published: false })
  expect(await run.import([wrong])).toMatchObject({ skipped: 0, snapshot: 4 })
  // Together, none of them is replaced by a file that is not among them.
  expect(await run.import([right, wrong])).toMatchObject({ skipped: 2, published: false })
})

test('files whose days or tickers others do not have stay known', async () => {
  const run = importing()
  const files = ['A', 'B', 'C'].map((ticker, index) =>
    run.file(`${ticker}.csv`, [
      DAYS,
      bar(ticker, `2024-01-0${index + 2}`, '2'),
      bar(ticker, '2024-01-08', '2'),
    ]),
  )
  await run.import(files)
  const other = run.file('other.csv', [DAYS, bar('B', '2024-01-08', '5')])
  await run.import([other])
  // Rows are added, and none is replaced.
  await run.import([run.file('more.csv', [DAYS, bar('D', '2024-01-08', '5')])])
  expect(await run.import(files)).toMatchObject({ skipped: 2, rows: 2, snapshot: 4 })
  expect((await closes(run)).filter(row => row.startsWith('B'))).toEqual(['B 3 20', 'B 8 20'])
})

test('a file that is imported again takes those of the command along that had replaced rows of it', {
  tags: 'slow',
}, async () => {
  const run = importing()
  const whole = run.file('a.csv', [DAYS, bar('A', '2024-01-02', '2'), bar('A', '2024-01-03', '3')])
  const correction = run.file('b.csv', [DAYS, bar('A', '2024-01-02', '2.5')])
  await run.import([whole, correction])
  const wrong = run.file('wrong.csv', [DAYS, bar('A', '2024-01-03', '8')])
  await run.import([wrong])
  expect(await run.import([whole, correction])).toMatchObject({ skipped: 0, snapshot: 3 })
  expect(await closes(run)).toEqual(['A 2 25', 'A 3 30'])
  expect(await run.import([whole, correction])).toMatchObject({ skipped: 2, published: false })
  // Alone, its rows come back that the correction of the same import has replaced.
  expect(await run.import([whole])).toMatchObject({ skipped: 0, snapshot: 4 })
  expect(await closes(run)).toEqual(['A 2 20', 'A 3 30'])
})

test('--force imports files that the lake has', async () => {
  const run = importing()
  const path = run.file('a.csv', [DAYS, bar('A', '2024-01-02', '2'), 'x', bar('A', '2024-01-03', '2')])
  await run.import([path])
  expect(await run.import([path], { isForced: true })).toMatchObject({ skipped: 0, rows: 2, rejected: 1 })
})

test('a file is known by its own layout, whatever layouts are added, and by the hash over all layouts of earlier', async () => {
  const run = importing()
  const header = 'Date,Open,High,Low,Close,Volume'
  const path = run.file('ACME.csv', [header, '2024-01-02,1,9,1,2,10'])
  const layout = (name: string, more: object = {}) =>
    parseLayout(
      name,
      name,
      JSON.stringify({
        title: name,
        file: { kind: 'csv' },
        columns: {
          ticker: { file: '^([A-Z]+)\\.csv' },
          ...Object.fromEntries(['date', 'open', 'high', 'low', 'close', 'volume'].map(each => [each, each])),
        },
        ...more,
      }),
    )
  const own = layout('own')
  const first = await run.import([path], { layout: own })
  expect(first).toMatchObject({ rows: 1, published: true })
  // The name and the documentation of a layout do not change what it reads.
  expect(await run.import([path], { layout: layout('moved', { notes: ['More.'] }) })).toMatchObject({
    skipped: 1,
  })
  expect(await run.import([path], { layout: layout('own', { skip: { Date: '^#' } }) })).toMatchObject({
    skipped: 0,
  })

  const format = importFormat('daily-bars')
  const file = { ...HASHED, shown: path }
  const of = (layouts: readonly Layout[]) =>
    identified({ format, layouts, isLayoutGiven: false, options: {}, isStrict: false }, [file]).flatMap(
      hashesOf,
    )
  const before = of([own])
  const after = of([layout('another', { skip: { Date: 'x' } }), own])
  expect(after.filter(hash => before.includes(hash))).toHaveLength(2)
  const earlier = (layouts: readonly Layout[]) =>
    inputHash(format, JSON.stringify(layouts), {}, false, [file.sha256, 'ACME'].join('\0'))
  expect(before).toContain(earlier([own]))
  expect(after).not.toContain(earlier([own]))
})
