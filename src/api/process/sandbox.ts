import type { Engine } from '../../engine/engine.ts'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'

/** How often a running worker proves its sandbox again. */
const PROVE_EVERY_MS = 3_600_000

/**
 * Tries what the engine must refuse, now and once an hour. Rejects with `start_refused` if something is not refused now. If
 * something is permitted later, `end` is called. Returns what stops the proofs.
 */
export async function holdSandbox(
  engine: Pick<Engine, 'breaches'>,
  observe: Observe,
  end: () => void,
): Promise<() => void> {
  const [breach] = await engine.breaches()
  if (breach !== undefined)
    throw new Failure(
      'start_refused',
      `the sandbox of the engine does not hold: ${breach.what} was not refused (${breach.reason}); report this as SECURITY.md says`,
    )
  const again = async () => {
    for (const { what, reason, isOpen } of await engine.breaches()) {
      observe({ kind: 'sandbox_breach', what, reason })
      if (isOpen) end()
    }
  }
  const timer = setInterval(() => {
    again().catch(thrown => observe({ kind: 'sandbox_breach', what: 'the proof', reason: String(thrown) }))
  }, PROVE_EVERY_MS).unref()
  return () => clearInterval(timer)
}
