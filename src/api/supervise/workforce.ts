import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { Observe, Sickness } from '../../engine/observation.ts'
import type { WorkerMessage } from '../process/messages.ts'
import { endAfter, nameOf, sendTo } from './address.ts'
import type { Port } from './port.ts'
import { SILENT_MS, takePulse } from './pulse.ts'
import { restartPauses } from './restart-pause.ts'

/** Time for a worker to start, before the one that it replaces is ended anyway. */
const START_MS = 15_000
/** A worker that has not started after this time is killed, and another one is started. */
const START_MS_MAX = 120_000
/** Time that a worker has to end by itself, beyond the time for its responses. */
const END_MS = 2000
/** A retiring worker ends by itself after ten minutes. */
const RETIRE_MS = 600_000

export type Ready = Extract<WorkerMessage, { kind: 'ready' }>

interface Member {
  readonly worker: Worker
  readonly startedMs: number
  /** Resolves when it is ready, rejects if it ends before. */
  readonly started: Promise<Ready>
  /** `spare`: it starts, and the one that it shall replace still serves. `leaving`: it gets no new connections. */
  state: 'spare' | 'starting' | 'ready' | 'leaving'
  /** Whether it was told to end. */
  isEnding: boolean
}

/** What the workforce needs. */
export interface Hiring {
  readonly port: Port
  readonly drainMs: number
  /** A worker whose resident memory passes this is replaced. */
  readonly memoryBytesMax: number
  readonly observe: Observe
  fork(): Worker
  /** Called with each message that is not about the life of the worker. */
  onMessage(worker: Worker, message: WorkerMessage, connection?: Socket): void
  /** Called once a worker gets connections. */
  onReady(worker: Worker): void
  onEnded(worker: Worker): void
  onRestart(cause: Sickness | 'ended'): void
}

/** The workers. One that ends is replaced; one that fails is replaced before it is ended. */
export interface Workforce {
  /**
   * Starts a worker, and the others when `opened` has resolved. Rejects if that rejects, or if one of them cannot start. Default:
   * at once.
   */
  start(count: number, opened?: Promise<unknown>): Promise<Ready>
  /** The workers that get connections. */
  readonly serving: readonly Worker[]
  /** Those, and the ones that finish what they do. */
  readonly working: readonly Worker[]
  /** The workers that get connections and answer now. */
  answering(): Promise<readonly Worker[]>
  /**
   * Replaces the workers one by one; those that are replaced finish what they do. Returns their number. Rejects if a new one
   * cannot start; the remaining ones then stay.
   */
  restart(): Promise<number>
  /** Ends all workers. */
  stop(): Promise<void>
}

export function hireWorkers(hiring: Hiring): Workforce {
  const { port, drainMs, observe } = hiring
  const members = new Map<number, Member>()
  const pauseAfter = restartPauses()
  let hasStarted = false
  let stopping = false
  const pulse = takePulse(worker => {
    // One that was told to end does not hear it.
    if (members.get(worker.id)?.isEnding) worker.process.kill('SIGKILL')
    else void replace(worker, 'silent', `its event loop did not run for ${SILENT_MS / 1000} s`)
  })

  const startOne = (state: 'spare' | 'starting'): Member => {
    const worker = forkWith(hiring.fork)
    let refusal: Failure | null = null
    let lastError: string | null = null
    const started = new Promise<Ready>((resolve, reject) => {
      worker.on('message', (message: WorkerMessage, connection?: Socket) => {
        if (message.kind === 'refused') refusal = new Failure(message.code, message.message)
        else if (message.kind === 'crashing') lastError = message.message
        else receive(member, message, connection)
        if (message.kind === 'ready') resolve(message)
      })
      const end = (exit: string) => {
        const reason = refusal?.message ?? (lastError === null ? exit : `${exit}: ${lastError}`)
        reject(refusal ?? new Failure('start_refused', `a worker ended while starting: ${reason}`))
        ended(member, reason)
      }
      worker.once('exit', (code, signal) => end(signal ? `killed by ${signal}` : `exited with code ${code}`))
      // Without a free descriptor or process there is no process that could exit.
      worker.on('error', error => {
        if (worker.process.pid === undefined) end(noProcess(error))
      })
    })
    const member: Member = { worker, startedMs: performance.now(), started, state, isEnding: false }
    members.set(worker.id, member)
    const overdue = setTimeout(() => hasStarted && worker.process.kill('SIGKILL'), START_MS_MAX).unref()
    started.catch(() => {}).finally(() => clearTimeout(overdue))
    observe({ kind: 'worker_started', ...nameOf(worker) })
    return member
  }

  const receive = (member: Member, message: WorkerMessage, connection?: Socket) => {
    const { worker } = member
    switch (message.kind) {
      case 'ready':
        if (stopping || member.state === 'leaving') return
        member.state = 'ready'
        pulse.watch(worker)
        port.add(worker)
        return hiring.onReady(worker)
      case 'taken':
        return port.taken(worker, message.id)
      case 'sick':
        void replace(worker, message.cause, message.reason)
        return
      case 'pong':
        pulse.answered(worker)
        if (message.memoryBytes <= hiring.memoryBytesMax) return
        void replace(worker, 'memory', memoryReason(message.memoryBytes, hiring.memoryBytesMax))
        return
      default:
        hiring.onMessage(worker, message, connection)
    }
  }

  const ended = ({ worker, state, startedMs }: Member, reason: string) => {
    members.delete(worker.id)
    port.remove(worker)
    pulse.forget(worker)
    hiring.onEnded(worker)
    port.ended(worker)
    if (stopping || !hasStarted || state === 'leaving') return
    // Another one runs in the place of a spare one.
    const pauseMs = state === 'spare' ? null : pauseAfter(performance.now() - startedMs)
    observe({ kind: 'worker_ended', ...nameOf(worker), reason, pauseMs })
    if (pauseMs === null) return
    hiring.onRestart('ended')
    void startAfter(pauseMs)
  }

  const inState = (...states: readonly Member['state'][]) =>
    [...members.values()].filter(({ state }) => states.includes(state)).map(({ worker }) => worker)

  /**
   * Starts a worker after a pause; null if the server stops before. Where the system has no process for it, it is tried again,
   * after a longer pause each time.
   */
  const startAfter = async (pauseMs: number): Promise<Member | null> => {
    let nextMs = pauseMs
    for (;;) {
      // The pause alone does not keep a process alive that ends.
      await sleep(nextMs, undefined, { ref: false })
      if (stopping) return null
      try {
        return startOne('starting')
      } catch (thrown) {
        nextMs = pauseAfter(0)
        observe({ kind: 'worker_ended', ...NO_PROCESS, reason: firstLine(thrown), pauseMs: nextMs })
        hiring.onRestart('ended')
      }
    }
  }

  /** Ends a worker that has a successor. */
  const retire = (member: Member) => {
    member.isEnding = true
    const { worker } = member
    sendTo(worker, { kind: 'drain', how: 'retire' })
    endAfter(worker, pulse.isSilent(worker) ? 0 : RETIRE_MS + END_MS)
  }

  /** A worker that runs and should not: it gets no new connections, another one is started, then it is ended. */
  const replace = async (worker: Worker, cause: Sickness, reason: string) => {
    const member = members.get(worker.id)
    if (member === undefined || stopping || member.state === 'leaving') return
    member.state = 'leaving'
    port.remove(worker)
    observe({ kind: 'worker_replaced', ...nameOf(worker), cause, reason })
    hiring.onRestart(cause)
    const pauseMs = pauseAfter(performance.now() - member.startedMs)
    const succeeded = startAfter(pauseMs).then(successor => successor?.started)
    // Its end may be what gives the system the memory for its successor.
    const overdue = sleep(pauseMs + START_MS, undefined, { ref: false })
    await Promise.race([succeeded.catch(() => {}), overdue])
    if (!stopping) retire(member)
  }

  return {
    async start(count, opened = Promise.resolve()) {
      const first = startOne('starting').started
      await Promise.race([opened, first.then(() => opened)])
      const others = stopping ? 0 : count - 1
      const all = Array.from({ length: others }, () => startOne('starting').started)
      await Promise.all([first, ...all])
      hasStarted = true
      return first
    },
    get serving() {
      return inState('ready')
    },
    get working() {
      return inState('ready', 'leaving')
    },
    async answering() {
      const answering = await pulse.answering()
      return answering.filter(({ id }) => members.get(id)?.state === 'ready')
    },
    async restart() {
      const before = [...members.values()].filter(({ state }) => state !== 'leaving')
      for (const member of before) {
        if (stopping) break
        await startOne('spare').started
        // It may have been replaced meanwhile.
        if (member.state === 'leaving' || !members.has(member.worker.id)) continue
        member.state = 'leaving'
        port.remove(member.worker)
        observe({ kind: 'worker_retired', ...nameOf(member.worker) })
        retire(member)
      }
      return before.length
    },
    async stop() {
      stopping = true
      pulse.close()
      await Promise.all(
        [...members.values()].map(async ({ worker, state }) => {
          const closed = once(worker.process, 'close')
          sendTo(worker, { kind: 'drain', how: 'stop' })
          // One that is starting has no requests.
          const isServing = state === 'ready' || state === 'leaving'
          endAfter(worker, isServing && !pulse.isSilent(worker) ? drainMs + END_MS : 0)
          await closed
        }),
      )
    },
  }
}

/** What a line of the log says instead of the name of a worker that has no process. */
const NO_PROCESS = { worker: 0, workerPid: 0 }

/** Without memory for a process, `fork` throws at once. Without a free descriptor or process, the worker reports it later. */
function forkWith(fork: () => Worker): Worker {
  try {
    return fork()
  } catch (thrown) {
    throw new Failure('start_refused', noProcess(thrown), { cause: thrown })
  }
}

const noProcess = (thrown: unknown) => `no process could be started: ${firstLine(thrown)}`

const MEBIBYTE = 1024 ** 2
const memoryReason = (bytes: number, bytesMax: number) =>
  `it uses ${Math.round(bytes / MEBIBYTE)} MiB of memory, and its share is ${Math.round(bytesMax / MEBIBYTE)} MiB`
