import { expect, test } from 'vitest'
import { importingBy, posts } from './own-format.ts'

const ROWS = ['source: rows = csv', 'columns: id, post']
const ALL = posts('SELECT *, NULL AS fault, NULL AS left_out FROM rows')
const lines = (...rows: string[]) => ['id,post', ...rows]

test('one file fills several datasets, through a step that they share, in one snapshot', async () => {
  const sql = `-- step: doubled
SELECT *, id || id AS twice FROM rows
${posts('SELECT file, line, twice AS id, post, NULL AS fault, NULL AS left_out FROM doubled')}
-- dataset: institutions
SELECT file, line, twice AS cik, $today AS updated_on, post AS name, NULL::VARCHAR, NULL::VARCHAR, NULL::VARCHAR,
  NULL::VARCHAR, NULL::VARCHAR, []::VARCHAR[] AS people, []::VARCHAR[] AS tags, false AS is_hedge_fund,
  NULL::VARCHAR[] AS fault
FROM doubled`.replace(
    /NULL::VARCHAR, NULL::VARCHAR, NULL::VARCHAR,\n {2}NULL::VARCHAR, NULL::VARCHAR/,
    'NULL::VARCHAR AS short_name, NULL::VARCHAR AS description, NULL::VARCHAR AS website, NULL::VARCHAR AS logo_url, NULL::VARCHAR AS founder_img_url',
  )
  const run = importingBy(ROWS, sql)
  const report = await run.import([run.file('a.csv', lines('1,x', '2,y'))])
  expect(report).toMatchObject({ rows: 4, snapshot: 1, accounts: [{ records: 2, rows: 4, rejected: 0 }] })
  expect(await run.rows('SELECT id, post FROM bars ORDER BY id', 'posts')).toEqual(['11 x', '22 y'])
  expect(await run.rows('SELECT cik, name FROM bars ORDER BY cik', 'institutions')).toEqual(['11 x', '22 y'])
})

test('a flag is a parameter, and the same file with another flag value is imported again', async () => {
  const head = [...ROWS, 'option: said-by = who said it']
  const run = importingBy(
    head,
    posts(
      `SELECT file, line, id, coalesce($said_by::VARCHAR, 'nobody') AS post, NULL AS fault, NULL AS left_out FROM rows`,
    ),
  )
  const path = run.file('a.csv', lines('1,x'))
  await run.import([path])
  expect(await run.rows('SELECT post FROM bars', 'posts')).toEqual(['nobody'])
  const options = { 'said-by': "O'Neil; DROP TABLE rows" }
  expect(await run.import([path], { options })).toMatchObject({ published: true })
  expect(await run.import([path], { options })).toMatchObject({ published: false, skipped: 1 })
  expect(await run.rows('SELECT post FROM bars', 'posts')).toEqual(["O'Neil; DROP TABLE rows"])
  expect(await run.refusal([path], { options: { by: 'x' } })).toBe(
    'usage: own has no option --by: it has --said-by',
  )
})

test('the mapping reads the rows of the lake, and none for a new lake', async () => {
  const run = importingBy(
    [...ROWS, 'reads: posts'],
    posts(
      `SELECT file, line, id, post || (SELECT count(*) FROM held_posts) AS post, NULL AS fault, NULL AS left_out FROM rows`,
    ),
  )
  await run.import([run.file('a.csv', lines('1,x', '2,x'))])
  await run.import([run.file('b.csv', lines('3,x'))])
  expect(await run.rows('SELECT id, post FROM bars ORDER BY id', 'posts')).toEqual(['1 x0', '2 x0', '3 x2'])
  const preview = await run.import([run.file('c.csv', lines('1,x', '4,x'))], { isDryRun: true })
  // With the three stored rows, the first one would be x3 in place of x0.
  expect(preview.datasets).toMatchObject([{ rows: 2, added: 1, replaced: 1 }])
})

test('the last row by file and line of those with the same key stays, whatever the order of the mapping', async () => {
  const run = importingBy(ROWS, `${ALL} ORDER BY file DESC, line DESC`)
  const files = [run.file('z.csv', lines('1,z2', '1,z3')), run.file('a.csv', lines('1,a2', '1,a3'))]
  expect(await run.import(files)).toMatchObject({ rows: 1, accounts: [{ rows: 2 }, { rows: 2 }] })
  expect(await run.rows('SELECT post FROM bars', 'posts')).toEqual(['a3'])
  expect(run.notices()).toEqual(['3 rows were replaced by later rows with the same key'])
})

test('values excluded from imported rows are counted by reason, those of rejected rows are not', async () => {
  const run = importingBy(
    ROWS,
    posts(`SELECT *, CASE WHEN id = 'bad' THEN ['id', 'bad', id] END AS fault,
      [CASE WHEN post <> '' THEN ['post', 'too long', post] END, CASE WHEN id = '2' THEN ['id', 'odd', id] END] AS left_out
      FROM rows`),
  )
  const report = await run.import([run.file('a.csv', lines('1,x', '2,y', 'bad,z', '3,'))])
  expect(report).toMatchObject({
    rows: 3,
    rejected: 1,
    faults: [{ fault: 'id: bad', rows: 1 }],
    notes: [
      { fault: 'post: too long', rows: 2 },
      { fault: 'id: odd', rows: 1 },
    ],
  })
})

test('rows with warnings are kept and counted by reason; a strict import rejects them, and those with notes', async () => {
  const run = importingBy(
    ROWS,
    posts(
      `SELECT *, CASE WHEN id = 'bad' THEN ['id', 'bad', id] END AS fault,
        [CASE WHEN post = 'long' THEN ['post', 'too long', post] END] AS left_out,
        [NULL, CASE WHEN post LIKE '%odd%' THEN ['post', 'odd', post] END, CASE WHEN id = '2' THEN ['id', 'two', id] END] AS odd
        FROM rows`,
      'odd::VARCHAR[][] AS warnings',
    ),
  )
  const path = run.file('a.csv', lines('1,x', '2,odd', 'bad,odd', '3,odder', '4,long', '5,y', '6,z', '7,'))
  const warnings = [
    { fault: 'post: odd', rows: 2 },
    { fault: 'id: two', rows: 1 },
  ]
  const notes = [{ fault: 'post: too long', rows: 1 }]
  const kept = await run.import([path])
  expect(kept).toMatchObject({ rows: 7, rejected: 1, notes, warnings, accounts: [{ notes, warnings }] })

  const strict = await run.import([path], { isStrict: true, lake: `${run.lake}-strict` })
  expect(strict).toMatchObject({ rows: 4, rejected: 4, notes: [], warnings: [] })
  expect(strict.faults).toEqual([
    { fault: 'post: odd', rows: 2 },
    { fault: 'id: bad', rows: 1 },
    { fault: 'post: too long', rows: 1 },
  ])
  expect(await run.rows('SELECT id FROM bars ORDER BY id', 'posts')).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
  ])
  expect(await run.import([path], { lake: `${run.lake}-strict` })).toMatchObject({ rows: 7, published: true })
})

test('a file with more than half of its rows rejected fails the import, and its rejects stay in the lake', async () => {
  const run = importingBy(
    ROWS,
    posts(
      `SELECT *, CASE WHEN post = 'bad' THEN ['post', 'bad', post] END AS fault, NULL AS left_out FROM rows`,
    ),
  )
  const bad = run.file('bad.csv', lines('1,bad', '2,bad', '3,x'))
  expect(await run.refusal([bad])).toContain('nothing was imported: 2 of 3 rows of')
  await run.import([run.file('a.csv', lines('1,x', '2,bad'))])
  expect(await run.refusal([bad])).toMatch(/all are in .*\.csv$/)
  expect(await run.rows('SELECT id FROM bars', 'posts')).toEqual(['1'])
})

test('a known file is read again with a new one if the format reads files together', async () => {
  const head = [...ROWS, 'source: names = csv', 'columns: id, name']
  const run = importingBy(
    head,
    posts(`SELECT rows.file, rows.line, id, coalesce(name, '?') AS post, NULL AS fault, NULL AS left_out
      FROM rows LEFT JOIN names USING (id)`),
  )
  const rows = run.file('rows.csv', lines('1,x'))
  await run.import([rows])
  expect(await run.rows('SELECT post FROM bars', 'posts')).toEqual(['?'])
  const names = run.file('names.csv', ['id,name', '1,one'])
  expect(await run.import([rows, names])).toMatchObject({ skipped: 0, published: true })
  expect(await run.rows('SELECT post FROM bars', 'posts')).toEqual(['one'])
  expect(await run.import([rows, names])).toMatchObject({ skipped: 2, published: false })
})

test('a file that only completes another is rejected by its own records, not by the rows of the other', async () => {
  const head = [...ROWS, 'source: names = csv', 'columns: id, name']
  const run = importingBy(
    head,
    posts(`SELECT rows.file, rows.line, id, coalesce(name, '?') AS post, NULL AS fault, NULL AS left_out
        FROM rows LEFT JOIN names USING (id)
      UNION ALL SELECT file, line, NULL, NULL, ['name', 'missing', NULL], NULL FROM names WHERE name IS NULL`),
  )
  const rows = run.file('rows.csv', lines('1,x', '2,y'))
  const names = run.file('names.csv', ['id,name', '1,one', '2,'])
  expect(await run.import([rows, names])).toMatchObject({ rows: 2, rejected: 1 })
  const worse = run.file('worse.csv', ['id,name', '1,', '2,'])
  expect(await run.refusal([rows, worse])).toContain('2 of 2 rows of')
})

test('of files that are read together, bad ones are refused, and the others mapped without them', async () => {
  const head = [...ROWS, 'source: names = csv', 'columns: id, name']
  const run = importingBy(
    head,
    posts(`SELECT rows.file, rows.line, id, coalesce(name, '?') AS post,
        CASE WHEN rows.post = 'bad' THEN ['post', 'bad', NULL] END AS fault, NULL AS left_out
        FROM rows LEFT JOIN names USING (id)
      UNION ALL SELECT file, line, NULL, NULL, ['name', 'missing', NULL], NULL FROM names WHERE name IS NULL`),
  )
  const files = [
    run.file('rows.csv', lines('1,x', '2,y', '3')),
    run.file('empty.csv', lines()),
    run.file('names.csv', ['id,name', '1,one', '2,', '3,']),
    run.file('other.csv', ['id,name', '2,two']),
    run.file('broken.csv', lines('4,bad', '5,x', '6')),
  ]
  const report = await run.import(files)
  expect(report).toMatchObject({ rows: 2, rejected: 1, accounts: [{ file: files[0] }, { file: files[3] }] })
  expect(report.refused.map(({ file }) => file)).toEqual([1, 2, 4].map(index => files[index]))
  expect(await run.rows('SELECT id, post FROM bars ORDER BY id', 'posts')).toEqual(['1 ?', '2 two'])
  expect(run.rejects()).toEqual(['4||too few fields|3'])
})
