import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RECORD_BYTES_MAX, scanRecords } from '../../../../src/lake/import/input/records.ts'
import { randomRuns } from '../../../fixtures/tier.ts'

/** The scanner's output for chunks: `line:record`, and broken lines with their reason after `!`. */
function scan(...chunks: readonly (string | Buffer)[]): string[] {
  const seen: string[] = []
  const scanner = scanRecords({
    header(line, fault) {
      seen.push(`header ${line}${fault === undefined ? '' : `!${fault}`}`)
      return { delimiter: ','.charCodeAt(0), isRecord: false }
    },
    record: (bytes, start, end, line) => void seen.push(`${line}:${bytes.toString('utf8', start, end)}`),
    broken: (bytes, start, end, line, reason) =>
      void seen.push(`${line}:${bytes.toString('latin1', start, Math.min(end, start + 20))}!${reason}`),
  })
  for (const chunk of chunks) scanner.push(Buffer.from(chunk))
  scanner.end()
  return seen.slice(1)
}

describe('records', () => {
  test.each([
    ['have the number of their line', 'h\na\nb\nc', ['2:a', '3:b', '4:c']],
    ['may end in CRLF', 'h\r\na\r\nb\r\n', ['2:a', '3:b']],
    ['are not made of blank lines, which count', 'h\n\n  \na\n\n\nb\n', ['4:a', '7:b']],
    ['may hold line ends in quotes', 'h\n1,"x\ny\n\nz",2\nb', ['2:1,"x\ny\n\nz",2', '6:b']],
    ['may hold CRLF in quotes', 'h\r\n"x\r\ny"\r\nb\r\n', ['2:"x\r\ny"', '4:b']],
    ['may hold doubled quotes', 'h\n"a""b","c"""\nb', ['2:"a""b","c"""', '3:b']],
    ['may end in a quote without a line end', 'h\n1,"a"', ['2:1,"a"']],
    ['do not begin with a byte order mark', '\ufeffh\n\ufeffa', ['2:\ufeffa']],
    ['may have text that is not ASCII', 'h\nä€😀', ['2:ä€😀']],
  ])('%s', (_, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })

  test('do not depend on where the text was cut', () => {
    const piece = fc.constantFrom('a', ',', '"', '""', '"x"', '\n', '\r\n', '\r', ' ', 'é', '\0', ',"y\nz",')
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(60), { maxLength: 4 }),
        (parts, cuts) => {
          const bytes = Buffer.from(`\ufeffh\n${parts.join('')}`)
          const places = [
            0,
            ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ]
          const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
          expect(scan(...chunks)).toEqual(scan(bytes))
        },
      ),
      { numRuns: randomRuns(500) },
    )
  })
})

describe('a broken line', () => {
  test.each([
    ['that opens a quote within a field', 'h\na,b"c\nd\n', ['2:a,b"c!broken quotes', '3:d']],
    ['with text after a closing quote', 'h\n"a"b,c\nd\n', ['2:"a"b,c!broken quotes', '3:d']],
    ['with a blank before a quote', 'h\na, "b"\nd\n', ['2:a, "b"!broken quotes', '3:d']],
    ['whose quote is never closed', 'h\na,"b\nc\nd\n', ['2:a,"b!broken quotes', '3:c', '4:d']],
    [
      'whose quote another line seems to close',
      'h\na,"b\nc,"d"\ne',
      ['2:a,"b!broken quotes', '3:c,"d"', '4:e'],
    ],
    ['with a carriage return', 'h\na\rb\nc', ['2:a\rb!broken by carriage returns', '3:c']],
    ['with a zero byte', 'h\na\0b\nc', ['2:a\0b!binary', '3:c']],
  ])('%s is broken alone', (_, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })

  test('that is not UTF-8 is broken alone', () => {
    expect(scan(Buffer.from('h\na\xff\nb\n\xe9', 'latin1'))).toEqual([
      '2:a\xff!not UTF-8',
      '3:b',
      '4:\xe9!not UTF-8',
    ])
  })

  test('that is too long is broken once, for any chunks, and the lines after it keep their numbers', () => {
    const long = 'x'.repeat(RECORD_BYTES_MAX + 1)
    const expected = [`2:${'x'.repeat(20)}!longer than ${RECORD_BYTES_MAX} bytes`, '3:b']
    expect(scan(`h\n${long}\nb`)).toEqual(expected)
    expect(scan('h\n', long, long, long, 'y\nb')).toEqual(expected)
    expect(scan('h\n', `"${long}`, long, `\nb`)).toEqual(['2:"xxxxxxxxxxxxxxxxxxx!broken quotes', '3:b'])
    expect(scan('h\n', 'x'.repeat(RECORD_BYTES_MAX), '\nb').length).toBe(2)
  })
})
