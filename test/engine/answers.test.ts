import { expect, test } from 'vitest'
import { answerEncoder } from '../../src/engine/answers.ts'
import { bindAll, integer } from '../../src/engine/bind.ts'
import type { Query } from '../../src/engine/query.ts'
import { columnsOf, openConnection } from './encode/answers.ts'

/** Five columns: 2,000 rows have 10,000 values, which is what the process writes at most. */
const SQL =
  'SELECT range AS a, range AS b, range AS c, range AS d, range AS e FROM range($rows) ORDER BY a LIMIT $limit'

test('what a limit allows is assumed once, then the template’s last result of this kind decides who writes', async () => {
  const connection = await openConnection()
  const columns = await columnsOf(connection, SQL.replace(/\$\w+/g, '1'))
  /** The statements of an answer: the template's, whose rows this process writes, or one by which the engine writes text. */
  const ran: ('template' | 'engine')[] = []
  const encode = answerEncoder(
    async ({ bindings }, sql) => {
      ran.push(sql === SQL ? 'template' : 'engine')
      const statement = await connection.prepare(sql)
      bindAll(statement, bindings)
      return statement.run()
    },
    () => Promise.reject(new Error('no answer is Parquet')),
  )
  const answerOf = async (limit: number, rows: number) => {
    const query: Query = {
      operation: 'test',
      template: { name: 'test', sql: SQL, parameters: ['rows', 'limit'] },
      bindings: { rows: integer(rows), limit: integer(limit) },
    }
    ran.length = 0
    const { bytes } = await encode(query, columns, 'json', new AbortController().signal)
    const values = Array.from({ length: Math.min(rows, limit) }, (_, n) => ({ a: n, b: n, c: n, d: n, e: n }))
    expect(`[${Buffer.from(bytes as Uint8Array).toString()}]`).toBe(JSON.stringify(values))
    return [...ran]
  }
  expect(await answerOf(2000, 2)).toEqual(['template'])
  expect(await answerOf(2001, 2)).toEqual(['engine'])
  expect(await answerOf(2001, 2)).toEqual(['template'])
  expect(await answerOf(2001, 2001)).toEqual(['template', 'engine'])
  expect(await answerOf(2001, 2001)).toEqual(['engine'])
  // More than half of what the process writes: it is not worth trying.
  expect(await answerOf(2001, 1001)).toEqual(['engine'])
  expect(await answerOf(2000, 2000)).toEqual(['template'])
  expect(await answerOf(2001, 1000)).toEqual(['engine'])
  expect(await answerOf(2001, 1000)).toEqual(['template'])
})
