import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bindings, integer, text } from '../../src/engine/bind.ts'
import { databaseName, overAnyTable } from '../../src/engine/native-table.ts'
import { nothingKnown, openPlanned } from '../../src/engine/planned.ts'

let instance: DuckDBInstance
let connection: DuckDBConnection
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  await connection.run('CREATE TABLE t AS SELECT range AS n FROM range(20000)')
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

describe('statements with values that are planned once', () => {
  test('take long to plan, and not to read their values', async () => {
    // On a busy machine, any one time may be longer.
    const used = async (sql: string, bindings: Bindings) => {
      let uses = 0
      for (let time = 0; time < 5; time += 1) {
        const planned = openPlanned(connection)
        const prepare = () => planned.prepare(sql, bindings, new Set(Object.keys(bindings)))
        await prepare()
        if ((await prepare()) !== null) uses += 1
        planned.close()
      }
      return uses > 2
    }
    const columns = Array.from({ length: 40 }, (_, i) => `(n + ${i}) * (n - ${i}) AS c${i}`).join(', ')
    expect(await used(`SELECT ${columns} FROM t WHERE n = $n`, { n: integer(3n) })).toBe(true)
    const names = Array.from({ length: 12 }, (_, i) => `n${i}`)
    const conditions = names.map(name => `n < $${name}`).join(' OR ')
    const values = Object.fromEntries(names.map(name => [name, integer(3n)]))
    expect(await used(`SELECT count(*) FROM t WHERE ${conditions}`, values)).toBe(false)
  })

  test('are not timed if they took long before', async () => {
    const sql = 'SELECT count(*) FROM t WHERE n < $n'
    for (const [ms, known] of [
      [49, undefined],
      [51, true],
    ] as const) {
      const { uses, once } = nothingKnown()
      const planned = openPlanned(connection, { uses, once })
      await planned.prepare(sql, { n: integer(3n) }, new Set(['n']))
      planned.ran(sql, ms)
      expect(once.get(sql)).toBe(known)
      // What was timed counts more.
      once.set(sql, false)
      planned.ran(sql, ms)
      expect(once.get(sql)).toBe(false)
      planned.close()
    }
  })

  test('are timed once for all connections', async () => {
    const sql = 'SELECT count(*) FROM t WHERE n < $n'
    const known = nothingKnown()
    const planned = openPlanned(connection, known)
    const prepare = () => planned.prepare(sql, { n: integer(3n) }, new Set(['n']))
    await prepare()
    expect(known.once.get(sql)).toBeUndefined()
    const isUsed = (await prepare()) !== null
    expect(known.once.get(sql)).toBe(isUsed)
    // What is known is not found again.
    for (const isBetterOnce of [!isUsed, isUsed]) {
      known.once.set(sql, isBetterOnce)
      const other = openPlanned(connection, known)
      expect((await other.prepare(sql, { n: integer(3n) }, new Set(['n']))) !== null).toBe(isBetterOnce)
      other.close()
    }
    planned.close()
  })

  test.each([true, false])(
    'over tables of other files are not timed again, if that is %j',
    async isBetterOnce => {
      const over = (made: number) => `SELECT count(*) FROM ${databaseName(made)}.t WHERE ticker = $ticker`
      const known = nothingKnown()
      known.once.set(overAnyTable(over(7)), isBetterOnce)
      const planned = openPlanned(connection, known)
      for (const number of [7, 12]) {
        await connection.run(`ATTACH ':memory:' AS ${databaseName(number)}`)
        await connection.run(
          `CREATE TABLE ${databaseName(number)}.t AS SELECT 'T' || range AS ticker FROM range(${number})`,
        )
        const prepare = () => planned.prepare(over(number), { ticker: text('T6') }, new Set(['ticker']))
        await prepare()
        expect((await prepare()) !== null).toBe(isBetterOnce)
        expect(known.once.get(over(number))).toBe(isBetterOnce)
      }
      // Of another statement, nothing is known.
      expect(known.once.get(overAnyTable(`${over(12)} AND ticker <> $ticker`))).toBeUndefined()
      planned.close()
      for (const number of [7, 12]) await connection.run(`DETACH ${databaseName(number)}`)
    },
  )

  test('that fail are timed when they come again', async () => {
    const sql = "SELECT CASE WHEN n < $n THEN n ELSE error('too large') END FROM range(6) r (n)"
    const known = nothingKnown()
    const planned = openPlanned(connection, known)
    const prepare = (n: bigint) => planned.prepare(sql, { n: integer(n) }, new Set(['n']))
    await prepare(5n)
    expect(await prepare(5n)).toBeNull()
    expect(known.once.size).toBe(0)
    await prepare(6n)
    expect(known.once.get(sql)).toBeTypeOf('boolean')
    planned.close()
  })
})
