const mapping = name => `-- ${name}: …
-- expects: …
-- rejects: …
-- rows: alone
-- source: raw = csv
-- column: ticker = ticker, symbol; made upper-case
-- column: date = date; 2024-01-31
-- column: close = close; dollars
--
-- \`raw\` has one row per record: its \`file\` and \`line\`, and the columns above as text. The answer is \`file\`, \`line\`, the
-- dataset's columns in their order, and \`fault\`: NULL, or the first problem of the row as [column, reason, value].
-- dataset: daily_bars
SELECT
  file,
  line,
  TRY_CAST(date AS DATE) AS date,
  upper(ticker) AS ticker,
  NULL::DECIMAL(18, 6) AS open,
  NULL::DECIMAL(18, 6) AS high,
  NULL::DECIMAL(18, 6) AS low,
  TRY_CAST(close AS DECIMAL(18, 6)) AS close,
  NULL::DECIMAL(18, 6) AS adjusted_close,
  NULL::BIGINT AS volume,
  NULL::VARCHAR[] AS fault
FROM raw
`

const sample = `ticker,date,close
ACME,2024-01-31,100
`

const test = name => `import { expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

test('the sample of ${name} is imported', async () => {
  const at = importingFormat('${name}')
  const report = await at.import(['data/samples/${name}/${name}.csv'])
  expect(report).toMatchObject({ rows: 1, rejected: 0 })
  expect(await at.rows('SELECT * FROM bars', 'daily_bars')).toEqual(['…'])
})
`

/** A new format of files for `tapehouse import`. */
export const format = {
  summary: 'a format of files that can be imported',
  example: 'broker-trades',
  separator: '-',
  files: name => ({
    [`sql/import/${name}.sql`]: mapping(name),
    [`data/samples/${name}/${name}.csv`]: sample,
    [`test/sql/import/${name}.test.ts`]: test(name),
  }),
  lines: () => ({}),
  next: name => [
    `sql/import/${name}.sql: write the head, the columns and the SELECT of the dataset; another format such as sql/import/daily-bars.sql is an example`,
    `data/samples/${name}: write records as the source publishes them, among them one that is rejected`,
    `test/sql/import/${name}.test.ts: write the rows that follow from the sample, worked out by hand`,
    `npx vitest run test/house test/sql/import/${name}.test.ts test/sql/import/sources.test.ts: names what is missing`,
    'npm run docs: updates the generated documents',
  ],
}
