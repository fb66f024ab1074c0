import type { Observe } from '../../engine/observation.ts'

const INTERVAL_MS = 200

/** Reports the progress of a task in bytes, at most five times a second and at the end. */
export function byteProgress(task: string, total: number, observe: Observe): (bytes: number) => void {
  let done = 0
  let observedMs = Number.NEGATIVE_INFINITY
  return bytes => {
    done += bytes
    const now = performance.now()
    if (done < total && now - observedMs < INTERVAL_MS) return
    observedMs = now
    observe({ kind: 'progress', task, done, total, unit: 'bytes' })
  }
}
