import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import { Failure } from './failure.ts'

const STATEMENTS_KEPT_MAX = 64

/** One connection, held by one request at a time, with the statements it has prepared before. */
export interface Lease {
  readonly connection: DuckDBConnection
  /** The statement for `sql`, prepared on this connection and kept for its next request. */
  prepare(sql: string): Promise<DuckDBPreparedStatement>
  close(): void
}

export interface Pool {
  /**
   * Waits for a free connection. Rejects with `overloaded` if the queue is full, with the signal's reason when it
   * aborts first. `admitted`: what goes on with an answer that has begun is not refused, however long the queue.
   */
  acquire(signal: AbortSignal, admitted?: boolean): Promise<Lease>
  /** Gives a lease back. Only when nothing runs on its connection any more. */
  release(lease: Lease): void
  readonly running: number
  readonly queued: number
  close(): Promise<void>
}

interface Waiting {
  readonly grant: (lease: Lease) => void
  readonly refuse: (reason: unknown) => void
}

/**
 * `leasesMax` connections behind a queue of at most `queueMax` requests. Every running query holds a thread of
 * libuv's pool, so `leasesMax` must stay below `UV_THREADPOOL_SIZE` or file reads starve.
 */
export async function openPool(instance: DuckDBInstance, leasesMax: number, queueMax: number): Promise<Pool> {
  const all = await Promise.all(
    Array.from({ length: leasesMax }, async () => openLease(await instance.connect())),
  )
  const free = [...all]
  const waiting: Waiting[] = []
  let closed: (() => void) | null = null

  const release = (lease: Lease) => {
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
          `all ${leasesMax} queries are running and ${queueMax} requests wait already`,
        )
      }
      return new Promise((resolve, reject) => {
        const place: Waiting = {
          grant: granted => {
            signal.removeEventListener('abort', leave)
            resolve(granted)
          },
          refuse: reject,
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(place), 1)
          reject(signal.reason)
        }
        waiting.push(place)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    release,
    get running() {
      return all.length - free.length
    },
    get queued() {
      return waiting.length
    },
    async close() {
      for (const place of waiting.splice(0)) place.refuse(new Failure('overloaded', 'the server is stopping'))
      // Closing a connection with a query in flight crashes the process: wait for every lease to come back.
      if (free.length < all.length) {
        await new Promise<void>(resolve => {
          closed = resolve
        })
      }
      for (const lease of all) lease.close()
    },
  }
}

function openLease(connection: DuckDBConnection): Lease {
  const kept = new Map<string, DuckDBPreparedStatement>()
  return {
    connection,
    async prepare(sql) {
      const known = kept.get(sql)
      if (known) {
        kept.delete(sql)
        kept.set(sql, known)
        return known
      }
      const statement = await connection.prepare(sql)
      kept.set(sql, statement)
      const [oldest] = kept.keys()
      if (kept.size > STATEMENTS_KEPT_MAX && oldest !== undefined) {
        kept.get(oldest)?.destroySync()
        kept.delete(oldest)
      }
      return statement
    },
    close() {
      for (const statement of kept.values()) statement.destroySync()
      connection.closeSync()
    },
  }
}
