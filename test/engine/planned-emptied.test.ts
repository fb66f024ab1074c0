import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { integer } from '../../src/engine/bind.ts'
import { nothingKnown, openPlanned } from '../../src/engine/planned.ts'

/** What connections know of a statement that takes less time if it is planned once. */
function knownOf(sql: string) {
  const known = nothingKnown()
  known.once.set(sql, true)
  return known
}

test('what planned statements keep of their last run is freed, and not their plans', async () => {
  const own = await DuckDBInstance.create(':memory:', { threads: '1' })
  const [running, other] = [await own.connect(), await own.connect()]
  /** Bytes that the engine has for rows of statements. */
  async function bytesOfRows(): Promise<bigint> {
    const sql = `SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory() WHERE tag IN ('COLUMN_DATA', 'ALLOCATOR')`
    return (await (await other.run(sql)).getRows())[0]?.[0] as bigint
  }
  try {
    await running.run('CREATE TABLE t AS SELECT range AS n FROM range(20000)')
    const sql = 'SELECT n FROM t WHERE n > $n ORDER BY n LIMIT 1'
    const planned = openPlanned(running, knownOf(sql))
    const answer = async (n: bigint) => {
      const statement = await planned.prepare(sql, { n: integer(n) }, new Set(['n']))
      return statement && { statement, row: (await (await statement.run()).getRows())[0] }
    }
    expect(await answer(0n)).toBeNull()
    const first = await answer(300n)
    expect(first?.row).toEqual([301n])
    const kept = await bytesOfRows()
    expect(kept).toBeGreaterThan(500_000n)

    expect(planned.empty(performance.now() - 60_000)).toBe(true)
    expect(await bytesOfRows()).toBe(kept)
    expect(planned.empty(performance.now())).toBe(false)
    expect(await bytesOfRows()).toBeLessThan(50_000n)

    const second = await answer(700n)
    expect(second?.row).toEqual([701n])
    expect(second?.statement).toBe(first?.statement)
    planned.close()
  } finally {
    for (const each of [running, other, own]) each.closeSync()
  }
})

test('emptied statements hold no tables that are forgotten', async () => {
  const own = await DuckDBInstance.create(':memory:', { threads: '1' })
  const [running, other] = [await own.connect(), await own.connect()]
  async function bytesOfTables(): Promise<bigint> {
    const sql = `SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'`
    return (await (await other.run(sql)).getRows())[0]?.[0] as bigint
  }
  try {
    await other.run(`ATTACH ':memory:' AS copies`)
    await other.run('CREATE TABLE copies.t AS SELECT range AS n, hash(range) AS h FROM range(500000)')
    expect(await bytesOfTables()).toBeGreaterThan(4_000_000n)
    const sql = 'SELECT n, h FROM copies.t WHERE n > $n ORDER BY h LIMIT 1'
    const planned = openPlanned(running, knownOf(sql))
    for (let time = 0; time < 2; time += 1) {
      const statement = await planned.prepare(sql, { n: integer(0n) }, new Set(['n']))
      await statement?.run()
    }
    expect(planned.empty(performance.now())).toBe(false)
    planned.forget('copies.t')
    await other.run('DETACH copies')
    expect(await bytesOfTables()).toBe(0n)
    planned.close()
  } finally {
    for (const each of [running, other, own]) each.closeSync()
  }
})
