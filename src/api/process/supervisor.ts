import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { loadSnapshot } from '../../lake/store/snapshot.ts'
import { type Replay, replayEnvironment } from '../service/replay-clock.ts'
import { type Admin, buildAdmin } from './admin.ts'
import { type Drain, portFailure, type ServeConfig, type WorkerMessage } from './worker.ts'

const ADMIN_HOST = '127.0.0.1'
/** A worker that lived shorter than this is not started anew at once, but after a pause that doubles each time. */
const SHORT_LIFE_MS = 5000
const PAUSE_MS = 250
const PAUSE_MS_MAX = 30_000
/** Threads of libuv's pool beyond those that queries hold, so that file reads and compression go on. */
const SPARE_THREADS = 4

export interface Serving {
  readonly url: string
  readonly adminUrl: string
  readonly snapshot: number
}

/**
 * Starts the workers, keeps as many of them running, and ends when told to: SIGTERM and SIGINT let requests under way
 * finish, a second one does not. It opens no data file itself. Rejects if no worker can start.
 */
export async function supervise(
  config: ServeConfig,
  observe: Observe,
  onServing: (serving: Serving) => void,
): Promise<void> {
  const ready = new Map<number, { url: string; snapshot: number }>()
  let draining = false
  const admin = buildAdmin({
    workersWanted: config.workers,
    workersReady: () => ready.size,
    draining: () => draining,
  })
  const adminUrl = await listen(admin, config.adminPort)

  const replay = await replayFrom(config)
  const begin = deferred()
  let begun = false

  let shortLives = 0
  const start = () => {
    if (draining) return
    const bornAt = performance.now()
    const worker = cluster.fork({
      UV_THREADPOOL_SIZE: String(config.leasesMax + SPARE_THREADS),
      // For the GNU allocator: with an arena for each thread, memory that is free again stays with the process.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
      ...replayEnvironment(replay),
    })
    let refusal: string | null = null
    observe({ kind: 'worker_started', worker: worker.id, pid: worker.process.pid ?? 0 })
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'refused') refusal = message.message
      if (message.kind === 'ready') ready.set(worker.id, message)
      if (ready.size === config.workers) {
        begun = true
        begin.resolve()
      }
    })
    worker.on('exit', async (code, signal) => {
      ready.delete(worker.id)
      if (draining) return
      const reason = refusal ?? (signal ? `killed by ${signal}` : `ended with code ${code}`)
      if (!begun)
        return begin.reject(new Failure('start_refused', refusal ?? `a worker was ${reason} while starting`))
      observe({ kind: 'worker_ended', worker: worker.id, pid: worker.process.pid ?? 0, reason })
      admin.countRestart()
      shortLives = performance.now() - bornAt < SHORT_LIFE_MS ? shortLives + 1 : 0
      if (shortLives > 0) await sleep(Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** shortLives))
      start()
    })
  }

  const end = async () => {
    draining = true
    await endWorkers(config.drainMs, worker => ready.has(worker.id))
    await admin.server.close()
  }
  const stopped = stopSignal()
  for (let count = 0; count < config.workers; count += 1) start()
  try {
    const signal = await Promise.race([begin.promise.then(() => null), stopped])
    if (signal === null) {
      const [{ url, snapshot } = { url: '', snapshot: 0 }] = ready.values()
      observe({ kind: 'listening', url })
      onServing({ url, adminUrl, snapshot })
    }
    observe({ kind: 'draining', signal: await stopped })
  } finally {
    await end()
  }
}

/**
 * The replay as it begins now, with its day: a worker that is started anew later must not find another one. Only manifests are read; a
 * lake that cannot be is for the workers to refuse.
 */
async function replayFrom({ lake, replay }: ServeConfig): Promise<Replay> {
  const snapshot = replay.date === null ? await loadSnapshot(lake).catch(() => null) : null
  return { ...replay, date: replay.date ?? snapshot?.lastDate('option_trades') ?? null, begunMs: Date.now() }
}

function deferred() {
  let resolve: () => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<void>((succeed, fail) => {
    resolve = succeed
    reject = fail
  })
  return { promise, resolve, reject }
}

/** Resolves with the first signal to stop; a second one ends the process and, their channel gone, the workers. */
function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    let asked = 0
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        asked += 1
        if (asked > 1) {
          for (const worker of workers()) worker.process.kill('SIGKILL')
          process.exit(1)
        }
        resolve(signal)
      })
    }
  })
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap(worker => worker ?? [])

/** A worker that serves gets time to finish; one that still starts has nothing to finish. */
async function endWorkers(drainMs: number, serves: (worker: Worker) => boolean): Promise<void> {
  const drain: Drain = { kind: 'drain' }
  await Promise.all(
    workers().map(
      worker =>
        new Promise<void>(resolve => {
          const overdue = setTimeout(() => worker.process.kill('SIGKILL'), drainMs + 1000)
          worker.once('exit', () => {
            clearTimeout(overdue)
            resolve()
          })
          if (serves(worker) && worker.isConnected()) worker.send(drain)
          else worker.process.kill('SIGKILL')
        }),
    ),
  )
}

async function listen({ server }: Admin, port: number): Promise<string> {
  try {
    return await server.listen({ host: ADMIN_HOST, port })
  } catch (thrown) {
    throw portFailure(thrown, ADMIN_HOST, port, '--admin-port')
  }
}
