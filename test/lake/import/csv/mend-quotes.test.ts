import { describe, expect, test } from 'vitest'
import { mendQuotes } from '../../../../src/lake/import/csv/mend-quotes.ts'
import { importing } from '../importing.ts'

describe('quotes that are not those of CSV', () => {
  test.each([
    ['a\tJohn "Jack" Smith\tb', '\t', 'a\t"John ""Jack"" Smith"\tb'],
    ['"Jack" Smith\t5" pipe', '\t', '"""Jack"" Smith"\t"5"" pipe"'],
    ['="0042"\tx"y', '\t', '0042\t"x""y"'],
    ['="VOO",1,="US9229083632"', ',', '"VOO",1,"US9229083632"'],
    ['="a ""b""";2', ';', '"a ""b""";2'],
    ['John "Jack" Smith,1', ',', null],
    ['="VOO",x"y', ',', null],
  ])('of %j are mended if their meaning is certain', (line, delimiter, mended) => {
    expect(mendQuotes(Buffer.from(line), delimiter.charCodeAt(0))?.toString() ?? null).toBe(mended)
  })
})

test('rows of a file with tabs come whole, whatever quotes they have, and keep their lines', async () => {
  const run = importing()
  const row = (id: string, post: string) => [id, '2024-01-02', '2024-01-02T00:00:00Z', post].join('\t')
  const file = run.file('posts.tsv', [
    'id\tdate\ttimestamp\tpost',
    row('1', 'John "Jack" Smith'),
    row('2', '"Jack" Smith'),
    row('3', '"opens'),
    row('4', 'closes"'),
    row('5', '"a quoted\nline end"'),
    row('6', '5" pipe'),
    row('7', '"said ""x"""'),
    '8\t"too\tfew',
  ])
  expect(await run.import([file], { format: 'csv-posts' })).toMatchObject({ rows: 7, rejected: 1 })
  expect(await run.rows("SELECT id, replace(post, chr(10), '/') FROM bars ORDER BY id", 'posts')).toEqual([
    '1 John "Jack" Smith',
    '2 "Jack" Smith',
    '3 "opens',
    '4 closes"',
    '5 a quoted/line end',
    '6 5" pipe',
    '7 said "x"',
  ])
  expect(run.rejects().at(-1)?.slice(1, 4)).toEqual(['10', '', 'too few fields'])
})

test('texts for Excel, such as ="VOO", are read as their content', async () => {
  const run = importing()
  const file = run.file('bars.csv', [
    'Date,Open,High,Low,Close,Volume,Name',
    '2024-01-02,1,2,1,1.5,10,="VOO"',
    '2024-01-02,1,2,1,1.5,10,"BND"',
  ])
  expect(await run.import([file])).toMatchObject({ rows: 2, rejected: 0 })
  expect(await run.rows('SELECT ticker FROM bars ORDER BY ticker')).toEqual(['BND', 'VOO'])
})
