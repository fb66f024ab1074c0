import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api'
import { Failure } from './failure.ts'
import { interruptible } from './running/statements.ts'

const INTERRUPT_EVERY_MS = 10

/**
 * A query that still runs this long after it was interrupted is reported as stuck, so that its process can be replaced. It is
 * longer if the client left, because no client should be able to have workers replaced quickly.
 */
const STUCK_AFTER_MS = { deadline: 2000, other: 10_000 }

export const stuckAfterMs = ({ reason }: AbortSignal): number =>
  reason instanceof Failure && reason.code === 'deadline_exceeded'
    ? STUCK_AFTER_MS.deadline
    : STUCK_AFTER_MS.other

/** A running query. `result` settles as soon as the signal aborts; `ended` resolves once the connection is free again. */
export interface Running {
  readonly result: Promise<DuckDBMaterializedResult>
  readonly ended: Promise<void>
}

/**
 * Runs a statement of the connection until `signal` aborts. The result is materialised, because a streamed result loses its errors.
 *
 * DuckDB has no statement timeout, and it ignores an interrupt while a query still waits for a thread. Therefore the
 * interrupt is repeated until the query settles. Some operators check for it late. `result` rejects at once anyway.
 */
export function runUntil(
  connection: DuckDBConnection,
  run: () => Promise<DuckDBMaterializedResult>,
  signal: AbortSignal,
): Running {
  const query = interruptible(connection, run)
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
  const cancel = () => controller.abort(new Failure('canceled', 'the client disconnected'))
  if (gone?.aborted) cancel()
  else gone?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      gone?.removeEventListener('abort', cancel)
    },
  }
}

/** Runs a function with a signal that aborts at the function's own deadline. */
export type Timed = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Runs each function with a deadline of `deadlineMs`, or until `gone` aborts (see `deadline`). */
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

/** The result of `work`, or a rejection with the signal's reason if it aborts first; `work` then goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
