import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { type Citation, formatCitation, parseCitation } from '../../../src/operations/citing/citation.ts'
import { operations } from '../../../src/operations/index.ts'

const OF: Omit<Citation, 'input'> = {
  operation: operations.find(({ id }) => id === 'greeks') as Operation,
  snapshot: 7,
  asOf: null,
  build: '0.1.0+0123456789ab',
  template: 'a'.repeat(16),
  files: 'b'.repeat(16),
  sha256: 'c'.repeat(64),
}
const AAPL = { path: { ticker: 'AAPL' }, query: [['date', '2024-01-03']] as const }

test('a citation is one line with its version, request and hashes', () => {
  expect(formatCitation({ ...OF, input: AAPL })).toMatch(
    /^tapehouse:1 greeks\?ticker=AAPL&date=2024-01-03 snapshot=7 build=0\.1\.0\+0123456789ab template=a{16} files=b{16} sha256=c{64} check=[0-9a-f]{8}$/,
  )
})

test('a citation of an answer as of a day names the day', () => {
  const line = formatCitation({ ...OF, asOf: '2024-01-04', input: AAPL })
  expect(line).toContain(' snapshot=7 as-of=2024-01-04 build=')
})

test('any parameters survive, in printable ASCII that a shell leaves alone between quotes', () => {
  const pair = fc.tuple(fc.constantFrom('date', 'expiry', 'x[]'), fc.string({ unit: 'grapheme' }))
  const days = fc.constantFrom(null, '2024-02-29')
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.array(pair, { maxLength: 5 }),
      days,
      (ticker, query, asOf) => {
        const citation = { ...OF, asOf, input: { path: { ticker }, query } }
        const line = formatCitation(citation)
        expect(line).toMatch(/^[\x20-\x7e]+$/)
        expect(line).not.toMatch(/["'`$\\!]/)
        expect(parseCitation(` ${line}\n`)).toEqual(citation)
      },
    ),
  )
})

describe('what is not a citation is refused in one line', () => {
  const line = formatCitation({ ...OF, input: AAPL })
  test.each([
    ['', 'it must begin with "tapehouse:1 "'],
    ['greeks?ticker=AAPL', 'it must begin with "tapehouse:1 "'],
    [line.replace('tapehouse:1', 'tapehouse:2'), 'reads citations of version 1, not 2: upgrade tapehouse'],
    [line.slice(0, -10), 'copy the whole line'],
    [line.replace('snapshot=7', 'snapshot=../../7'), 'copy the whole line'],
    [line.replace(' build=', ' as-of=2024-02-30 build='), '2024-02-30 is not a date'],
    [line.replace('build=', "build='; DROP TABLE "), 'copy the whole line'],
  ])('%j', (text, problem) => {
    expect(() => parseCitation(text)).toThrow(problem)
    expect(() => parseCitation(text)).toThrow(/^.*$/)
  })

  test('a line with any character changed', () => {
    for (let index = 'tapehouse:1 '.length; index < line.length; index += 1) {
      const changed = `${line.slice(0, index)}${line[index] === '1' ? '2' : '1'}${line.slice(index + 1)}`
      expect(() => parseCitation(changed), changed).toThrow(/is not a citation/)
    }
  })
})
