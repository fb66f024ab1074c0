import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBPreparedStatement } from '@duckdb/node-api'
import { Failure } from './failure.ts'

const INTERRUPT_EVERY_MS = 10

/** A query under way: `result` settles as soon as the signal aborts, `ended` only when the engine has let go of it. */
export interface Running {
  readonly result: Promise<DuckDBMaterializedResult>
  readonly ended: Promise<void>
}

/**
 * Runs a bound statement, materialised (a streamed result loses its errors), until `signal` aborts.
 *
 * DuckDB has no statement timeout, and an interrupt is lost on a query that still waits for a thread: so it is
 * repeated until the query settles. Some operators poll it late; the caller gets its answer at once all the same,
 * and the connection is free again when `ended` resolves.
 */
export function runUntil(
  connection: DuckDBConnection,
  statement: DuckDBPreparedStatement,
  signal: AbortSignal,
): Running {
  const query = statement.run()
  let interrupting: NodeJS.Timeout | undefined
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      connection.interrupt()
      interrupting = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS)
      reject(signal.reason)
    }
  })
  aborted.catch(() => {})
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  const ended = query
    .then(
      () => {},
      () => {},
    )
    .finally(() => {
      clearInterval(interrupting)
      signal.removeEventListener('abort', abort)
    })
  return { result: Promise.race([query, aborted]), ended }
}

/** A signal that aborts with `deadline_exceeded` after `deadlineMs`, or with `canceled` when `gone` aborts. */
export function deadline(deadlineMs: number, gone?: AbortSignal): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new Failure('deadline_exceeded', `the query took longer than ${deadlineMs} ms`)),
    deadlineMs,
  )
  const leave = () => controller.abort(new Failure('canceled', 'the client went away'))
  if (gone?.aborted) leave()
  else gone?.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      gone?.removeEventListener('abort', leave)
    },
  }
}

/** Runs work that ends at a deadline of its own. */
export type Timed = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Gives each piece of work `deadlineMs`, until `gone` aborts: see `deadline`. */
export function timed(deadlineMs: number, gone?: AbortSignal): Timed {
  return async work => {
    const limit = deadline(deadlineMs, gone)
    try {
      return await work(limit.signal)
    } finally {
      limit.clear()
    }
  }
}
