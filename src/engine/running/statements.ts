import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'

/** An interrupt is lost while a statement waits for a thread, so it is repeated. */
const INTERRUPT_EVERY_MS = 20

/** The connections of statements that run in this process. */
const running = new Set<{ readonly connection: DuckDBConnection }>()
let isEnding = false

/** Runs statements of a connection, which `endStatements` interrupts. */
export async function interruptible<T>(connection: DuckDBConnection, run: () => Promise<T>): Promise<T> {
  const statement = { connection }
  if (isEnding) await forever
  running.add(statement)
  try {
    return await run()
  } finally {
    running.delete(statement)
    // The command neither goes on nor reports the interrupt as a failure.
    if (isEnding) await forever
  }
}

const forever = new Promise<never>(() => {})

/** Whether a statement runs, for whose end a process that exits would wait. */
export const isStatementRunning = (): boolean => running.size > 0

/**
 * Interrupts all statements of this process, which is about to exit: it could not end before they do. No statement settles
 * from now on, and none begins. Resolves when none runs any more, or after `withinMs`: some operators ignore interrupts.
 */
export async function endStatements(withinMs: number): Promise<void> {
  isEnding = true
  for (const until = performance.now() + withinMs; running.size > 0 && performance.now() < until; ) {
    for (const { connection } of running) connection.interrupt()
    await sleep(INTERRUPT_EVERY_MS)
  }
}
