import { expect, test } from 'vitest'
import { printable } from '../../../src/cli/terminal/printable.ts'
import { textTable } from '../../../src/cli/terminal/text-table.ts'

test.each([
  ['plain text, ÄÖ 東京 😀', 'plain text, ÄÖ 東京 😀'],
  ['\u001b[31m red\u001b[0m', '\\u{1b}[31m red\\u{1b}[0m'],
  ['\u009b2J', '\\u{9b}2J'],
  ['a\r\nb\tc\u007f', 'a\\u{d}\\u{a}b\\u{9}c\\u{7f}'],
  // Right-to-left override, zero-width joiner, line separator, half of a surrogate pair.
  ['\u202eabc\u200d\u2028\ud800', '\\u{202e}abc\\u{200d}\\u{2028}\\u{d800}'],
])('%j is printed without control characters', (text, expected) => {
  expect(printable(text)).toBe(expected)
})

test('a table has no control character of a value or a name', () => {
  const table = textTable(Buffer.from(`${JSON.stringify({ 'na\u001bme': 'va\u001b]0;lue\u0007' })}\n`))
  expect(table).toBe('na\\u{1b}me\n───────────────────\nva\\u{1b}]0;lue\\u{7}\n')
})
