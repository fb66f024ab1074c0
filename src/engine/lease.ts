import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Bindings, bindAll } from './bind.ts'
import { Failure } from './failure.ts'
import { openPlanned } from './planned.ts'
import { prepareSelect } from './sandbox/gate.ts'

/** Prepared statements that a connection caches. */
const STATEMENTS_MAX = 64
/**
 * A statement that is planned once reads its values from a table, which has to be updated: that takes longer than to plan a
 * statement anew whose planning takes less than this.
 */
const PLANNING_MS = 1
/** Statements of which it is known how long they take to plan. */
const PLAN_TIMES_MAX = 1024

/** One connection with its cache of prepared statements, held by one request at a time. */
export interface Lease {
  readonly connection: DuckDBConnection
  /** The prepared statement for `sql`, a single SELECT, cached for later requests on this connection. */
  prepare(sql: string): Promise<DuckDBPreparedStatement>
  /**
   * A statement that is ready to run: one that is planned already, for SQL that reads native tables only and takes long to
   * plan, or else a prepared one. `values` are the parameters whose values differ from request to request.
   */
  bound(
    sql: string,
    bindings: Bindings,
    values: ReadonlySet<string>,
    isNative: boolean,
  ): Promise<DuckDBPreparedStatement>
  /** Drops the cached statements whose SQL contains this text. Nothing may be running on the connection. */
  forget(text: string): void
  close(): void
}

export interface Pool {
  /**
   * Waits for a free connection. Rejects with `overloaded` if the queue is full, or with the signal's reason if it aborts
   * first. With `admitted`, the length of the queue does not matter: the query continues an answer that has begun.
   */
  acquire(signal: AbortSignal, admitted?: boolean): Promise<Lease>
  /** Returns a lease to the pool. Nothing may be running on its connection. */
  release(lease: Lease): void
  /** Drops the cached statements of all connections whose SQL contains this text, once they are free. */
  forget(text: string): void
  readonly running: number
  readonly queued: number
  close(): Promise<void>
}

interface Waiting {
  readonly grant: (lease: Lease) => void
  readonly reject: (reason: unknown) => void
}

/**
 * A pool of `leasesMax` connections with a queue of at most `queueMax` requests. Each running query occupies a thread of
 * libuv's pool, so `leasesMax` must be below `UV_THREADPOOL_SIZE`, or file reads starve.
 */
export async function openPool(instance: DuckDBInstance, leasesMax: number, queueMax: number): Promise<Pool> {
  const planTimes = new LRUCache<string, number>({ max: PLAN_TIMES_MAX })
  const all = await Promise.all(
    Array.from({ length: leasesMax }, async () => openLease(await instance.connect(), planTimes)),
  )
  const free = [...all]
  const waiting: Waiting[] = []
  /** What leases that are held must forget. */
  const forgotten = new Map<Lease, string[]>()
  let closed: (() => void) | null = null

  const release = (lease: Lease) => {
    for (const text of forgotten.get(lease) ?? []) lease.forget(text)
    forgotten.delete(lease)
    const next = waiting.shift()
    if (next) next.grant(lease)
    else free.push(lease)
    if (free.length === all.length) closed?.()
  }

  return {
    async acquire(signal, admitted = false) {
      signal.throwIfAborted()
      const lease = free.pop()
      if (lease) return lease
      if (waiting.length >= queueMax && !admitted) {
        throw new Failure(
          'overloaded',
          `the worker runs ${leasesMax} queries at once, and ${queueMax} requests are waiting already`,
        )
      }
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          grant: granted => {
            signal.removeEventListener('abort', dequeue)
            resolve(granted)
          },
          reject,
        }
        const dequeue = () => {
          waiting.splice(waiting.indexOf(entry), 1)
          reject(signal.reason)
        }
        waiting.push(entry)
        signal.addEventListener('abort', dequeue, { once: true })
      })
    },
    release,
    forget(text) {
      for (const lease of all) {
        if (free.includes(lease)) lease.forget(text)
        else forgotten.set(lease, [...(forgotten.get(lease) ?? []), text])
      }
    },
    get running() {
      return all.length - free.length
    },
    get queued() {
      return waiting.length
    },
    async close() {
      for (const entry of waiting.splice(0)) entry.reject(new Failure('overloaded', 'the server is stopping'))
      // Closing a connection while a query runs crashes the process: wait until all leases are returned.
      if (free.length < all.length) {
        await new Promise<void>(resolve => {
          closed = resolve
        })
      }
      for (const lease of all) lease.close()
    },
  }
}

/** `planTimes` are the shortest times in milliseconds that statements took to plan, on any connection. */
function openLease(connection: DuckDBConnection, planTimes: LRUCache<string, number>): Lease {
  /** Least recently used first. */
  const statements = new Map<string, DuckDBPreparedStatement>()
  const planned = openPlanned(connection)

  async function prepare(sql: string): Promise<DuckDBPreparedStatement> {
    const cached = statements.get(sql)
    if (cached) {
      statements.delete(sql)
      statements.set(sql, cached)
      return cached
    }
    const started = performance.now()
    const statement = await prepareSelect(connection, sql)
    const tookMs = performance.now() - started
    planTimes.set(sql, Math.min(tookMs, planTimes.get(sql) ?? tookMs))
    statements.set(sql, statement)
    const [oldest] = statements.keys()
    if (statements.size > STATEMENTS_MAX && oldest !== undefined) {
      statements.get(oldest)?.destroySync()
      statements.delete(oldest)
    }
    return statement
  }

  return {
    connection,
    prepare,
    async bound(sql, bindings, values, isNative) {
      const isPlanned = isNative && (planTimes.get(sql) ?? 0) > PLANNING_MS
      const ready = isPlanned ? await planned.prepare(sql, bindings, values) : null
      if (ready !== null) return ready
      const statement = await prepare(sql)
      bindAll(statement, bindings)
      return statement
    },
    forget(text) {
      planned.forget(text)
      for (const [sql, statement] of statements) {
        if (!sql.includes(text)) continue
        statement.destroySync()
        statements.delete(sql)
      }
    },
    close() {
      planned.close()
      for (const statement of statements.values()) statement.destroySync()
      connection.closeSync()
    },
  }
}
