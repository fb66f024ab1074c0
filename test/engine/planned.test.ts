import { DOUBLE, type DuckDBConnection, DuckDBInstance, LIST, listValue } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Bindings,
  type Bound,
  date,
  dates,
  decimal,
  instants,
  integer,
  integers,
  microInstant,
  ofFew,
  text,
  texts,
} from '../../src/engine/bind.ts'
import { nothingKnown, openPlanned, withoutHashJoins } from '../../src/engine/planned.ts'

let instance: DuckDBInstance
let connection: DuckDBConnection
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  await connection.run(
    `CREATE TABLE t AS SELECT range AS n, 'T' || (range % 500) AS ticker, DATE '2024-01-01' + (range % 30)::INTEGER AS day
     FROM range(20000)`,
  )
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const NONE: Bound = { ...text(''), value: null }

/** What connections know of a statement that takes less time if it is planned once, or does not. */
function knownOf(sql: string, isBetterOnce: boolean) {
  const known = nothingKnown()
  known.once.set(sql, isBetterOnce)
  return known
}

/** Prepares twice, so that the statement is planned, and returns what each of the values answers. */
async function answers(
  sql: string,
  all: readonly Bindings[],
  values: readonly string[],
  isBetterOnce = true,
) {
  const planned = openPlanned(connection, knownOf(sql, isBetterOnce))
  const given: (string | null)[] = []
  for (const bindings of all) {
    const statement = await planned.prepare(sql, bindings, new Set(values))
    given.push(statement === null ? null : String((await (await statement.run()).getRows())[0]))
  }
  planned.close()
  return given
}

describe('planned statements', () => {
  test('are prepared when their text comes for the second time, for any values', async () => {
    const sql = 'SELECT count(*) FROM t WHERE ticker = $ticker AND n >= $least'
    const bound = (ticker: string, least: bigint): Bindings => ({
      ticker: text(ticker),
      least: integer(least),
    })
    expect(
      await answers(
        sql,
        [
          bound('T3', 0n),
          bound('T3', 0n),
          bound('T4', 19000n),
          bound('A', 0n),
          bound("T'5", 0n),
          bound('T499', -5n),
        ],
        ['ticker', 'least'],
      ),
    ).toEqual([null, '40', '2', '0', '0', '40'])
  })

  test('are not used where it takes longer to set the values than to plan, unless there are none', async () => {
    const sql = 'SELECT count(*) FROM t WHERE n < $n'
    const bound = (n: bigint) => ({ n: integer(n) })
    expect(await answers(sql, [3n, 3n, 4n].map(bound), ['n'], false)).toEqual([null, null, null])
    expect(await answers(sql, [3n, 3n, 4n].map(bound), ['n'], true)).toEqual([null, '3', '4'])
    expect(await answers(sql, [3n, 3n].map(bound), [], false)).toEqual([null, '3'])
  })

  const plan = async (sql: string) => {
    const result = await connection.run(
      `EXPLAIN ${sql.replaceAll('$ticker', '(SELECT value FROM duckdb_variables())')}`,
    )
    return String(await result.getRows())
  }

  test('compare a column of few rows with its value without a hash join', async () => {
    const sql = 'SELECT n FROM t WHERE ticker = $ticker'
    expect(await plan(sql)).toContain('HASH_JOIN')
    expect(await plan(withoutHashJoins(sql))).not.toContain('HASH_JOIN')
  })

  test.each([
    'SELECT count(*) FROM t WHERE ticker = $ticker',
    'SELECT count(*) FROM t WHERE n > 7 AND t.ticker = $ticker AND day IS NOT NULL',
    'SELECT count(*) FROM t WHERE NOT (ticker = $ticker)',
    "SELECT count(*) FROM t WHERE (ticker = $ticker) OR 'WHERE ticker = $ticker' = ticker -- WHERE ticker = $ticker",
    'SELECT count(*) FILTER (WHERE ticker = $ticker) FROM t',
    'SELECT count(*) FROM t WHERE (ticker = $ticker) IS NULL',
  ])('answer the same over few rows: %s', async sql => {
    for (const ticker of [text('T3'), text("T'3"), NONE]) {
      const bindings = { ticker }
      const given: string[] = []
      for (const ofFewRows of [false, true]) {
        const planned = openPlanned(connection, knownOf(sql, true))
        const prepare = () => planned.prepare(sql, bindings, new Set(['ticker']), { ofFewRows })
        await prepare()
        given.push(String(await (await (await prepare())?.run())?.getRows()))
        planned.close()
      }
      expect(given[0]).toMatch(/^\d+$/)
      expect(given[1]).toBe(given[0])
    }
  })

  test.each([
    'SELECT * FROM t WHERE n + n = $ticker',
    'SELECT * FROM t WHERE ticker = $ticker || $ticker',
    'SELECT \'WHERE ticker = $ticker\', "( ticker = $ticker)" FROM t -- WHERE ticker = $ticker',
    'SELECT * FROM t WHERE ticker >= $ticker',
  ])('leave other conditions as they are: %s', sql => {
    expect(withoutHashJoins(sql)).toBe(sql)
  })

  test('have lists of which there are few in their text, without any text that is not plain', async () => {
    const sql = 'SELECT count(*) FROM t WHERE list_contains($tickers, ticker)'
    const few = (tickers: readonly string[]) => ({ tickers: ofFew(texts(tickers)) })
    const many = { tickers: texts(['T3']) }
    // A list in the text is a text of its own, which is prepared when it comes for the second time, however little that saves.
    expect(await answers(sql, [['T3'], ['T4'], ['T3', 'T4'], ['T3', 'T4'], []].map(few), [], false)).toEqual([
      null,
      null,
      null,
      '80',
      null,
    ])
    expect(await answers(sql, [many, many], [], false)).toEqual([null, null])
    const none = { tickers: texts([]) }
    expect(await answers(sql, [none, none], [], false)).toEqual([null, '0'])
    const odd = few(["T3') OR true --", 'T4'])
    expect(await answers(sql, [odd, odd], [], false)).toEqual([null, null])
    expect(await answers(sql, [odd, odd], [], true)).toEqual([null, '40'])
  })

  // Each of these gave the first answer again with `getvariable` or a plain column in place of the subquery: DuckDB writes the
  // value, or what it knows of a column, into the plan.
  test.each([
    ['SELECT count(*) FROM t WHERE $n < 100', ['20000', '0', '20000', '0']],
    ['SELECT count(*) FROM t WHERE $n = 10 AND t.n < 50', ['50', '0', '0', '0']],
    ['SELECT count(*) FROM t WHERE t.n = $n', ['1', '1', '0', '0']],
    ['SELECT count(*) FROM t WHERE t.n % 7 >= $n OR $n > 600', ['0', '0', '20000', '20000']],
  ])('follow their values: %s', async (sql, expected) => {
    const bound = [10n, 10n, 500n, -5n, 50_000n].map(n => ({ n: integer(n) }))
    expect((await answers(sql, bound, ['n'])).slice(1)).toEqual(expected)
  })

  test('have exact values of each type', async () => {
    const all = {
      text: text(`it's "so" \\ € 😀`),
      decimal: decimal(1_000_000_001n, 10),
      integer: integer(9_007_199_254_740_993n),
      time: microInstant(1_704_292_200_123_456n),
      none: NONE,
      day: date('2024-02-29'),
      list: texts(["a'b", 'null']),
      numbers: integers([9_007_199_254_740_991, null]),
      shares: { type: LIST(DOUBLE), value: listValue([0.1, null, 1e300]) },
      days: dates(['2024-02-29', '1969-12-31']),
      times: instants([-1, 1_704_292_200_123]),
    }
    const sql =
      "SELECT concat_ws('|', $text, $decimal, $integer, $time, $day, $list[1], $list[2]), $numbers::VARCHAR, $shares::VARCHAR, $days::VARCHAR, $times::VARCHAR, $none IS NULL"
    const given = await answers(sql, [all, all], Object.keys(all))
    expect(given[1]).toBe(
      `it's "so" \\ € 😀|0.1000000001|9007199254740993|2024-01-03 14:30:00.123456|2024-02-29|a'b|null,[9007199254740991, NULL],[0.1, NULL, 1e+300],[2024-02-29, 1969-12-31],['1969-12-31 23:59:59.999', '2024-01-03 14:30:00.123'],true`,
    )
  })

  test('never have a text of a client in their SQL, also in a list', async () => {
    const hostile = ["x'; DROP TABLE t; --", '"quoted", [list]', '\\', '€ 😀']
    const sql = "SELECT array_to_string($list, '|') || '|' || $word"
    const bound = (word: string): Bindings => ({ list: texts([word, 'b']), word: text(word) })
    // The second one has the same text of SQL as the first: it is planned, and so are all that follow.
    const [first, ...others] = await answers(sql, ["it's", ...hostile].map(bound), [])
    expect(first).toBeNull()
    expect(others).toEqual(hostile.map(word => `${word}|b|${word}`))
    expect(await answers('SELECT count(*) FROM t', [{}, {}], [])).toEqual([null, '20000'])
  })

  test('are not used where DuckDB cannot plan them so', async () => {
    const sql = 'SELECT list_transform([1, 2], lambda x: x + $n)::VARCHAR'
    const bound = { n: integer(1n) }
    const [, second, third] = await answers(sql, [bound, bound, bound], ['n'])
    expect([second, third].every(each => each === null || each === '[2, 3]')).toBe(true)
  })

  test('have lists with each text as it is', async () => {
    const lists: (string | null)[][] = [
      [''],
      [null, 'NULL', 'null'],
      ['a"b', "a'b", 'a\\b', '\\', '"', '\\"\\'],
      [' a ', ',', 'a, b', ']', '[', '["a"]', '{a: 1}', '(a)'],
      ['\u0001\b\f\n\r\t\u001f', '\\n', '\\u0041'],
    ]
    const bound = (items: readonly (string | null)[]) => ({ list: { ...texts([]), value: listValue(items) } })
    const given = await answers('SELECT to_json($list)', [['first'], ...lists].map(bound), ['list'])
    expect(given.slice(1).map(each => JSON.parse(each ?? ''))).toEqual(lists)
  })

  test('have texts with each character that JSON escapes', async () => {
    const odd = [
      '',
      ' ',
      'null',
      '\u0001\b\f\n\r\t\u001f',
      '\u007f\u2028\ud83d\ude00',
      '\\u0041"/',
      '["a"]',
      '{"a":1}',
    ]
    const bound = (word: string): Bindings => ({ word: text(word), list: texts([word]) })
    const sql = 'SELECT $word, $list[1]'
    expect((await answers(sql, ['first', ...odd].map(bound), ['word', 'list'])).slice(1)).toEqual(
      odd.map(word => `${word},${word}`),
    )
  })
})
