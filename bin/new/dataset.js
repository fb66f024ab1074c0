const schema = name => `-- ${name}: …
-- partition: day by date
-- key: date, ticker
-- sort: ticker
-- ranges: ticker
-- known: date; …
CREATE TABLE ${name} (
  date DATE NOT NULL,      -- …
  ticker VARCHAR NOT NULL  -- …
);
`

/** A new dataset of the lake. */
export const dataset = {
  summary: 'a dataset of the lake',
  example: 'stock_news',
  separator: '_',
  files: name => ({ [`sql/schema/${name}.sql`]: schema(name) }),
  lines: () => ({}),
  next: name => [
    `sql/schema/${name}.sql: write the summary, the partition, the key, when a row became known, the columns, and the unit of each column`,
    `how it is filled: npm run new format <name> for files, or sql/derive/${name}.sql for a dataset derived from others`,
    'sql/generate: generate rows of it, so that the demo lake has the dataset',
    'src/operations/fields/elsewhere.ts: a reason for each column that no operation shows',
    'npx vitest run test/house test/lake/store/schema.test.ts test/operations/fields: names what is missing',
    'npm run docs: updates the generated documents',
  ],
}
