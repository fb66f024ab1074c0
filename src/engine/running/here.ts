import {
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBPendingResult,
  DuckDBPendingResultState,
  type DuckDBPreparedStatement,
} from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'

/**
 * Statements run here, in the process's own thread, as long as they take little time: to wake another thread for one, and to
 * be woken by that, takes longer than many of them do, and the caches of that processor have other data.
 */
export interface Here {
  /**
   * Runs a statement with its values that reads tables in memory only; another thread ends it if it takes long. `sql` is its
   * text.
   */
  run(statement: DuckDBPreparedStatement, sql: string): Promise<DuckDBMaterializedResult>
}

/**
 * So long a statement runs here at most, and what is one task for the engine: up to 50 vectors of rows in one pipeline. All
 * other requests of the process wait for it, also those that are answered from the cache. So in a pass of the event loop none
 * begins here once half of this time has passed since the first one: it waits for the next pass.
 */
const HERE_MS = 12
/** So often in a row a statement takes longer before it is known to be long. A short one may too, if all processors are busy. */
const LONG_RUNS = 3
/**
 * How many times a statement runs on another thread before it is tried here: one that is not known, and one that is long. As
 * long as it takes long when it is tried, the number doubles. A short statement seems long while tables are copied beside it.
 */
const ELSEWHERE = { unknown: 1, long: 4, longMax: 64 } as const
/** SQL texts of which it is known. */
const TEXTS_MAX = 1024

interface Text {
  /** How many times more it runs on another thread. */
  elsewhere: number
  /** How many times in a row it took long here. */
  long: number
  /** How many times it runs on another thread when it takes long again. */
  pause: number
}

export function openHere(limitMs: number = HERE_MS): Here {
  const texts = new LRUCache<string, Text>({ max: TEXTS_MAX })
  /** The pass of the event loop in which statements have begun here: when the first one did, and the end of the pass. */
  let pass: { readonly since: number; readonly ended: Promise<void> } | null = null

  function beginPass(since: number) {
    const ended = new Promise<void>(resolve => {
      setImmediate(() => {
        pass = null
        resolve()
      })
    })
    pass = { since, ended }
  }

  function textOf(sql: string): Text {
    const known = texts.get(sql)
    if (known) return known
    const text = { elsewhere: ELSEWHERE.unknown, long: 0, pause: ELSEWHERE.long }
    texts.set(sql, text)
    return text
  }

  return {
    async run(statement, sql) {
      const text = textOf(sql)
      if (text.elsewhere > 0) {
        text.elsewhere -= 1
        return statement.run()
      }
      while (pass !== null && performance.now() - pass.since >= limitMs / 2) await pass.ended
      const now = performance.now()
      if (pass === null) beginPass(now)
      let pending: DuckDBPendingResult
      const until = now + limitMs
      try {
        // A statement with parameters is planned here.
        pending = statement.start()
        const isReady = runTasks(pending, until)
        const isShort = isReady && performance.now() < until
        text.long = isShort ? 0 : text.long + 1
        if (isShort) text.pause = ELSEWHERE.long
      } catch {
        // It fails again, in the way that failures are explained.
        return statement.run()
      }
      if (text.long >= LONG_RUNS) {
        text.long = LONG_RUNS - 1
        text.elsewhere = text.pause
        text.pause = Math.min(2 * text.pause, ELSEWHERE.longMax)
      }
      // `start` makes no other kind of result; `startStream` would.
      return (await pending.getResult()) as DuckDBMaterializedResult
    },
  }
}

/** Runs a statement that takes a fraction of a millisecond here. The connection's next statement ends it. */
export async function runHere(statement: DuckDBPreparedStatement): Promise<void> {
  const pending = statement.start()
  if (!runTasks(pending, performance.now() + HERE_MS)) await pending.getResult()
}

/**
 * Frees what a planned statement of the connection keeps of its last run, such as sorted rows and hash tables: it begins anew, which
 * drops them, and an interrupt ends it before it reads anything. That takes 0.1 ms. Nothing may be running on the connection, and the
 * engine must have one thread, or another one takes up the tasks. The statement holds its tables until the connection's next one
 * ends it: to end it here would make some of what it kept again.
 */
export function emptyHere(connection: DuckDBConnection, statement: DuckDBPreparedStatement): void {
  try {
    const pending = statement.start()
    connection.interrupt()
    // The connection's next statement then has less to end.
    pending.runTask()
  } catch {
    // It was interrupted, or fails anyway, which its next run reports.
  }
}

/** Whether the result is ready. If not, time is up, or what remains to be done waits for another thread. */
function runTasks(pending: DuckDBPendingResult, until: number): boolean {
  do {
    const state = pending.runTask()
    if (state === DuckDBPendingResultState.RESULT_READY) return true
    if (state === DuckDBPendingResultState.NO_TASKS_AVAILABLE) return false
  } while (performance.now() < until)
  return false
}
