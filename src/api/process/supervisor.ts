import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { replayEnvironment } from '../service/replay-clock.ts'
import { type Admin, buildAdmin } from './admin.ts'
import { followCertificate } from './certificate.ts'
import type { ServeConfig } from './config.ts'
import { damagedByWorker } from './damaged-files.ts'
import { lakeAge } from './lake-age.ts'
import type { SupervisorMessage, WorkerMessage } from './messages.ts'
import { portFailure } from './port-failure.ts'
import { restartPauses } from './restart-pause.ts'

/** Threads of libuv's pool besides those that queries occupy, so that file reads and compression continue. */
const SPARE_THREADS = 4

export interface Serving {
  readonly url: string
  readonly adminUrl: string
  readonly snapshot: number
  /** Whether the snapshot holds only generated data. */
  readonly synthetic: boolean
}

/**
 * Starts the workers and restarts those that end, until SIGTERM or SIGINT. The first signal lets running requests finish,
 * the second one ends them. The supervisor itself opens no data file. Rejects if a worker cannot start at first.
 */
export async function supervise(
  config: ServeConfig,
  observe: Observe,
  onServing: (serving: Serving) => void,
): Promise<void> {
  const stopping = stopSignal()
  const ready = new Map<number, Omit<Serving, 'adminUrl'>>()
  const damaged = damagedByWorker()
  let draining = false
  const observeAndCount: Observe = observation => {
    observe(observation)
    if (observation.kind === 'certificate_refused') admin.countRefusedCertificate()
  }
  const certificate = followCertificate(config.certificate, observeAndCount, changed => {
    for (const worker of workers()) send(worker, { kind: 'certificate', certificate: changed })
  })
  const admin = buildAdmin({
    workersWanted: config.workers,
    workersReady: () => ready.size,
    draining: () => draining,
    damaged: damaged.all,
    age: lakeAge(config),
    certificateExpiresMs: () => certificate.current()?.expiresMs ?? null,
    observe,
  })
  const adminUrl = await listen(admin, config)

  // Workers that are restarted later use the same beginning.
  const begunMs = Date.now()
  const allReady = deferred()
  let serving = false

  let scrubber: number | null = null
  /** Lets a worker that is ready scrub the lake, if the one that did has ended. */
  const chooseScrubber = () => {
    if (config.scrubHours === 0 || (scrubber !== null && ready.has(scrubber))) return
    const next = workers().find(({ id }) => ready.has(id))
    scrubber = next?.id ?? null
    if (next !== undefined) send(next, { kind: 'scrub' })
  }

  /** A worker that would not look at a file again, because its times have not changed, learns what another one has found. */
  const shareDamage = (from: Worker, to: Worker) => {
    const files = damaged.differing(from.id, to.id)
    if (files.length > 0 && ready.has(to.id)) send(to, { kind: 'prove_again', files })
  }

  const pauseAfter = restartPauses()
  const start = () => {
    if (draining) return
    const startedAt = performance.now()
    const worker = cluster.fork({
      UV_THREADPOOL_SIZE: String(config.leasesMax + SPARE_THREADS),
      // For the GNU allocator: with one arena per thread, the process would keep freed memory.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
      ...replayEnvironment({ begunMs }),
    })
    let refusal: Failure | null = null
    observe({ kind: 'worker_started', worker: worker.id, workerPid: worker.process.pid ?? 0 })
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'refused') refusal = new Failure(message.code, message.message)
      if (message.kind === 'damaged') {
        damaged.set(worker.id, message.files)
        for (const other of workers()) shareDamage(worker, other)
      }
      const held = certificate.current()
      if (message.kind === 'certificate_wanted' && held)
        send(worker, { kind: 'certificate', certificate: held })
      if (message.kind === 'ready') {
        ready.set(worker.id, message)
        for (const other of workers()) shareDamage(other, worker)
        chooseScrubber()
      }
      if (ready.size === config.workers) {
        serving = true
        allReady.resolve()
      }
    })
    worker.on('exit', async (code, signal) => {
      ready.delete(worker.id)
      damaged.set(worker.id, [])
      if (draining) return
      chooseScrubber()
      const reason = refusal?.message ?? (signal ? `killed by ${signal}` : `exited with code ${code}`)
      if (!serving) {
        const problem = `a worker ended while starting: ${reason}`
        return allReady.reject(refusal ?? new Failure('start_refused', problem))
      }
      observe({ kind: 'worker_ended', worker: worker.id, workerPid: worker.process.pid ?? 0, reason })
      admin.countRestart()
      // The pause alone does not keep a process alive that ends.
      await sleep(pauseAfter(performance.now() - startedAt), undefined, { ref: false })
      start()
    })
  }

  const end = async () => {
    draining = true
    await endWorkers(config.drainMs, worker => ready.has(worker.id))
    await admin.server.close()
    certificate.close()
  }
  for (let count = 0; count < config.workers; count += 1) start()
  try {
    const signal = await Promise.race([allReady.promise.then(() => null), stopping])
    if (signal === null) {
      const [first = { url: '', snapshot: 0, synthetic: false }] = ready.values()
      observe({ kind: 'listening', url: first.url })
      onServing({ ...first, adminUrl })
    }
    observe({ kind: 'draining', signal: await stopping })
  } finally {
    await end()
  }
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

/** Resolves with the first signal to stop. A second one kills the workers and ends the process. */
function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    let signals = 0
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        signals += 1
        if (signals > 1) {
          for (const worker of workers()) worker.process.kill('SIGKILL')
          process.exit(1)
        }
        resolve(signal)
      })
    }
  })
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap(worker => worker ?? [])

/** A worker that ends cannot receive it, and does not need it. */
function send(worker: Worker, message: SupervisorMessage): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** Ends all workers. Those that are ready get `drainMs` to finish their requests; those that are starting have none. */
async function endWorkers(drainMs: number, isReady: (worker: Worker) => boolean): Promise<void> {
  const drain: SupervisorMessage = { kind: 'drain' }
  await Promise.all(
    workers().map(
      worker =>
        new Promise<void>(resolve => {
          const overdue = setTimeout(() => worker.process.kill('SIGKILL'), drainMs + 1000)
          worker.once('exit', () => {
            clearTimeout(overdue)
            resolve()
          })
          if (isReady(worker) && worker.isConnected()) worker.send(drain)
          else worker.process.kill('SIGKILL')
        }),
    ),
  )
}

async function listen({ server }: Admin, { adminHost, adminPort }: ServeConfig): Promise<string> {
  try {
    return await server.listen({ host: adminHost, port: adminPort })
  } catch (thrown) {
    throw portFailure(thrown, adminHost, adminPort, '--admin-port')
  }
}
