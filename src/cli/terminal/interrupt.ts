import { FAILURES } from '../../engine/failure.ts'

/**
 * Ends the process on Ctrl-C or SIGTERM with one line, unless the command handles the signal itself. Folders of
 * unpublished files are removed at the exit.
 */
export function endWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return
      // A terminal shows ^C, or the line of the progress is not ended.
      process.stderr.write(
        `${process.stderr.isTTY ? '\n' : ''}tapehouse: interrupted: nothing unfinished is kept\n`,
      )
      process.exit(FAILURES.canceled.exit)
    })
  }
}
