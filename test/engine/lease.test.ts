import { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { integer } from '../../src/engine/bind.ts'
import { connect } from '../../src/engine/instance.ts'
import { type Lease, openPool } from '../../src/engine/lease.ts'
import { readingOf } from '../../src/engine/running/reading.ts'

let instance: DuckDBInstance
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
})
afterAll(() => instance.closeSync())

const patient = new AbortController().signal

describe('a pool of leases', () => {
  test('leases each connection to one request at a time, in order, and rejects requests when the queue is full', async () => {
    const pool = openPool(await connect(instance, 2), 2, 1)
    const [first, second] = [await pool.acquire('SELECT 1', patient), await pool.acquire('SELECT 1', patient)]
    expect(first).not.toBe(second)
    const order: string[] = []
    const third = pool.acquire('SELECT 1', patient).then(lease => order.push('third') && lease)
    const fourth = pool.acquire('SELECT 1', patient).then(lease => order.push('fourth') && lease)
    expect([pool.running, pool.queued]).toEqual([2, 2])
    await expect(pool.acquire('SELECT 1', patient)).rejects.toMatchObject({ code: 'overloaded' })
    pool.release(second)
    expect(await third).toBe(second)
    pool.release(first)
    expect(await fourth).toBe(first)
    expect(order).toEqual(['third', 'fourth'])
    pool.release(first)
    pool.release(second)
    expect([pool.running, pool.queued]).toEqual([0, 0])
    await pool.close()
  })

  const NATIVE = readingOf('', true, [])
  /** A statement is planned once when its text comes for the second time. */
  const planned = async (lease: Lease, text: string) => {
    for (let time = 0; time < 2; time += 1) await lease.whole.ready(text, { bindings: {} }, NATIVE, text)
  }

  test('frees what plans keep of their last run when they have not run for a while, and ends nothing that runs', async () => {
    const own = await DuckDBInstance.create(':memory:', { threads: '1' })
    const pool = openPool(await connect(own, 2), 0, 1)
    const other = await own.connect()
    const bytesOfRuns = async () => {
      const sql = `SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory() WHERE tag = 'COLUMN_DATA'`
      return (await (await other.run(sql)).getRows())[0]?.[0] as bigint
    }
    const [held, brief] = [await pool.acquire('SELECT 1', patient), await pool.acquire('SELECT 2', patient)]
    const before = await bytesOfRuns()
    const run = async (lease: Lease, text: string) =>
      (await (await lease.late.ready(text, { bindings: {} }, NATIVE, text))()).getRowObjects()
    const withRows =
      'SELECT r.range FROM range(10) r WHERE range > (SELECT max(range) FROM range(5)) ORDER BY 1 LIMIT 1'
    for (const lease of [held, brief]) for (let time = 0; time < 2; time += 1) await run(lease, withRows)
    expect(await bytesOfRuns()).toBeGreaterThan(before)
    pool.release(brief)
    const both = await bytesOfRuns()
    // What runs meanwhile on the lease that is not free is not interrupted, though a plan of it is older.
    const long = 'SELECT count(*) AS fifths FROM range(250_000_000) WHERE range % 5 = 0'
    expect(await run(held, long)).toEqual([{ fifths: 50_000_000n }])
    await vi.waitFor(async () => expect(await bytesOfRuns()).toBe(both / 2n), 10_000)
    pool.release(held)
    await vi.waitFor(async () => expect(await bytesOfRuns()).toBe(before), 10_000)
    await pool.close()
    other.closeSync()
    own.closeSync()
  })

  test('compares values over tables of few rows, and joins them over others', async () => {
    const pool = openPool(await connect(instance, 1), 0, 1)
    const lease = await pool.acquire('SELECT 1', patient)
    // Its planning takes longer than setting the variable, whatever the machine.
    const steps = Array.from(
      { length: 60 },
      (_, step) => `s${step + 1} AS (SELECT n + 1 AS n FROM s${step} WHERE n > ${step})`,
    )
    const prepared = vi.spyOn(DuckDBConnection.prototype, 'prepare')
    for (const [rows, isCompared] of [
      [20_000, true],
      [20_001, false],
    ] as const) {
      const text = `WITH s0 AS (SELECT ${rows} AS n), ${steps.join(', ')} SELECT * FROM s60 WHERE n = $n`
      const query = { bindings: { n: integer(20_060n) }, values: new Set(['n']) }
      prepared.mockClear()
      for (let time = 0; time < 2; time += 1) {
        const run = await lease.whole.ready(text, query, readingOf(text, true, [1, rows]), text)
        await run()
      }
      const planned = prepared.mock.calls.map(([sql]) => sql).filter(sql => sql.includes('duckdb_variables'))
      expect(planned.map(sql => sql.endsWith(') = true)'))).toEqual([isCompared])
    }
    prepared.mockRestore()
    pool.release(lease)
    await pool.close()
  })

  test('runs a statement that reads tables only in this thread, from the second time on', async () => {
    const pool = openPool(await connect(instance, 1), 0, 1)
    const lease = await pool.acquire('SELECT 1', patient)
    const begun = vi.spyOn(DuckDBPreparedStatement.prototype, 'start')
    for (const [isNative, isPlannedOnce, times] of [
      [true, true, 1],
      [true, false, 1],
      [false, false, 0],
    ] as const) {
      const text = `SELECT ${times} AS n, ${isPlannedOnce}`
      begun.mockClear()
      for (let time = 0; time < 2; time += 1) {
        const reading = { ...readingOf(text, isNative, []), isPlannedOnce }
        const run = await lease.whole.ready(text, { bindings: {} }, reading, text)
        expect(await (await run()).getRowObjectsJson()).toMatchObject([{ n: times }])
      }
      expect(begun).toHaveBeenCalledTimes(times)
    }
    begun.mockRestore()
    pool.release(lease)
    await pool.close()
  })

  test('gives a text to the lease that keeps its plan, and a new one to the lease that keeps the fewest', async () => {
    const pool = openPool(await connect(instance, 3), 0, 1)
    const leased = async (text: string) => {
      const lease = await pool.acquire(text, patient)
      await planned(lease, text)
      pool.release(lease)
      return lease
    }
    const texts = ['SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 4']
    const leases: Lease[] = []
    for (const text of texts) leases.push(await leased(text))
    expect(new Set(leases.slice(0, 3)).size).toBe(3)
    for (const place of [1, 0, 2, 3]) expect(await leased(texts[place] ?? '')).toBe(leases[place])
    await pool.close()
  })

  test('waits for the lease that keeps a plan while others are free, for a moment', async () => {
    const pool = openPool(await connect(instance, 2), 0, 1)
    const keeping = await pool.acquire('SELECT 1', patient)
    await planned(keeping, 'SELECT 1')
    const soon = pool.acquire('SELECT 1', patient)
    const other = await pool.acquire('SELECT 2', patient)
    expect(other).not.toBe(keeping)
    // It is not for those that wait for the other one.
    pool.release(other)
    expect(pool.running).toBe(1)
    pool.release(keeping)
    expect(await soon).toBe(keeping)
    // Still held: what waits takes the other one in the end.
    expect(await pool.acquire('SELECT 1', patient)).toBe(other)
    pool.release(other)
    pool.release(keeping)
    expect([pool.running, pool.queued]).toEqual([0, 0])
    await pool.close()
  })

  test('does not wait for a lease that has forgotten the plan', async () => {
    const pool = openPool(await connect(instance, 2), 0, 1)
    const kept = await pool.acquire('SELECT 1', patient)
    await planned(kept, 'SELECT 1')
    pool.forget('')
    pool.release(kept)
    const other = await pool.acquire('SELECT 2', patient)
    expect(await pool.acquire('SELECT 3', patient)).toBe(kept)
    pool.release(other)
    const again = pool.acquire('SELECT 1', patient)
    expect([pool.running, pool.queued]).toEqual([2, 0])
    expect(await again).toBe(other)
    pool.release(kept)
    pool.release(other)
    await pool.close()
  })

  test('reads the columns of a page late or for all rows, also once settings are locked', async () => {
    const own = await DuckDBInstance.create(':memory:')
    const [both] = await connect(own, 1)
    await both?.late.run("CREATE TABLE t AS SELECT range AS n, 'text' AS a, 'text' AS b FROM range(100)")
    await both?.late.run('SET GLOBAL lock_configuration = true')
    const planOf = async (reads: 'late' | 'whole') =>
      String(await (await both?.[reads].run('EXPLAIN FROM t ORDER BY n LIMIT 5'))?.getRows())
    expect(await planOf('late')).toContain('HASH_JOIN')
    expect(await planOf('whole')).not.toContain('HASH_JOIN')
    expect(await planOf('whole')).toContain('TOP_N')
    both?.late.closeSync()
    both?.whole.closeSync()
    own.closeSync()
  })

  test('skips a request that has stopped waiting', async () => {
    const pool = openPool(await connect(instance, 1), 4, 1)
    const held = await pool.acquire('SELECT 1', patient)
    const leaving = new AbortController()
    const gone = pool.acquire('SELECT 1', leaving.signal)
    const next = pool.acquire('SELECT 1', patient)
    leaving.abort(new Error('gave up'))
    await expect(gone).rejects.toThrow('gave up')
    expect(pool.queued).toBe(1)
    pool.release(held)
    pool.release(await next)
    await expect(pool.acquire('SELECT 1', AbortSignal.abort(new Error('too late')))).rejects.toThrow(
      'too late',
    )
    expect(pool.running).toBe(0)
    await pool.close()
  })

  test('caches a bounded number of prepared statements', async () => {
    const pool = openPool(await connect(instance, 1), 0, 1)
    const lease = await pool.acquire('SELECT 1', patient)
    const first = await lease.late.prepare('SELECT 0')
    expect(await lease.late.prepare('SELECT 0')).toBe(first)
    for (let n = 1; n <= 16; n += 1) await lease.late.prepare(`SELECT ${n}`)
    expect(await lease.late.prepare('SELECT 0')).not.toBe(first)
    pool.release(lease)
    await pool.close()
  })

  describe('drops a statement', () => {
    const destroyed = vi.spyOn(DuckDBPreparedStatement.prototype, 'destroySync')
    let pool: ReturnType<typeof openPool>
    let lease: Lease
    beforeEach(async () => {
      pool = openPool(await connect(instance, 1), 0, 1)
      lease = await pool.acquire('SELECT 1', patient)
      destroyed.mockClear()
    })
    afterEach(async () => {
      pool.release(lease)
      await pool.close()
    })
    afterAll(() => destroyed.mockRestore())

    const run = async (text: string, isNative: boolean) => {
      const reading = readingOf(text, isNative, [])
      const ready = await lease.whole.ready(text, { bindings: {} }, reading, text)
      return (await ready()).getRowsJson()
    }

    test('that reads files, once it has run', async () => {
      expect(await run('SELECT 7', false)).toEqual([[7]])
      expect(destroyed).toHaveBeenCalledTimes(1)
    })

    test('that reads files, when it fails', async () => {
      await expect(run(`SELECT 'a'::INTEGER`, false)).rejects.toThrow('Could not convert')
      expect(destroyed).toHaveBeenCalledTimes(1)
    })

    test('in place of which one is planned, which is when its text comes for the second time', async () => {
      for (const times of [0, 1, 1]) {
        expect(await run('SELECT 8', true)).toEqual([[8]])
        expect(destroyed).toHaveBeenCalledTimes(times)
      }
    })
  })

  test('closes when every lease is returned, and rejects waiting requests', async () => {
    const pool = openPool(await connect(instance, 1), 1, 1)
    const lease = await pool.acquire('SELECT 1', patient)
    const waiting = pool.acquire('SELECT 1', patient)
    let closed = false
    const closing = pool.close().then(() => {
      closed = true
    })
    await expect(waiting).rejects.toMatchObject({ code: 'overloaded' })
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(closed).toBe(false)
    pool.release(lease)
    await closing
  })
})
