import { describe, expect, test } from 'vitest'
import { checkLines } from '../../../../src/lake/import/csv/line-check.ts'
import { RECORD_BYTES_MAX } from '../../../../src/lake/import/input/records.ts'

/** The lines of a text in chunks, or null. `h` is the header. */
function linesIn(...chunks: readonly (string | Buffer)[]) {
  const lines = checkLines({
    look: line => (line.toString() === 'h' ? { delimiter: ','.charCodeAt(0), isRecord: false } : null),
    found: () => undefined,
    refuse: () => {
      throw new Error('no header')
    },
  })
  const isTaken = chunks.every(chunk => lines.push(Buffer.from(chunk)))
  return isTaken ? lines.end() : null
}

/** The line of the first record and the number of records of a text in chunks, or null. */
function check(...chunks: readonly (string | Buffer)[]): [first: number, records: number] | null {
  const found = linesIn(...chunks)
  return found && [found.first, found.records]
}

describe('each line is a record', () => {
  test.each<[what: string, text: string, first: number, records: number]>([
    ['after a header', 'h\na\nb\n', 2, 2],
    ['without a line end after the last', 'h\na\nb', 2, 2],
    ['that ends in CRLF', 'h\r\na\r\nb\r\n', 2, 2],
    ['with CRLF, without one after the last', 'h\r\na\r\nb', 2, 2],
    ['after a byte order mark', '\ufeffh\na', 2, 1],
    ['after blank and other lines above the header', 'x\n\nh\na\nb', 4, 2],
    ['before blank lines at the end', 'h\na\n\n\n', 2, 1],
    ['with quotes', 'h\n"a, ""b""",c\nd', 2, 2],
    ['and there may be none', 'h\n', 2, 0],
  ])('%s', (_, text, first, records) => {
    expect(check(text)).toEqual([first, records])
    // In chunks of three bytes too.
    const bytes = Buffer.from(text)
    const chunks = Array.from({ length: Math.ceil(bytes.length / 3) }, (_each, index) =>
      bytes.subarray(index * 3, index * 3 + 3),
    )
    expect(check(...chunks)).toEqual([first, records])
  })
})

test.each<[what: string, text: string | Buffer]>([
  ['without a header', 'x\ny\n'],
  ['with a blank line between records', 'h\na\n\nb'],
  ['with a blank line after the header', 'h\n\na'],
  ['with both kinds of line end', 'h\na\r\nb\n'],
  ['with a carriage return in a line', 'h\na\rb\n'],
  ['with two carriage returns at a line end', 'h\r\na\r\r\n'],
  ['with a line end in quotes', 'h\n"a\nb"\n'],
  ['with a quote that is not closed', 'h\n"a\n'],
  ['with a quote in a field', 'h\na"b\n'],
  ['with text after a closing quote', 'h\n"a"b\n'],
  ['with a zero byte', 'h\na\0\n'],
  ['with half a character', Buffer.from('h\n\xc3\n', 'latin1')],
  ['with half a character at the end', Buffer.from('h\na\xc3', 'latin1')],
  ['with a record of more than a mebibyte', `h\n${'x'.repeat(RECORD_BYTES_MAX + 1)}\n`],
])('a text %s does not pass', (_, text) => {
  expect(check(text)).toBeNull()
})

test('a record of a mebibyte passes', () => {
  expect(check(`h\n${'x'.repeat(RECORD_BYTES_MAX)}\n`)).toEqual([2, 1])
})

test.each<[text: string, isTrimmed: boolean]>([
  ['a,b\nc,,d\n', true],
  ['a b,c d\r\n,\r\n', true],
  ['a,b\n c,d\n', false],
  ['a,b \n', false],
  ['a,b \r\n', false],
  ['a ,b\n', false],
  ['a, b\n', false],
  ['a,b ', false],
  ['a,"b"\n', false],
  ['a,\u00a0b\n', false],
])('whether no field of %j needs trimming: %s', (text, isTrimmed) => {
  const lineEnd = text.includes('\r') ? '\r\n' : '\n'
  expect(linesIn(`h${lineEnd}${text}`)?.isTrimmed).toBe(isTrimmed)
  expect(linesIn(`h${lineEnd}`, text)?.isTrimmed).toBe(isTrimmed)
})
