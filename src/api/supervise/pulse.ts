import type { Worker } from 'node:cluster'
import { readFileSync } from 'node:fs'
import { sendTo } from './address.ts'

/** How often workers are asked whether they live. */
const ASK_EVERY_MS = 500
/** A worker that does not answer for this long is replaced. */
export const SILENT_MS = 5000
/** Time for an answer, for a probe of readiness. */
const PROBE_MS = 2000

interface Watched {
  readonly worker: Worker
  /** When the question was asked that has no answer yet; null if each has one. */
  askedMs: number | null
  /** How long its event loop had waited for a processor then, in all. */
  waitedMs: number
  readonly answered: Set<() => void>
}

/** Asks the event loops of the workers whether they still run, since a process that exists may do nothing. */
export interface Pulse {
  watch(worker: Worker): void
  forget(worker: Worker): void
  /** A worker has answered. */
  answered(worker: Worker): void
  /** Whether the worker has had a question for longer than it may take. */
  isSilent(worker: Worker): boolean
  /** Asks the watched workers now. Resolves with those that answer within two seconds. */
  answering(): Promise<readonly Worker[]>
  close(): void
}

/** `onSilent` is called for a worker that does not answer for 5 s, at each further question that it does not answer too. */
export function takePulse(onSilent: (worker: Worker) => void): Pulse {
  const watched = new Map<number, Watched>()
  const ask = (each: Watched) => {
    if (each.askedMs !== null || !each.worker.isConnected()) return
    each.askedMs = performance.now()
    each.waitedMs = waitedMs(each.worker)
    sendTo(each.worker, { kind: 'ping' })
  }
  let turnMs = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // While this process itself did not run, for example because the machine slept, no answer could be read.
    const lostMs = Math.max(0, now - turnMs - 2 * ASK_EVERY_MS)
    turnMs = now
    for (const each of watched.values()) {
      if (each.askedMs !== null && lostMs > 0) each.askedMs += lostMs
      if (isOverdue(each)) onSilent(each.worker)
      else ask(each)
    }
  }, ASK_EVERY_MS)

  const answerOf = (each: Watched) =>
    new Promise<Worker | null>(resolve => {
      const end = (worker: Worker | null) => {
        clearTimeout(limit)
        each.answered.delete(heard)
        resolve(worker)
      }
      const heard = () => end(each.worker)
      const limit = setTimeout(() => end(null), PROBE_MS)
      each.answered.add(heard)
      ask(each)
    })

  return {
    watch: worker => watched.set(worker.id, { worker, askedMs: null, waitedMs: 0, answered: new Set() }),
    forget: worker => watched.delete(worker.id),
    answered(worker) {
      const each = watched.get(worker.id)
      if (each === undefined) return
      each.askedMs = null
      for (const heard of each.answered) heard()
    },
    isSilent(worker) {
      const each = watched.get(worker.id)
      return each !== undefined && isOverdue(each)
    },
    async answering() {
      const all = await Promise.all([...watched.values()].map(answerOf))
      return all.flatMap(worker => worker ?? [])
    },
    close: () => clearInterval(timer),
  }
}

/** On a busy machine a worker is not to blame for the time in which it waits for a processor. */
function isOverdue({ worker, askedMs, ...before }: Watched): boolean {
  const silentMs = askedMs === null ? 0 : performance.now() - askedMs
  return silentMs > SILENT_MS && silentMs - (waitedMs(worker) - before.waitedMs) > SILENT_MS
}

/** Milliseconds that the main thread of a worker has waited for a processor; 0 where the system does not say it. */
function waitedMs({ process: { pid } }: Worker): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}
