import { setImmediate as passed } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBPreparedStatement } from '@duckdb/node-api'
import { bindAll } from './bind.ts'
import { Failure } from './failure.ts'
import type { Connections, Reads } from './instance.ts'
import { type Known, nothingKnown, openPlanned, type PlannedStatements } from './planned.ts'
import type { Query } from './query.ts'
import { type Here, openHere } from './running/here.ts'
import { prepareSelect } from './sandbox/gate.ts'
import type { Reading } from './store.ts'

/** Prepared statements with parameters that a connection caches. Each keeps what its last run had in memory, as planned ones do. */
const STATEMENTS_MAX = 16

/** One connection with its prepared statements. */
interface Session {
  readonly planned: Pick<PlannedStatements, 'keeps' | 'size' | 'empty'>
  readonly connection: DuckDBConnection
  /** The prepared statement for `sql`, a single SELECT, cached for later requests on this connection. */
  prepare(sql: string): Promise<DuckDBPreparedStatement>
  /**
   * Makes a statement ready to run: one that is planned already, if it `isPlannedOnce` and that takes less time, or else a prepared one.
   * One that reads tables only (`isNative`) may run in this thread. Any other is prepared for one use.
   * `sql` is that of the query, or made from it, and `text` that for which the lease was acquired.
   */
  ready(
    sql: string,
    query: Pick<Query, 'bindings' | 'values'>,
    reading: Pick<Reading, 'isNative' | 'isPlannedOnce' | 'isOfFewRows'>,
    text: string,
  ): Promise<() => Promise<DuckDBMaterializedResult>>
  /** Drops the cached statements whose SQL contains this text. Nothing may be running on the connection. */
  forget(text: string): void
  close(): void
}

const NO_VALUES: ReadonlySet<string> = new Set()

/** Held by one request at a time. */
export type Lease = Readonly<Record<Reads, Session>>

export interface Pool {
  /**
   * Waits for a free connection. If one keeps the plan of this text, it waits for that one, for `PATIENCE_MS` at most while
   * others are free. Rejects with `overloaded` if none is free and the queue is full, or with the signal's reason if it aborts
   * first. With `admitted`, the length of the queue does not matter: the query continues an answer that has begun.
   */
  acquire(text: string, signal: AbortSignal, admitted?: boolean): Promise<Lease>
  /** Returns a lease to the pool. Nothing may be running on its connections. */
  release(lease: Lease): void
  /** Drops the cached statements of all connections whose SQL contains this text, once they are free. */
  forget(text: string): void
  readonly running: number
  readonly queued: number
  close(): Promise<void>
}

interface Waiting {
  readonly text: string
  /** Whether it waits for the lease that keeps the plan of its text, if there is one. */
  isPatient: boolean
  readonly grant: (lease: Lease) => void
  readonly reject: (reason: unknown) => void
}

/**
 * How long a request waits for the lease that keeps the plan of its text while another one is free. To plan again takes 2 to
 * 20 ms of the processor, and each further plan keeps some MiB of memory; the statement that runs there usually ends sooner.
 */
const PATIENCE_MS = 50
/** So long after its last run, what a kept plan has of it is freed. To make it again takes a tenth of a millisecond. */
const IDLE_MS = 250

/**
 * A pool of leases of these connections with a queue of at most `queueMax` requests. Each running query occupies a thread of
 * libuv's pool, so the leases must be fewer than `UV_THREADPOOL_SIZE`, or file reads starve. `threads` is how many the engine has.
 */
export function openPool(connections: readonly Connections[], queueMax: number, threads: number): Pool {
  const known = nothingKnown()
  const here = openHere()
  const all = connections.map(
    ({ late, whole }): Lease => ({
      late: openSession(late, known, here),
      whole: openSession(whole, known, here),
    }),
  )
  const forget = ({ late, whole }: Lease, text: string) => {
    late.forget(text)
    whole.forget(text)
  }
  /** Those that have been free for longest come first. */
  const free = [...all]
  /** Those that have waited for longest come first. */
  const waiting = new Set<Waiting>()
  /** What leases that are held must forget. */
  const forgotten = new Map<Lease, string[]>()
  let closed: (() => void) | null = null

  let emptying: NodeJS.Timeout | undefined
  /** Frees what is left of runs that ended a while ago, of one lease in each pass of the event loop. */
  async function empty() {
    emptying = undefined
    const sinceMs = performance.now() - IDLE_MS
    let areLeft = false
    for (const lease of all) {
      // One that is held is looked at again once it is released.
      if (!free.includes(lease)) continue
      for (const { planned } of [lease.late, lease.whole]) areLeft = planned.empty(sinceMs) || areLeft
      await passed()
    }
    if (areLeft) emptySoon()
  }
  const emptySoon = () => {
    if (threads === 1) emptying ??= setTimeout(empty, IDLE_MS).unref()
  }

  const keeps = ({ late, whole }: Lease, text: string) =>
    late.planned.keeps(text) || whole.planned.keeps(text)
  const isKept = (text: string) => all.some(lease => keeps(lease, text))

  const release = (lease: Lease) => {
    for (const text of forgotten.get(lease) ?? []) forget(lease, text)
    forgotten.delete(lease)
    const next = [...waiting].find(({ text, isPatient }) => !isPatient || keeps(lease, text) || !isKept(text))
    if (next) next.grant(lease)
    else free.push(lease)
    emptySoon()
    if (free.length === all.length) closed?.()
  }

  /** The free lease that keeps the plan of a text, or else the one that keeps the fewest, unless it is worth waiting for another. */
  function takeFree(text: string, isPatient: boolean): Lease | null {
    const keeping = free.findIndex(lease => keeps(lease, text))
    if (keeping < 0 && isPatient && isKept(text)) return null
    const numbers = free.map(({ late, whole }) => late.planned.size + whole.planned.size)
    const [lease = null] = free.splice(keeping < 0 ? numbers.indexOf(Math.min(...numbers)) : keeping, 1)
    return lease
  }

  return {
    async acquire(text, signal, admitted = false) {
      signal.throwIfAborted()
      const lease = takeFree(text, true)
      if (lease) return lease
      if (free.length === 0 && waiting.size >= queueMax && !admitted) {
        throw new Failure(
          'overloaded',
          `the worker runs ${all.length} queries at once, and ${queueMax} requests are waiting already`,
        )
      }
      return new Promise((resolve, reject) => {
        const settled = () => {
          waiting.delete(entry)
          clearTimeout(patience)
          signal.removeEventListener('abort', abort)
        }
        const entry: Waiting = {
          text,
          isPatient: true,
          grant: next => {
            settled()
            resolve(next)
          },
          reject: reason => {
            settled()
            reject(reason)
          },
        }
        const abort = () => entry.reject(signal.reason)
        const patience = setTimeout(() => {
          entry.isPatient = false
          const next = takeFree(text, false)
          if (next) entry.grant(next)
        }, PATIENCE_MS)
        waiting.add(entry)
        signal.addEventListener('abort', abort, { once: true })
      })
    },
    release,
    forget(text) {
      for (const lease of all) {
        if (free.includes(lease)) forget(lease, text)
        else forgotten.set(lease, [...(forgotten.get(lease) ?? []), text])
      }
    },
    get running() {
      return all.length - free.length
    },
    get queued() {
      return waiting.size
    },
    async close() {
      for (const entry of waiting) entry.reject(new Failure('overloaded', 'the server is stopping'))
      // Closing a connection while a query runs crashes the process: wait until all leases are returned.
      if (free.length < all.length) {
        await new Promise<void>(resolve => {
          closed = resolve
        })
      }
      clearTimeout(emptying)
      for (const { late, whole } of all) {
        late.close()
        whole.close()
      }
    },
  }
}

function openSession(connection: DuckDBConnection, known: Known, here: Here): Session {
  /** Least recently used first. */
  const statements = new Map<string, DuckDBPreparedStatement>()
  const planned = openPlanned(connection, known)

  async function prepare(sql: string): Promise<DuckDBPreparedStatement> {
    const cached = statements.get(sql)
    if (cached) {
      statements.delete(sql)
      statements.set(sql, cached)
      return cached
    }
    const statement = await prepareSelect(connection, sql)
    statements.set(sql, statement)
    const [oldest] = statements.keys()
    if (statements.size > STATEMENTS_MAX && oldest !== undefined) drop(oldest)
    return statement
  }

  function drop(sql: string): void {
    statements.get(sql)?.destroySync()
    statements.delete(sql)
  }

  async function bound(sql: string, bindings: Query['bindings']): Promise<DuckDBPreparedStatement> {
    const statement = await prepare(sql)
    bindAll(statement, bindings)
    return statement
  }

  /** Runs a statement that reads files. It is planned at each run, prepared or not, so that nothing of it is worth its memory. */
  async function runOnce(sql: string, bindings: Query['bindings']): Promise<DuckDBMaterializedResult> {
    const statement = await prepareSelect(connection, sql)
    try {
      bindAll(statement, bindings)
      return await statement.run()
    } finally {
      statement.destroySync()
    }
  }

  return {
    connection,
    planned,
    prepare,
    async ready(sql, { bindings, values = NO_VALUES }, { isNative, isPlannedOnce, isOfFewRows }, text) {
      if (!isNative) return () => runOnce(sql, bindings)
      const options = { text, ofFewRows: isOfFewRows }
      const kept = isPlannedOnce ? await planned.prepare(sql, bindings, values, options) : null
      if (kept) drop(sql)
      if (kept) return () => here.run(kept, sql)
      const statement = await bound(sql, bindings)
      return async () => {
        const began = performance.now()
        const result = await here.run(statement, sql)
        if (isPlannedOnce) planned.ran(sql, performance.now() - began)
        return result
      }
    },
    forget(text) {
      planned.forget(text)
      for (const sql of [...statements.keys()]) if (sql.includes(text)) drop(sql)
    },
    close() {
      planned.close()
      for (const statement of statements.values()) statement.destroySync()
      connection.closeSync()
    },
  }
}
