import { Failure } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'

/** Lets Ctrl-C end a long operation. */
export interface Canceling {
  /** Throws Failure `canceled` after the user has canceled. */
  check(): void
  /** Runs `work`; a cancel interrupts the writer's statements meanwhile. Rejects with Failure `canceled` then. */
  around<T>(writer: Writer, work: () => Promise<T>): Promise<T>
}

/** An interrupt is lost while a statement waits for a thread, so it is repeated. */
const INTERRUPT_EVERY_MS = 20

export function cancelingBy(signal: AbortSignal | undefined): Canceling {
  const canceled = (cause?: unknown) =>
    new Failure('canceled', 'import canceled: the lake has not changed', { cause })
  return {
    check() {
      if (signal?.aborted) throw canceled()
    },
    async around(writer, work) {
      if (signal?.aborted) throw canceled()
      let timer: NodeJS.Timeout | undefined
      const stop = () => {
        timer = setInterval(() => writer.interrupt(), INTERRUPT_EVERY_MS)
      }
      signal?.addEventListener('abort', stop, { once: true })
      try {
        return await work()
      } catch (thrown) {
        throw signal?.aborted ? canceled(thrown) : thrown
      } finally {
        signal?.removeEventListener('abort', stop)
        clearInterval(timer)
      }
    },
  }
}
