import { expect, test } from 'vitest'
import { exact } from '../../../../src/lake/import/json/exact.ts'

test.each([
  // A double has 17 digits at most, and shows the fewest that name it.
  ['{"a":12345678901234567890}', '{"a":"12345678901234567890"}'],
  ['[-0.12345678901234567,1.5]', '["-0.12345678901234567",1.5]'],
  ['[1.2345678901234567e300]', '[1.2345678901234567e300]'],
  ['[1234567890123456789e3]', '["1234567890123456789e3"]'],
  ['[1234567890123456]', '[1234567890123456]'],
  // In a string, also after an escaped quote or backslash, nothing changes.
  [
    '["12345678901234567890","\\"12345678901234567890"]',
    '["12345678901234567890","\\"12345678901234567890"]',
  ],
  ['["\\\\",12345678901234567890]', '["\\\\","12345678901234567890"]'],
  ['{"12345678901234567890":12345678901234567890}', '{"12345678901234567890":"12345678901234567890"}'],
])('%s becomes %s', (json, expected) => {
  expect(exact(json)).toBe(expected)
})

test('texts may have many megabytes', () => {
  const long = JSON.stringify('a "quoted" \\ text '.repeat(1_500_000))
  const json = `{"text":${long},"number":12345678901234567890}`
  expect(exact(json)).toBe(`{"text":${long},"number":"12345678901234567890"}`)
})
