import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanPlain } from '../../../../src/lake/import/csv/plain.ts'
import type { Column } from '../../../../src/lake/store/schema.ts'
import { amount, randomRuns } from '../../../fixtures/tier.ts'

const column = (name: string, type: string, nullable: boolean): Column => ({
  name,
  type,
  nullable,
  comment: '',
  since: null,
})
/** A whole number that is needed, then a text that is not. */
const COLUMNS = [column('number', 'BIGINT', false), column('note', 'VARCHAR', true)]
const MEBIBYTE = 1 << 20

/** The number of records if all pieces, one after the other, are plain, else null. */
function scan(pieces: readonly Buffer[], lineEnd: '\n' | '\r\n' = '\n'): number | null {
  const scanner = scanPlain(COLUMNS, ',', lineEnd)
  return pieces.every(piece => scanner.push(piece)) ? scanner.end() : null
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map(place => place % (bytes.length + 1)))].toSorted((a, b) => a - b)
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

/** The two columns' plain forms as one expression: RFC 4180 without line ends in a field, ASCII. */
const RECORD = /^(?:-?\d+|"-?\d+"),(?:[^",\r\n]+|"(?:[^"\r\n]|"")*")?$/

const FIELDS = [
  '1',
  '-20',
  '"3"',
  'x',
  '',
  '1.0',
  '"',
  '""',
  'a b',
  '"a,b"',
  '"a ""b"""',
  'a"b',
  '"a\n2,b"',
  '\r',
]
const field = fc.oneof(
  { weight: 30, arbitrary: fc.constant('12') },
  { weight: 1, arbitrary: fc.constantFrom(...FIELDS) },
)

test('a text is plain if each of its lines is, in any position and for any chunks', () => {
  let plain = 0
  const numRuns = randomRuns(75)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 3 }),
      (records, isWindows, ended, places) => {
        const lineEnd = isWindows ? '\r\n' : '\n'
        const text = records.map(fields => fields.join()).join(lineEnd) + (ended ? lineEnd : '')
        const lines = (ended ? text.slice(0, -lineEnd.length) : text).split(lineEnd)
        const expected = lines.every(line => RECORD.test(line)) ? lines.length : null
        plain += expected === null ? 0 : 1
        const bytes = Buffer.from(text)
        expect(scan([bytes], lineEnd)).toBe(expected)
        expect(scan(cut(bytes, places), lineEnd)).toBe(expected)
      },
    ),
    { numRuns },
  )
  expect(plain).toBeGreaterThan(numRuns / 10)
  expect(plain).toBeLessThan(amount({ test: numRuns, prove: numRuns * 0.9, long: numRuns * 0.9 }))
})

describe('one byte that does not fit is found', () => {
  const lines = Array.from({ length: 90 }, (_, index) => `${index},${'n'.repeat(index % 9)}`)
  const text = `${lines.join('\n')}\n`
  test('in any position', () => {
    expect(scan([Buffer.from(text)])).toBe(90)
    for (let at = 0; at < text.length; at += 1) {
      const bytes = Buffer.from(text)
      bytes[at] = 0
      expect(scan([bytes]), `at ${at}`).toBeNull()
    }
  })

  test('even where a quoted text hides whole lines', () => {
    // Without its opening quote every line of it would be a record.
    for (let from = 0; from < lines.length - 2; from += 1) {
      const quoted = lines.with(from, `${from},"`).with(from + 2, `${from + 2},"`)
      expect(scan([Buffer.from(`${quoted.join('\n')}\n`)]), `from line ${from}`).toBeNull()
    }
  })
})

describe('a record of more than a mebibyte is not plain', () => {
  const record = (length: number) => `1,${'x'.repeat(length - 2)}`
  const cases: [what: string, before: string, after: string][] = [
    ['alone', '', ''],
    ['after another', '1,a\n', ''],
    ['before another', '', '2,b\n'],
    ['between others', '1,a\n1,b\n', '2,c\n2,d\n'],
  ]
  test.each(cases)('%s', (_, before, after) => {
    const count = 1 + (before + after).split('\n').length - 1
    for (const places of [[], [1], [before.length], [before.length + 1, MEBIBYTE], [500_000, MEBIBYTE + 1]]) {
      const text = (length: number) => cut(Buffer.from(`${before}${record(length)}\n${after}`), places)
      expect(scan(text(MEBIBYTE)), `cut at ${places}`).toBe(count)
      expect(scan(text(MEBIBYTE + 1)), `cut at ${places}`).toBeNull()
    }
  })

  test('while one that ends with the file may be as long as that', () => {
    expect(scan([Buffer.from(`1,a\n${record(MEBIBYTE)}`)])).toBe(2)
    expect(scan([Buffer.from(`1,a\n${record(MEBIBYTE + 1)}`)])).toBeNull()
  })

  test('and more than that of short ones is', () => {
    expect(scan([Buffer.from('1,abcdefgh\n'.repeat(300_000))])).toBe(300_000)
  })
})
