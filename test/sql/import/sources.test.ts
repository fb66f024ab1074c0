import { describe, expect, test } from 'vitest'
import { importingBy, posts } from './own-format.ts'

const PLAIN = posts('SELECT *, NULL AS fault, NULL AS left_out FROM rows')
const SHOWN = "SELECT id || ' ' || post FROM bars ORDER BY id"

describe('a file in columns', () => {
  const COLUMNS = [
    'source: rows = csv, ndjson, parquet',
    'column: id = id, number',
    'optional: post = post, said',
  ]

  test('may have lines before its header, which the mapping sees with the name of the file', async () => {
    const sql = posts(
      `SELECT rows.file, line, id, concat_ws('/', name, preamble[2], header[1], post) AS post, NULL AS fault, NULL AS left_out
       FROM rows JOIN files ON rows.file = files.file`,
    )
    const run = importingBy(COLUMNS, sql)
    const path = run.file('some name.csv', ['A fund', '"as of","Dec 06, 2024"', '', ' ID ,Said', 'a,x', 'b,'])
    expect((await run.import([path])).accounts).toMatchObject([{ records: 2, rows: 2, rejected: 0 }])
    expect(await run.rows(SHOWN, 'posts')).toEqual([
      'a some name.csv/"as of","Dec 06, 2024"/ID/x',
      'b some name.csv/"as of","Dec 06, 2024"/ID',
    ])
  })

  test('keeps the line numbers of the whole file in its rejects', async () => {
    const run = importingBy(
      COLUMNS,
      posts(
        "SELECT *, [NULL, 'bad', id] AS fault, NULL AS left_out FROM rows WHERE id = 'b' UNION ALL SELECT *, NULL, NULL FROM rows WHERE id <> 'b'",
      ),
    )
    await run
      .import([run.file('a.csv', ['a fund', '', 'id,post', 'a,x', 'b,y', 'c', 'd,"e'])])
      .catch(() => {})
    const good = ['e,1', 'f,2', 'g,3']
    await run.import([run.file('a.csv', ['a fund', '', 'id,post', 'a,x', 'b,y', 'c', ...good])])
    expect(run.rejects()).toEqual(['5||bad|b', '6||too few fields|c'])
  })

  test('without a header within 50 lines is rejected, with the missing columns', async () => {
    const run = importingBy(COLUMNS, PLAIN)
    const lines = Array.from({ length: 50 }, (_, line) => `line ${line},x`)
    expect(await run.refusal([run.file('a.csv', [...lines, 'id,post', 'a,x'])])).toContain(
      'a.csv lacks the column id (or number): the first line must be the header',
    )
    const found = await run.import([run.file('a.csv', [...lines.slice(1), 'id,post', 'a,x'])])
    expect(found.rows).toBe(1)
  })

  test('may have a name twice, and one that no other column uses', async () => {
    const run = importingBy(
      ['source: rows = csv', 'column: first = id#1', 'column: id = id#2', 'column: post = post, *'],
      PLAIN,
    )
    await run.import([run.file('a.csv', ['id,id,DGS10', '1,2,x'])])
    expect(await run.rows(SHOWN, 'posts')).toEqual(['2 x'])
    const refusal = await run.refusal([run.file('b.csv', ['id,id,DGS10,DGS2', '1,2,x,y'])])
    expect(refusal).toContain('lacks the column post (or *)')
  })

  test('may have no header: it has bars, no quotes, and its first line determines the source', async () => {
    const head = [
      'source: others = csv, no header',
      'begins: ^X',
      'columns: id, post',
      'source: rows = csv, no header, windows-1252',
      'begins: ^C\\d\\|',
      'column: id = id',
      'column: post = post',
    ]
    const run = importingBy(head, PLAIN)
    const text = Buffer.from('C1|the "A" PAC\nC2|JOS\xc9\nC3|a|b\nC4|\n', 'latin1')
    const report = await run.import([run.file('cm.txt', text)])
    expect(report.accounts).toMatchObject([{ records: 4, rows: 3, rejected: 1 }])
    expect(await run.rows(SHOWN, 'posts')).toEqual(['C1 the "A" PAC', 'C2 JOSÉ', 'C4 '])
    expect(run.rejects()).toEqual(['3||too many fields|C3|a|b'])
    expect(await run.refusal([run.file('y.txt', ['Y1|a'])])).toContain(
      'y.txt is not a file of this format: it starts with "Y1|a"',
    )
  })

  test('that is JSON lines has the same names', async () => {
    const run = importingBy(COLUMNS, PLAIN)
    const lines = ['{"Number": 1, "said": "x"}', '{"id": "b"', '{"id": "c", "post": null}']
    expect((await run.import([run.file('a.jsonl', lines)])).accounts).toMatchObject([
      { records: 3, rows: 2, rejected: 1, faults: [{ fault: 'not a JSON object', rows: 1 }] },
    ])
    expect(await run.rows(SHOWN, 'posts')).toEqual(['1 x', 'c '])
    expect(await run.refusal([run.file('b.jsonl', ['{"post": 1}'])])).toContain('lacks id')
  })

  test('that is JSON may be an array, or in a wrapper, with the digits as written', async () => {
    const run = importingBy(COLUMNS, PLAIN)
    await run.import([
      run.file('a.json', '[{"Number": 12345678901234567890.10, "said": "x"},\n {"id": "b",\n "post": "y"}]'),
      run.file('b.json', '{"status": "OK", "data": [{"id": "c", "post": "z"}]}'),
    ])
    expect(await run.rows(SHOWN, 'posts')).toEqual(['12345678901234567890.10 x', 'b y', 'c z'])
  })

  test('is recognised by content, and an archive that is damaged is rejected', async () => {
    const run = importingBy(COLUMNS, PLAIN)
    await run.import([run.file('a.csv', '\ufeff {"id": "a", "post": "x"}\n')])
    expect(await run.rows(SHOWN, 'posts')).toEqual(['a x'])
    expect(await run.refusal([run.file('b.csv', Buffer.from('PK\x03\x04....'))])).toContain(
      'b.csv cannot be unpacked: ',
    )
    expect(await run.refusal([run.file('c.csv', '<a/>')])).toContain(
      'c.csv is XML, but own reads csv, ndjson, parquet; it starts with "<a/>": import it without a format',
    )
  })
})

describe('a file in records', () => {
  const HEAD = ['source: rows = json, xml', 'repeated: post']
  const RECORDS = posts(
    `SELECT file, line, line || ':' || (record->>'id') AS id, record->>'post' AS post, NULL AS fault, NULL AS left_out
     FROM rows`,
  )

  test.each([
    ['an object', '\ufeff{"id": "a",\n "post": "x"}', ['1:a x']],
    ['an array', '[{"id": "a", "post": "x"},\n{"id": "b", "post": 1.50}]', ['1:a x', '2:b 1.5']],
    ['lines', '{"id": "a", "post": "x"}\n\n{"id": "b", "post": "y"}\n', ['1:a x', '3:b y']],
    [
      'an array with one that is not an object',
      '[1, {"id": "b", "post": "y"}, {"id": "c", "post": "z"}]',
      ['2:b y', '3:c z'],
    ],
    [
      'long numbers',
      '[{"id": 12345678901234567890123, "post": 0.12345678901234567890}]',
      ['1:12345678901234567890123 0.12345678901234567890'],
    ],
  ])('may be %s', async (_, text, rows) => {
    const run = importingBy(HEAD, RECORDS)
    await run.import([run.file('a.json', text)])
    expect(await run.rows(SHOWN, 'posts')).toEqual(rows)
  })

  test('that are JSON lines are rejected one by one', async () => {
    const run = importingBy(HEAD, RECORDS)
    const path = run.file('a.json', ['{"id": "a", "post": "x"}', '{"id": ', '{"id": "b", "post": "y"}'])
    expect((await run.import([path])).accounts).toMatchObject([{ records: 3, rows: 2, rejected: 1 }])
    expect(run.rejects()).toEqual(['2||not a JSON object|{"id": '])
  })

  test.each([
    ['is no JSON', '[{"id": "a"},', 'a.json cannot be read'],
    ['is empty', '[]', 'has no rows, it is an empty list'],
    [
      'declares a document type',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
      'cannot be read',
    ],
    ['is no XML', '<a><b></a>', 'a.json cannot be read'],
  ])('that %s is refused', async (_, text, message) => {
    const run = importingBy(HEAD, RECORDS)
    expect(await run.refusal([run.file('a.json', text)])).toContain(message)
  })

  test('may be XML, alone or within a submission', async () => {
    const sql = posts(
      `SELECT file, line, coalesce(record->'submission'->>'accession_number', 'none') || line AS id,
         record->'document'->'a'->>'post' AS post, NULL AS fault, NULL AS left_out FROM rows`,
    )
    const run = importingBy(HEAD, sql)
    await run.import([
      run.file('a.xml', '\n<?xml version="1.0"?>\n<n:a xmlns:n="urn:n" x="1"><n:post> 1 </n:post></n:a>'),
      run.file(
        'b.txt',
        '<SUBMISSION><ACCESSION-NUMBER>0001-25-1<TYPE>4<DOCUMENT><TEXT><XML><a><post>2</post><post>3</post></a></XML></TEXT></DOCUMENT></SUBMISSION>',
      ),
    ])
    expect(await run.rows(SHOWN, 'posts')).toEqual(['0001-25-11 ["2","3"]', 'none1 ["1"]'])
  })
})

test('a record in a wrapper is found by the members that it must have', async () => {
  const run = importingBy(
    ['source: rows = json', 'has: id'],
    posts("SELECT file, line, record->>'id' AS id, '' AS post, NULL AS fault, NULL AS left_out FROM rows"),
  )
  await run.import([run.file('a.json', '{"next": {"page": 2}, "results": [{"id": "a"}, {"id": "b"}]}')])
  expect(await run.rows('SELECT id FROM bars', 'posts')).toEqual(['a', 'b'])
  expect(await run.refusal([run.file('b.json', '{"a": [{"id": 1}], "b": [{"id": 2}]}')])).toContain(
    'b.json cannot be read: it has rows in a and in b: save them as files of their own',
  )
})

test('is of the first of several sources whose members its first record has', async () => {
  const head = ['source: others = json', 'has: other', 'source: rows = json', 'has: id, a.b']
  const run = importingBy(
    head,
    posts("SELECT file, line, record->>'id' AS id, '' AS post, NULL AS fault, NULL AS left_out FROM rows"),
  )
  await run.import([run.file('a.json', '[{"id": 1, "a": {"b": 2}}]'), run.file('b.json', '{"other": 1}')])
  expect(await run.rows('SELECT id FROM bars', 'posts')).toEqual(['1'])
  expect(await run.refusal([run.file('c.json', '{"id": 1}')])).toContain(
    'c.json is not a file of this format: its first record lacks other; or id, a.b',
  )
})

test('files of none of the sources of a format are excluded from a folder and reported', async () => {
  const head = ['source: rows = csv', 'columns: id, post', 'source: others = csv', 'columns: x']
  const run = importingBy(head, PLAIN)
  const named = run.file('a.csv', ['id,post', '1,x'])
  const header = run.file('header.csv', ['id'])
  expect(await run.import([run.folder])).toMatchObject({ files: 2, rows: 1 })
  expect(run.notices()).toEqual([
    expect.stringMatching(/^skipped: .*header\.csv is not a file of this format/),
  ])
  expect(await run.refusal([named, header])).toContain('header.csv is not a file of this format')
})
