import { expect, test } from 'vitest'
import { parseTemplateHead } from '../../../src/operations/answering/template-head.ts'

const FILE = 'sql/endpoints/made-up.sql'
const HEAD = [
  '-- made-up: A title',
  '-- path: /api/made/{up}/things',
  '-- subject: Crypto',
  '-- description: One record per thing,',
  '--   newest first.',
  '-- description: A second paragraph: with a colon.',
]
const parse = (...lines: readonly string[]) => parseTemplateHead('made-up', FILE, lines.join('\n'))

test('a head has a title, a path, a subject and paragraphs, whose lines are joined', () => {
  const expected = {
    title: 'A title',
    path: '/api/made/{up}/things',
    subject: 'Crypto',
    description: 'One record per thing, newest first.\n\nA second paragraph: with a colon.',
  }
  expect(parse(...HEAD, 'SELECT 1')).toEqual(expected)
  expect(parse(...HEAD, '--', '-- note: a comment on the SQL', '--   of two lines', 'SELECT 1')).toEqual(
    expected,
  )
})

const without = (start: string) => HEAD.filter(line => !line.startsWith(start))
const changed = (line: number, text: string) => HEAD.map((each, index) => (index === line - 1 ? text : each))

test.each([
  ['an empty file', [''], ':1: expected "-- made-up: <title>"'],
  ['the id of another operation', changed(1, '-- made: A title'), ':1: expected "-- made-up: <title>"'],
  ['a title that is not in the first line', ['', ...HEAD], ':1: expected "-- made-up: <title>"'],
  ['no path', without('-- path'), ': its head lacks "-- path: /api/…"'],
  ['two paths', [...HEAD, '-- path: /api/other'], ':7: a second "-- path:"; remove one of them'],
  [
    'a path outside of the API',
    changed(2, '-- path: /made/{up}'),
    ':2: "/made/{up}" is not a path; write it as',
  ],
  ['a path with a colon parameter', changed(2, '-- path: /api/:up'), ':2: "/api/:up" is not a path'],
  ['a path that ends with a slash', changed(2, '-- path: /api/made/'), ':2: "/api/made/" is not a path'],
  ['no subject', without('-- subject'), ': its head lacks "-- subject: Options flow | Option contracts'],
  [
    'an unknown subject',
    changed(3, '-- subject: crypto'),
    ':3: "crypto" is not a subject; use one of Options flow',
  ],
  ['no description', HEAD.slice(0, 3), ': its head lacks "-- description: <what it answers>"'],
  [
    'an unknown label',
    changed(3, '-- theme: Crypto'),
    ':3: unknown label "theme"; known are path, subject and',
  ],
])('%s is an error that names file and line', (_, lines, message) => {
  expect(() => parse(...lines)).toThrow(`${FILE}${message}`)
})
