import { readdirSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from '../house/source.ts'

/**
 * The server does not count the rows of a subquery that is a value, and takes one of them. So each of a template is an aggregate
 * of all rows, or reads the row of a key.
 */

let instance: DuckDBInstance
let connection: DuckDBConnection
let aggregates: ReadonlySet<unknown>
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  const result = await connection.run(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'",
  )
  aggregates = new Set((await result.getRows()).map(([name]) => name))
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

interface Node {
  readonly class?: string
  readonly subquery_type?: string
  readonly subquery?: { readonly node: Select }
}

interface Select {
  readonly type: string
  readonly select_list: readonly { readonly class: string; readonly function_name?: string }[]
  readonly group_expressions: readonly unknown[]
}

/** The subqueries of a statement that are values. */
async function scalarSubqueries(sql: string): Promise<Select[]> {
  const result = await connection.run('SELECT json_serialize_sql($sql::VARCHAR)', { sql })
  const [[json] = []] = await result.getRows()
  const { error, error_message, statements } = JSON.parse(String(json)) as {
    error: boolean
    error_message?: string
    statements: unknown
  }
  expect(error, error_message).toBe(false)
  return found(statements)
}

function found(value: unknown): Select[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(found)
  const { class: kind, subquery_type, subquery } = value as Node
  return kind === 'SUBQUERY' && subquery_type === 'SCALAR' && subquery ? [subquery.node, ...inside] : inside
}

const isOneRow = ({ type, select_list, group_expressions }: Select) =>
  type === 'SELECT_NODE' &&
  group_expressions.length === 0 &&
  select_list.every(({ class: kind, function_name }) => kind === 'FUNCTION' && aggregates.has(function_name))

/** How many subqueries of a template have the row of a key: here that of a ticker and a day. */
const OF_A_KEY: Readonly<Record<string, number>> = { 'option-stance.sql': 1 }

describe('a subquery that is a value has one row', () => {
  test.each(readdirSync('sql/endpoints'))('in %s', async name => {
    const subqueries = await scalarSubqueries(read(`sql/endpoints/${name}`))
    expect(subqueries.filter(each => !isOneRow(each))).toHaveLength(OF_A_KEY[name] ?? 0)
  })

  test('and macros have none', () => {
    expect(read('sql/macros.sql')).not.toMatch(/\bselect\b/i)
  })

  test.each([
    ['SELECT (SELECT max(n) FROM t)', true],
    [
      'SELECT n FROM t WHERE n IN (SELECT n FROM t) AND n = (SELECT bool_or(n) FILTER (WHERE n) FROM t)',
      true,
    ],
    ['SELECT n FROM t WHERE n = (SELECT n FROM t)', false],
    ['WITH s AS (SELECT (SELECT max(n) FROM t GROUP BY m)) FROM s', false],
    ['SELECT (SELECT max(n) FROM t UNION ALL SELECT 1)', false],
    ['SELECT (SELECT lower(n) FROM t)', false],
  ])('which is known of %s: %j', async (sql, isOne) => {
    const subqueries = await scalarSubqueries(sql)
    expect(subqueries).toHaveLength(1)
    expect(subqueries.every(isOneRow)).toBe(isOne)
  })
})
