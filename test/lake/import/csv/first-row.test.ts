import { expect, test } from 'vitest'
import { layoutsByFirstRow } from '../../../../src/lake/import/csv/layout-headers.ts'
import { parseLayout } from '../../../../src/lake/import/layout/layout.ts'

const layout = parseLayout(
  'dates',
  'dates/layout.json',
  JSON.stringify({
    title: 'Days without dashes',
    file: { kind: 'csv' },
    recognise: { columns: ['Date'], values: { Date: '^\\d{8}$', Symbol: '^[A-Z]*$', Name: '^[A-Z]*$' } },
    columns: { ticker: { from: ['symbol', 'name'] }, date: { from: 'date', date: '%Y%m%d' }, close: 'close' },
  }),
)

test.each([
  ['all columns', 'Symbol,Name,Date,Close\nA,B,20240102,1\n', true],
  ['all columns, and another date', 'Symbol,Name,Date,Close\nA,B,2024-01-02,1\n', false],
  ['one of two columns', 'Symbol,Date,Close\nA,20240102,1\n', true],
  ['one of two columns, and another date', 'Symbol,Date,Close\nA,2024-01-02,1\n', false],
  ['a title above the header', 'Date: 2024\nSymbol,Date,Close\nA,2024-01-02,1\n', false],
  ['no header at all', 'A,20240102,1\n', true],
])('a layout with patterns of values fits a file with %s: %j is %s', (_, text, fits) => {
  expect(layoutsByFirstRow([layout], text).length === 1).toBe(fits)
})
