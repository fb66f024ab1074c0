import { expect, test } from 'vitest'
import { datasets } from '../../../src/lake/store/datasets.ts'
import { parseSchema } from '../../../src/lake/store/schema.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { writerForTest } from './days.ts'

const GOOD = `-- quotes: one row a ticker and day
-- partition: day, year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
-- known: date + 1; exact to the day; nothing is early
CREATE TABLE quotes (
  ticker VARCHAR NOT NULL,  -- ticker symbol
  date DATE NOT NULL,       -- trading day
  price DECIMAL(18, 6)      -- dollars
);
`

test('a schema file says what the lake must know of a dataset', () => {
  const quotes = parseSchema('sql/schema/quotes.sql', GOOD)
  expect(quotes).toMatchObject({
    name: 'quotes',
    summary: 'one row a ticker and day',
    columns: [
      { name: 'ticker', type: 'VARCHAR', nullable: false, comment: 'ticker symbol' },
      { name: 'date', type: 'DATE', nullable: false, comment: 'trading day' },
      { name: 'price', type: 'DECIMAL(18,6)', nullable: true, comment: 'dollars' },
    ],
    key: ['ticker', 'date'],
    sort: ['ticker', 'date'],
    ranges: ['ticker'],
    partition: { units: ['day', 'year'], column: 'date' },
    known: { sql: 'date + 1', exactness: 'exact to the day; nothing is early' },
  })
})

test.each([
  ['another dataset', '-- quotes:', '-- trades:', 1],
  ['an empty summary', '-- quotes: one row a ticker and day', '-- quotes: ', 1],
  ['an unknown unit', 'day, year by', 'day, week by', 2],
  ['units from coarse to fine', 'day, year by', 'year, day by', 2],
  ['no partition column', ' by date', '', 2],
  ['a partition column that is no date', 'by date', 'by ticker', 2],
  ['an unknown key column', 'key: ticker, date', 'key: ticker, day', 3],
  ['a key that may be NULL', 'key: ticker, date', 'key: ticker, price', 3],
  ['a missing sort line', '-- sort: ticker, date\n', '', 4],
  ['ranges of a number', 'ranges: ticker', 'ranges: price', 5],
  ['no rule for when rows became known', '-- known: date + 1; exact to the day; nothing is early\n', '', 6],
  ['a rule without its exactness', '; exact to the day; nothing is early', '', 6],
  ['another table', 'TABLE quotes', 'TABLE quote', 7],
  ['a column without a comment', '  -- ticker symbol', '', 8],
  ['an unknown clause', 'VARCHAR NOT NULL', 'VARCHAR UNIQUE', 8],
  ['a column named twice', '  price', '  date', 7],
  ['a missing comma', 'date DATE NOT NULL, ', 'date DATE NOT NULL  ', 9],
  ['a comma at the end', 'DECIMAL(18, 6) ', 'DECIMAL(18, 6),', 10],
  ['a blank line', '\n);', '\n\n);', 10],
  ['text after the table', ');\n', ');\nDROP TABLE quotes;\n', 12],
])('%s is an error that names file and line', (_, found, replacement, line) => {
  const text = GOOD.replace(found, replacement)
  expect(text).not.toBe(GOOD)
  expect(() => parseSchema('sql/schema/quotes.sql', text)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(`^sql/schema/quotes\\.sql:${line}: `) }),
  )
})

test("a schema's hash depends on its columns' names and types, not on comments", () => {
  const hash = (text: string) => parseSchema('quotes.sql', text).schemaHash
  expect(hash(GOOD.replace('dollars', 'euros').replace('one row', 'a row'))).toBe(hash(GOOD))
  expect(hash(GOOD.replace('DECIMAL(18, 6)', 'DECIMAL(18, 4)'))).not.toBe(hash(GOOD))
  expect(hash(GOOD.replace('price', 'close'))).not.toBe(hash(GOOD))
})

test('DuckDB makes the very columns of every dataset that its schema file declares', async () => {
  const writer = await writerForTest(folderForTest())
  expect([...datasets().keys()]).toEqual(expect.arrayContaining(['stock_bars', 'daily_bars']))
  for (const { name, createSql, columns, known } of datasets().values()) {
    await writer.run(createSql)
    const made = await writer.rows(`DESCRIBE ${name}`)
    expect(made.map(row => [row.column_name, row.column_type, row.null === 'YES'])).toEqual(
      columns.map(column => [column.name, column.type, column.nullable]),
    )
    const [rule] = await writer.rows(`DESCRIBE SELECT ${known.sql} FROM ${name}`)
    expect([name, rule?.column_type]).toEqual([name, expect.stringMatching(/^(DATE|TIMESTAMP)$/)])
  }
})
