import { DOUBLE, DuckDBInstance, LIST, listValue } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import {
  boolean,
  date,
  dates,
  double,
  instant,
  integer,
  integers,
  text,
  texts,
} from '../../src/engine/bind.ts'
import { Failure } from '../../src/engine/failure.ts'
import { fillTemplate, parametersOf, presentConditions, readTemplate } from '../../src/engine/template.ts'

describe('a template', () => {
  test('lists each parameter once, without those in strings and comments', () => {
    expect(readTemplate('analytics-window').parameters).toEqual([
      'ohlc',
      'stock_days',
      'symbols',
      'from',
      'to',
      'price_adjustments',
      'interval',
      'stock_bars',
      'minutes',
      'early_closes',
      'from_time',
      'to_time',
    ])
  })

  test('can have strings of many megabytes and doubled quotes', () => {
    const long = "it''s $none ".repeat(2_000_000)
    expect([...parametersOf(`SELECT '${long}', $one, "${'a'.repeat(20_000_000)}", $two`)]).toEqual([
      'one',
      'two',
    ])
    const where = `WHERE '${long}' <> '' AND ($gone IS NULL OR x = $gone)`
    expect(presentConditions(where, { gone: text(null) })).toBe(`WHERE '${long}' <> '' `)
  })

  test('with its parameters filled in returns the same row in any DuckDB client', async () => {
    const sql = `-- a comment with $word
      SELECT $word AS word, $list AS list, $day AS day, $days AS days, $at AS at, $n AS n, $ns AS ns, $x AS x, $yes AS yes, $none AS none, $list[2] AS second, 'a $word' AS text /* $n */`
    const bindings = {
      word: text("O'Neil; DROP TABLE x --"),
      list: texts(['a', "b'c", '$word']),
      day: date('1969-12-31'),
      days: dates(['2024-02-29', '2000-01-01']),
      at: instant(-1500),
      n: integer(9_007_199_254_740_993n),
      ns: integers([1, null]),
      x: double(0.1),
      yes: boolean(true),
      none: text(null),
    }
    const filled = fillTemplate({ name: 'x', sql, parameters: [] }, bindings)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const [row] = await (await connection.run(filled)).getRowObjectsJson()
    expect(row).toEqual({
      word: "O'Neil; DROP TABLE x --",
      list: ['a', "b'c", '$word'],
      day: '1969-12-31',
      days: ['2024-02-29', '2000-01-01'],
      at: '1969-12-31 23:59:58.5',
      n: '9007199254740993',
      ns: ['1', null],
      x: 0.1,
      yes: true,
      none: null,
      second: "b'c",
      text: 'a $word',
    })
    connection.closeSync()
    instance.closeSync()
  })
  // `NaN` and `Infinity` would be names of columns in SQL.
  test.each([
    ['NaN', double(Number.NaN)],
    ['Infinity', double(Number.POSITIVE_INFINITY)],
    ['-Infinity', { type: LIST(DOUBLE), value: listValue([1.5, Number.NEGATIVE_INFINITY]) }],
  ])('cannot be filled in with %s', (number, x) => {
    const fill = () => fillTemplate({ name: 'x', sql: 'SELECT $x AS x', parameters: ['x'] }, { x })
    expect(fill).toThrow(new Failure('usage', `${number} cannot be written as SQL: a number must be finite`))
    expect(fill).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

describe('the conditions of a template', () => {
  const bindings = { a: integer(1n), gone: text(null), yes: boolean(true), no: boolean(false) }
  test.each([
    ['x WHERE y AND ($a IS NULL OR n > $a) AND z', 'x WHERE y AND (n > $a) AND z'],
    ['x WHERE y AND ($gone IS NULL OR n > $gone) AND z', 'x WHERE y  AND z'],
    // The first one of several, and one of a parameter that is bound to nothing.
    ['x WHERE ($gone IS NULL OR n > $gone) AND y', 'x WHERE true AND y'],
    ['x WHERE y AND ($other IS NULL OR n > $other)', 'x WHERE y '],
    ['x HAVING y\n  AND (\n    $gone IS NULL\n    OR (n > $gone)\n  )\nLIMIT 1', 'x HAVING y\n  \nLIMIT 1'],
    // Further alternatives, and a condition within one.
    ['y AND ($a IS NULL OR n < $a OR ($gone IS NULL OR m) AND k)', 'y AND (n < $a OR true AND k)'],
    ['y AND ($gone IS NULL OR n < $a OR ($a IS NULL OR m)) AND k', 'y  AND k'],
    // Parentheses in texts and comments belong to these.
    ["y AND ($gone IS NULL OR n = '(') -- ($a IS NULL OR (", 'y  -- ($a IS NULL OR ('],
    ["y AND ($a IS NULL OR n = ')' /* ) */ OR m) AND f(k)", "y AND (n = ')' /* ) */ OR m) AND f(k)"],
    // A flag is absent if it is false, too.
    ['x WHERE y AND ($yes IS NOT TRUE OR n > 0) AND z', 'x WHERE y AND (n > 0) AND z'],
    ['x WHERE y AND ($no IS NOT TRUE OR n > 0) AND z', 'x WHERE y  AND z'],
    ['x WHERE ($gone IS NOT TRUE OR n > 0) AND ($no IS NULL OR m = $no)', 'x WHERE true AND (m = $no)'],
    // Others remain.
    ['y AND (n IS NULL OR n > $gone) AND $gone IS NULL', 'y AND (n IS NULL OR n > $gone) AND $gone IS NULL'],
    [
      'y AND ($gone IS NULL AND m) AND (($gone IS NULL))',
      'y AND ($gone IS NULL AND m) AND (($gone IS NULL))',
    ],
  ])('of %j are %j if their parameters are present', (sql, expected) => {
    expect(presentConditions(sql, bindings)).toBe(expected)
  })

  test('of one text are those of the parameters of each request', () => {
    const sql = 'x WHERE ($a IS NULL OR n > $a) AND ($b IS NULL OR n < $b)'
    const of = (...present: readonly string[]) =>
      presentConditions(sql, Object.fromEntries(present.map(name => [name, text('1')])))
    for (let time = 0; time < 2; time += 1) {
      expect(of('a')).toBe('x WHERE (n > $a) ')
      expect(of('b')).toBe('x WHERE true AND (n < $b)')
      expect(of('a', 'b')).toBe('x WHERE (n > $a) AND (n < $b)')
      expect(of()).toBe('x WHERE true ')
    }
  })

  test('have the same rows with and without those of absent parameters', async () => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const sql = `SELECT n FROM range(5) AS t (n) WHERE n <> 1 AND ($a IS NULL OR n > $a) AND ($gone IS NULL OR n > $gone)`
    for (const text of [sql, presentConditions(sql, bindings)]) {
      const filled = text.replaceAll('$a', '2').replaceAll('$gone', 'NULL')
      expect((await (await connection.run(filled)).getRowsJS()).flat().map(Number)).toEqual([3, 4])
    }
    connection.closeSync()
    instance.closeSync()
  })
})
