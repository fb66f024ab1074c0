import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool } from '../../src/engine/lease.ts'

let instance: DuckDBInstance
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
})
afterAll(() => instance.closeSync())

const patient = new AbortController().signal

describe('a pool of leases', () => {
  test('leases each connection to one request at a time, in order, and rejects requests when the queue is full', async () => {
    const pool = await openPool(instance, 2, 2)
    const [first, second] = [await pool.acquire(patient), await pool.acquire(patient)]
    expect(first.connection).not.toBe(second.connection)
    const order: string[] = []
    const third = pool.acquire(patient).then(lease => order.push('third') && lease)
    const fourth = pool.acquire(patient).then(lease => order.push('fourth') && lease)
    expect([pool.running, pool.queued]).toEqual([2, 2])
    await expect(pool.acquire(patient)).rejects.toMatchObject({ code: 'overloaded' })
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

  test('skips a request that has stopped waiting', async () => {
    const pool = await openPool(instance, 1, 4)
    const held = await pool.acquire(patient)
    const leaving = new AbortController()
    const gone = pool.acquire(leaving.signal)
    const next = pool.acquire(patient)
    leaving.abort(new Error('gave up'))
    await expect(gone).rejects.toThrow('gave up')
    expect(pool.queued).toBe(1)
    pool.release(held)
    pool.release(await next)
    await expect(pool.acquire(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    expect(pool.running).toBe(0)
    await pool.close()
  })

  test('caches a bounded number of prepared statements', async () => {
    const pool = await openPool(instance, 1, 0)
    const lease = await pool.acquire(patient)
    const first = await lease.prepare('SELECT 0')
    expect(await lease.prepare('SELECT 0')).toBe(first)
    for (let n = 1; n <= 64; n += 1) await lease.prepare(`SELECT ${n}`)
    expect(await lease.prepare('SELECT 0')).not.toBe(first)
    pool.release(lease)
    await pool.close()
  })

  test('closes when every lease is returned, and rejects waiting requests', async () => {
    const pool = await openPool(instance, 1, 1)
    const lease = await pool.acquire(patient)
    const waiting = pool.acquire(patient)
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
