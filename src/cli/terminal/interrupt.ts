import { constants } from 'node:os'
import { endStatements, isStatementRunning } from '../../engine/running/statements.ts'

const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const
type EndSignal = (typeof END_SIGNALS)[number]

/** The first signal that this process received; null before one. */
let received: EndSignal | null = null

/** How long an interrupted command waits for its statements to end. */
export const INTERRUPT_MS = 1000

/**
 * Ends the process on Ctrl-C or SIGTERM with one line, unless the command handles the signal itself. Folders of
 * unpublished files are removed at the exit. A second signal ends it at once.
 */
export function endWhenInterrupted(): void {
  let isEnding = false
  for (const signal of END_SIGNALS) {
    process.on(signal, async () => {
      received ??= signal
      if (process.listenerCount(signal) > 1) return
      if (isEnding) end(signal)
      isEnding = true
      reportInterrupt(signal)
      await endStatements(INTERRUPT_MS)
      end(signal)
    })
  }
}

/**
 * Ends the process. An exit would wait for a statement that does not react to its interrupt, for minutes. Then the signal
 * itself ends the process, for which a shell reports the same code.
 */
function end(signal: EndSignal): void {
  const code = exitCodeOf(signal)
  if (!isStatementRunning()) process.exit(code)
  // What an exit would do: remove the folders of unpublished files.
  process.emit('exit', code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Writes the line of an interrupted command, and returns its exit code. */
export function reportInterrupt(signal: EndSignal): number {
  // A terminal shows ^C, or the line of the progress is not ended.
  const begin = process.stderr.isTTY ? '\n' : ''
  process.stderr.write(`${begin}tapehouse: interrupted: nothing unfinished is kept\n`)
  return exitCodeOf(signal)
}

/** The exit code of a shell for a command that a signal ended. */
const exitCodeOf = (signal: EndSignal) => 128 + constants.signals[signal]

/** The exit code of a command that a signal ended; null if there was none. */
export const interruptedCode = (): number | null => received && exitCodeOf(received)

/** Aborts on the first signal, so that a command can clean up. A second one ends the process. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exitCodeOf(signal))
      controller.abort()
    })
  }
  return controller.signal
}

/** From now on signals do not end the process. Returns a function that returns the first one, or null. */
export function holdSignals(): () => EndSignal | null {
  let first: EndSignal | null = null
  for (const signal of END_SIGNALS)
    process.on(signal, () => {
      first ??= signal
    })
  return () => first
}
