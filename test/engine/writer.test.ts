import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  boolean,
  date,
  decimal,
  double,
  instant,
  integer,
  integers,
  text,
  texts,
} from '../../src/engine/bind.ts'
import { openWriter, type Writer } from '../../src/engine/writer.ts'

const BINDINGS = {
  word: text("O'Neil; DROP TABLE x --"),
  list: texts(['a', "b'c", '$word']),
  day: date('1969-12-31'),
  at: instant(-1500),
  n: integer(9_007_199_254_740_993n),
  ns: integers([1, null]),
  x: double(0.1),
  price: decimal(1234n, 3),
  yes: boolean(true),
  none: text(null),
  never_used: text('unused'),
}

const SELECT = `SELECT $word AS word, $list AS list, $day AS day, $at AS at, $n AS n, $ns AS ns, $x AS x, $price AS price,
  $yes AS yes, $none AS none, $without_value AS without_value, $list[2] AS second, $word || '$word' AS "it's $word", typeof($price) AS type
  FROM range($n - 9007199254740992) WHERE list_contains($list, 'a') AND $none IS NULL LIMIT $n`

const EXPECTED = {
  word: "O'Neil; DROP TABLE x --",
  list: ['a', "b'c", '$word'],
  day: '1969-12-31',
  at: '1969-12-31 23:59:58.5',
  n: '9007199254740993',
  ns: ['1', null],
  x: 0.1,
  price: '1.234',
  yes: true,
  none: null,
  without_value: null,
  second: "b'c",
  "it's $word": "O'Neil; DROP TABLE x --$word",
  type: 'DECIMAL(18,3)',
}

describe('the values of a statement', () => {
  let folder: string
  let writer: Writer
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapehouse-test-writer-'))
    writer = await openWriter({ directories: [folder] })
  })
  afterAll(() => {
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const lengthened = (sql: string) => `${sql} -- ${'x'.repeat(2000)}`

  test.each([
    ['short', (sql: string) => sql],
    ['long', lengthened],
  ])('are read as they were bound, of every type, by a %s one', async (_, form) => {
    expect(await writer.rows(form(SELECT), BINDINGS)).toEqual([EXPECTED])
  })

  test('leave nothing behind, also if it fails', async () => {
    await writer.rows(lengthened(SELECT), BINDINGS)
    await expect(writer.rows(lengthened(`SELECT error($word)`), BINDINGS)).rejects.toThrow("O'Neil")
    await expect(writer.rows(lengthened(`SELECT $word FROM missing_table`), BINDINGS)).rejects.toThrow(
      'missing_table',
    )
    expect(await writer.rows('SELECT name FROM duckdb_variables()')).toEqual([])
  })

  test.each([
    ['without values', 'CREATE TABLE first_one AS SELECT 1 AS n; CREATE TABLE second AS SELECT 2 AS n'],
    ['in quotes before', `SELECT ';' AS ";"; CREATE TABLE second AS SELECT 2 AS n`],
    ['after a comment', 'SELECT 1 /* ; */ ; -- ; \n CREATE TABLE second AS SELECT 2 AS n'],
    ['with values', 'SELECT $n; CREATE TABLE second AS SELECT 2 AS n'],
    ['of a long text', lengthened('SELECT $n; CREATE TABLE second AS SELECT 2 AS n')],
  ])('are not those of several: none of these runs, %s', async (_, sql) => {
    await expect(writer.run(sql, { n: integer(1) })).rejects.toThrow(/only one statement/)
    expect(await writer.rows('SELECT table_name FROM duckdb_tables()')).toEqual([])
  })

  test('are those of one that ends with a semicolon, and has others in texts, names and comments', async () => {
    const sql = `SELECT ';$n' AS ";", $n AS n /* ; SELECT */; -- the end; really`
    expect(await writer.rows(sql, { n: integer(1) })).toEqual([{ ';': ';$n', n: '1' }])
  })

  test('of statements that run at once on two connections are their own', async () => {
    const other = await writer.beside()
    const ask = (of: Writer, n: number) =>
      of.rows(lengthened('SELECT sum(range * $n) AS total FROM range(100_000)'), { n: integer(n) })
    const answers = await Promise.all([1, 2, 3, 4].flatMap(n => [ask(writer, n), ask(other, -n)]))
    other.close()
    // The numbers below 100,000 add up to 4,999,950,000.
    expect(answers.map(([row]) => row?.total)).toEqual(
      [1, -1, 2, -2, 3, -3, 4, -4].map(n => String(n * 4_999_950_000)),
    )
  })
})
