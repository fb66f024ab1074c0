import type { Engine } from '../../engine/engine.ts'
import { Failure, firstLine } from '../../engine/failure.ts'

const PROBE_EVERY_MS = 5000

const PROBE = {
  operation: 'probe',
  template: { name: 'probe', sql: 'SELECT 1 AS one', parameters: [] },
  bindings: {},
}

/**
 * Runs a query every five seconds, one at a time. Reports an engine that fails, and not one that has much to do. The process can
 * end meanwhile. Returns what stops it.
 */
export function probeEngine(
  engine: Pick<Engine, 'places'>,
  deadlineMs: number,
  onFailure: (reason: string) => void,
): () => void {
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    try {
      await engine.places(PROBE, ['one'], 1, AbortSignal.timeout(deadlineMs))
    } catch (thrown) {
      if (!(thrown instanceof Failure) && !isTimeout(thrown)) onFailure(firstLine(thrown))
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(() => void ask(), PROBE_EVERY_MS).unref()
  return () => clearInterval(timer)
}

const isTimeout = (thrown: unknown) => thrown instanceof Error && thrown.name === 'TimeoutError'
