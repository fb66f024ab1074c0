import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deadline, runUntil } from '../../src/engine/deadline.ts'

// Enough work for minutes, in an operator that looks for interrupts.
const ENDLESS = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(100000) b'

let instance: DuckDBInstance
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' })
})
afterAll(() => instance.closeSync())

async function prepared(connection: DuckDBConnection, sql: string) {
  const statement = await connection.prepare(sql)
  return () => statement.run()
}

describe('a query with a deadline', () => {
  test('ends at the deadline, and its connection can be used again', async () => {
    const connection = await instance.connect()
    const limit = deadline(50)
    const running = runUntil(connection, await prepared(connection, ENDLESS), limit.signal)
    await expect(running.result).rejects.toMatchObject({ code: 'deadline_exceeded' })
    await running.ended
    const after = runUntil(
      connection,
      await prepared(connection, 'SELECT 42 AS n'),
      new AbortController().signal,
    )
    expect(await (await after.result).getRowObjectsJson()).toEqual([{ n: 42 }])
    await after.ended
    connection.closeSync()
  })

  test('ends when its client disconnects', async () => {
    const connection = await instance.connect()
    const client = new AbortController()
    const limit = deadline(60_000, client.signal)
    const running = runUntil(connection, await prepared(connection, ENDLESS), limit.signal)
    setTimeout(() => client.abort(), 20)
    await expect(running.result).rejects.toMatchObject({ code: 'canceled' })
    await running.ended
    limit.clear()
    connection.closeSync()
  })

  test('ends even if it is interrupted before it gets a thread', async () => {
    // More queries than libuv has threads: the last ones still wait when their deadline comes.
    const statements = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const connection = await instance.connect()
        return { connection, run: await prepared(connection, ENDLESS) }
      }),
    )
    const limit = deadline(30)
    const all = statements.map(({ connection, run }) => ({
      connection,
      running: runUntil(connection, run, limit.signal),
    }))
    for (const settled of await Promise.allSettled(all.map(({ running }) => running.result)))
      expect(settled).toMatchObject({ status: 'rejected', reason: { code: 'deadline_exceeded' } })
    await Promise.all(all.map(({ running }) => running.ended))
    for (const { connection } of all) connection.closeSync()
  })

  test('that fails rejects with its error', async () => {
    const connection = await instance.connect()
    const running = runUntil(
      connection,
      await prepared(connection, "SELECT error('broken') AS n"),
      new AbortController().signal,
    )
    await expect(running.result).rejects.toThrow('broken')
    await running.ended
    connection.closeSync()
  })
})
