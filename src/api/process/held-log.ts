import type { Observe } from '../../engine/observation.ts'
import { isRoutine } from './log.ts'

/** A log of a process that starts. */
export interface HeldLog {
  readonly observe: Observe
  /** Logs what was held. From now on nothing is held. */
  release(): void
}

/**
 * Holds routine observations until the process serves. If it is refused instead, the user reads the reason alone, and not
 * how far the start had come.
 */
export function heldLog(log: Observe): HeldLog {
  let held: Parameters<Observe>[0][] | null = []
  return {
    observe: observation => {
      if (held !== null && isRoutine(observation)) held.push(observation)
      else log(observation)
    },
    release() {
      const gathered = held ?? []
      held = null
      for (const observation of gathered) log(observation)
    },
  }
}
