import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { lookAtJson } from '../../../../src/lake/import/json/documents.ts'
import { layoutRows } from '../../../../src/lake/import/json/layout-rows.ts'
import { parseLayout } from '../../../../src/lake/import/layout/layout.ts'
import { DAYS, importing } from '../importing.ts'

/** The rows of a JSON text by the `file` of a layout, as `number member=value …`, read in pieces. */
async function rowsOf(text: string, file: object) {
  const layout = parseLayout(
    'own',
    'own',
    JSON.stringify({ title: 'x', file: { kind: 'json', ...file }, columns: {} }),
  )
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 5) yield bytes.subarray(at, at + 5)
  }
  const looked = await lookAtJson(pieces)
  if (typeof looked === 'string') return looked
  const rows: string[] = []
  const scanner = layoutRows(layout, looked, (row, number) => {
    const shown =
      typeof row === 'string'
        ? row
        : [...row].filter(([, value]) => value !== null).map(each => each.join('='))
    rows.push([number, ...[shown].flat()].join(' '))
  })
  for await (const piece of pieces()) scanner.push(piece)
  scanner.end()
  return rows
}

describe('the rows of a layout', () => {
  test.each([
    ['an array', '[{"a":1,"b":{"c":"x"}},{"a":2.5}]', {}, ['1 rows=$ a=1 b.c=x', '2 rows=$ a=2.5']],
    ['a member', '{"n":1,"r":[{"a":1}],"s":[{"a":9}]}', { rows: 'r' }, ['1 rows=r a=1']],
    [
      'a member of an element',
      '{"r":[{"s":[{"a":1}]},{"s":[{"a":2}]}]}',
      { rows: 'r[0].s' },
      ['1 rows=s a=1'],
    ],
    ['one of several places', '{"posts":[{"a":1}]}', { rows: ['$', 'data', 'posts'] }, ['1 rows=posts a=1']],
    [
      'arrays',
      '[[1,"x"],[2,null]]',
      { shape: 'arrays', names: ['a', 'b'] },
      ['1 rows=$ a=1 b=x', '2 rows=$ a=2'],
    ],
    [
      'members',
      '{"m":{"a":1},"t":{"d1":{"o":1},"d2":2}}',
      { rows: 't', shape: 'keyed' },
      ['1 key=d1 rows=t o=1', '2 key=d2 rows=t value=2'],
    ],
    [
      'lines, of which a few are broken',
      '{"a":1}\n\n{"a":2}\n{"a":\n',
      {},
      ['1 rows=$ a=1', '3 rows=$ a=2', '4 not JSON'],
    ],
    ['lines with numbers of their own', '{"a":1}\n\n{"a":2}\n', {}, ['1 rows=$ a=1', '3 rows=$ a=2']],
    [
      'values of another kind, which are named',
      '[{"a":1},2,[3]]',
      {},
      ['1 rows=$ a=1', '2 not a JSON object', '3 not a JSON object'],
    ],
    [
      'long numbers, with all their digits',
      '[{"a":12345678901234567890.12}]',
      {},
      ['1 rows=$ a=12345678901234567890.12'],
    ],
  ])('may be %s', async (_, text, file, rows) => {
    expect(await rowsOf(text, file)).toEqual(rows)
  })

  test('are not taken from a text that is cut off', async () => {
    expect(await rowsOf('{"r":[{"a":1},{"a":2}', { rows: 'r' })).toBe(
      'it is JSON that ends too early, at line 1, column 22',
    )
    expect(await rowsOf('{"a":1}\n{"a":\n{"b":\n', {})).toBe(
      'it is not JSON at line 2, column 1: "{\\"a\\":\\n{\\"b\\":"',
    )
  })
})

test('a column that only later rows have, after those that show what a file is, is read', async () => {
  const run = importing()
  const [date = '', ...names] = DAYS.split(',')
  const rows = Array.from({ length: 60 }, (_, place) => ({
    [date]: '2024-01-02',
    ...Object.fromEntries(names.map(name => [name, name === 'Name' ? `T${place}` : '1'])),
    ...(place === 59 ? { Traded: '77' } : {}),
  }))
  const columns = {
    ticker: 'Name',
    date: 'Date',
    open: 'Open',
    high: 'High',
    low: 'Low',
    close: 'Close',
    volume: { from: 'Traded', optional: true, or: 'Volume' },
  }
  const layout = parseLayout('own', 'own', JSON.stringify({ title: 'x', file: { kind: 'json' }, columns }))
  await run.import([run.file('a.json', [JSON.stringify(rows)])], { layout })
  expect(
    await run.rows("SELECT ticker, volume FROM bars WHERE ticker IN ('T1', 'T59') ORDER BY ticker"),
  ).toEqual(['T1 1', 'T59 77'])
})
