import { Failure } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'

/** What a long piece of work asks, so that Ctrl-C ends it. */
export interface Canceling {
  /** Throws Failure `canceled` once the person has canceled. */
  check(): void
  /** Does `work`; while it runs, a cancel interrupts the writer's statements. */
  around<T>(writer: Writer, work: () => Promise<T>): Promise<T>
}

/** An interrupt that comes while a statement waits for a thread is lost, so it is given again and again. */
const INTERRUPT_EVERY_MS = 20

export function cancelingBy(signal: AbortSignal | undefined): Canceling {
  const canceled = (cause?: unknown) =>
    new Failure('canceled', 'import canceled: the lake is as it was', { cause })
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
