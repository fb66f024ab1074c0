import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importRecords } from '../../../src/lake/land/import-record.ts'
import { currentNumber } from '../../../src/lake/store/current.ts'
import { requireRecord } from '../../../src/lake/store/record.ts'
import { DAYS, goodDay, importing } from './importing.ts'

const POSTS = 'id,date,timestamp,post'
const post = (id: string, text = 'x') => `${id},2024-01-02,2024-01-02T00:00:00Z,${text}`

/** The same row as a JSON object. */
const record = (id: string) =>
  JSON.stringify({ id, date: '2024-01-02', timestamp: '2024-01-02T00:00:00Z', post: 'x' })

describe('one bad file does not stop the others', () => {
  test('and none of its rows is imported, whatever is wrong with it', async () => {
    const run = importing()
    const files = [
      run.file('1.csv', [DAYS, goodDay('A'), '1,2']),
      run.file('2.csv', [DAYS, goodDay('BAD1'), goodDay('BAD2'), '1,2', '1,2', '1,2']),
      run.file('3.csv', [DAYS]),
      run.file('4.csv', [DAYS, goodDay('B')]),
      run.file('5.csv', ['a,b', '1,2']),
      run.file('6.csv', []),
      run.file('7.csv.gz', Buffer.from('no gzip')),
      run.file('8.csv', [DAYS, goodDay('BAD3'), 'x', 'x', 'x']),
      run.file('9.csv', [DAYS, goodDay('C')]),
    ]
    const report = await run.import(files)
    expect(report).toMatchObject({ files: 9, skipped: 0, rows: 3, rejected: 1, snapshot: 1 })
    expect(report.accounts.map(({ file, rows, rejected }) => [file, rows, rejected])).toEqual([
      [files[0], 1, 1],
      [files[3], 1, 0],
      [files[8], 1, 0],
    ])
    expect(report.refused.map(({ file }) => file)).toEqual([1, 2, 4, 5, 6, 7].map(index => files[index]))
    const reasons = report.refused.map(({ file, reason }) => reason.replace(file, '…'))
    expect(reasons[0]).toBe(
      '3 of 5 rows of … are invalid, most often too few fields (3 of them); line 4: too few fields "1,2"; line 5: too few fields "1,2"; line 6: too few fields "1,2"',
    )
    expect(reasons[1]).toBe('… has a header and no rows: download it again, or exclude it')
    expect(reasons[2]).toMatch(/^… lacks the columns ticker/)
    expect(await run.rows('SELECT ticker FROM bars ORDER BY ticker')).toEqual(['A', 'B', 'C'])
    expect(run.rejects().map(([, line, , reason]) => [line, reason])).toEqual([
      ['line', 'reason'],
      ['3', 'too few fields'],
    ])
    const [record] = await importRecords(run.lake)
    expect(record?.files.map(({ name }) => name)).toEqual(['1.csv', '4.csv', '9.csv'])
  })

  test('and it is read again, since only the others are known', async () => {
    const run = importing()
    const good = run.file('a.csv', [DAYS, goodDay('A')])
    const bad = run.file('b.csv', [DAYS, goodDay('B'), 'x', 'x'])
    await run.import([good, bad])
    expect(await run.import([good, bad])).toMatchObject({
      skipped: 1,
      published: false,
      refused: [{ file: bad }],
    })
    run.file('b.csv', [DAYS, goodDay('B')])
    expect(await run.import([good, bad])).toMatchObject({ skipped: 1, rows: 1, snapshot: 2, refused: [] })
  })

  test.each([
    ['csv', [POSTS, post('1'), 'x', 'x'], [POSTS, post('2')]],
    ['ndjson', [record('1'), 'x', 'x'], [record('2')]],
  ])('in %s files with the columns of a dataset', async (kind, bad, good) => {
    const run = importing()
    const files = [run.file(`a.${kind}`, bad), run.file(`b.${kind}`, good)]
    const report = await run.import(files, { format: `${kind}-posts` })
    expect(report).toMatchObject({ rows: 1, rejected: 0, refused: [{ file: files[0] }] })
    expect(await run.rows('SELECT id FROM bars', 'posts')).toEqual(['2'])
  })

  test('with --close: the days stay open', async () => {
    const run = importing()
    const files = [run.file('a.csv', [DAYS, goodDay('A')]), run.file('b.csv', ['x'])]
    await run.import(files, { close: '2024-01-02' })
    const closed = async () => (await requireRecord(run.lake, await currentNumber(run.lake))).closed
    expect(await closed()).toBeUndefined()
    run.file('b.csv', [DAYS, goodDay('B')])
    await run.import(files, { close: '2024-01-02' })
    expect(await closed()).toBe('2024-01-02')
  })
})

test('if all files are bad, nothing is written', async () => {
  const run = importing()
  const files = [run.file('a.csv', [DAYS, 'x']), run.file('b.csv', ['x'])]
  expect(await run.import(files)).toMatchObject({ rows: 0, snapshot: null, published: false })
  expect(existsSync(run.lake)).toBe(false)
})
