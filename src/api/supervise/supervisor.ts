import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { firstLine } from '../../engine/failure.ts'
import type { Admin } from '../process/admin.ts'
import { followCertificate } from '../process/certificate.ts'
import type { ServeConfig } from '../process/config.ts'
import { lakeAge } from '../process/lake-age.ts'
import type { Log } from '../process/log.ts'
import type { WorkerMessage } from '../process/messages.ts'
import { replayEnvironment } from '../service/replay-clock.ts'
import { sendTo } from './address.ts'
import { installedAllocator } from './allocator.ts'
import { followDamage } from './damage.ts'
import { workerEnvironment } from './environment.ts'
import { openPort } from './port.ts'
import { shareConnections } from './shared-connections.ts'
import { passLines } from './worker-lines.ts'
import type { WorkerMetrics } from './worker-metrics.ts'
import { hireWorkers, type Ready } from './workforce.ts'

/** Time between a signal to the process group and its arrival in the supervisor, at most. */
const SIGNAL_MS = 50
/** Time for the reader of the log to take the last lines. */
const LAST_LINES_MS = 1000

export interface Serving extends Omit<Ready, 'kind'> {
  readonly url: string
  readonly adminUrl: string
}

/**
 * Listens, and starts the workers and replaces those that end or fail, until SIGTERM or SIGINT. The first signal lets running
 * requests finish, the second one ends them. SIGHUP replaces the workers one by one. The supervisor itself opens no data file.
 * Rejects if a worker cannot start at first.
 */
export async function supervise(
  config: ServeConfig,
  { observe, file }: Log,
  onServing: (serving: Serving) => void,
): Promise<void> {
  const damage = followDamage(config.scrubHours, () => workforce.serving)
  let metrics: WorkerMetrics | null = null
  let admin: Admin | null = null
  const shared = shareConnections()
  const stopping = stopSignal(shared.breakAll)
  let draining = false
  const certificate = followCertificate(config.certificate, observe)
  const port = await openPort(config)
  // Workers that are started later use the same beginning.
  const begunMs = Date.now()
  const environment = workerEnvironment({ ...config, allocator: installedAllocator(process) }, process.env)
  cluster.setupPrimary({ stdio: ['ignore', 'inherit', 'pipe', 'ipc'] })
  const workforce = hireWorkers({
    port,
    drainMs: config.drainMs,
    memoryBytesMax: config.workerMemoryBytesMax,
    observe,
    fork() {
      const worker = cluster.fork({ ...environment, ...replayEnvironment({ begunMs }) })
      if (worker.process.stderr) passLines(worker.process.stderr, lines => file.write(lines))
      return worker
    },
    onMessage(worker: Worker, message: WorkerMessage, connection?: Socket) {
      if (message.kind === 'share' && connection) shared.add(worker, message.id, connection)
      if (message.kind === 'unshare') shared.remove(worker, message.id)
      if (message.kind === 'damaged') damage.found(worker, message.files)
      if (message.kind === 'metrics') metrics?.receive(worker, message.id, message.metrics)
      const held = certificate.current()
      if (message.kind === 'certificate_wanted' && held)
        sendTo(worker, { kind: 'certificate', certificate: held })
    },
    onReady: damage.onReady,
    onEnded(worker) {
      shared.ended(worker)
      damage.onEnded(worker)
    },
    onRestart: cause => admin?.countRestart(cause),
  })
  /** Resolves with the URL of the admin port. */
  const openAdmin = async () => {
    const [{ buildAdmin }, { workerMetrics }] = await Promise.all([
      import('../process/admin.ts'),
      import('./worker-metrics.ts'),
    ])
    const gathered = workerMetrics()
    metrics = gathered
    admin = buildAdmin({
      workersWanted: config.workers,
      workersReady: async () => (await workforce.answering()).length,
      workerMetrics: () => gathered.gather(workforce.working),
      connectionsWaiting: () => port.waiting,
      linesDropped: () => file.dropped,
      draining: () => draining,
      damaged: damage.all,
      age: lakeAge(config),
      certificateExpiresMs: () => certificate.current()?.expiresMs ?? null,
      observe,
    })
    return admin.listen(config)
  }

  const restart = async () => {
    observe({ kind: 'restarting', signal: 'SIGHUP' })
    try {
      certificate.read()
    } catch (thrown) {
      observe({ kind: 'certificate_refused', reason: firstLine(thrown) })
      admin?.countRefusedCertificate()
      return
    }
    const current = certificate.current()
    if (current)
      for (const worker of workforce.working) sendTo(worker, { kind: 'certificate', certificate: current })
    try {
      observe({ kind: 'restarted', workers: await workforce.restart() })
    } catch (thrown) {
      observe({ kind: 'restart_refused', reason: firstLine(thrown) })
      admin?.countRefusedRestart()
    }
  }
  let restarts = Promise.resolve()
  process.on('SIGHUP', () => {
    // What changes during a restart counts for the next one.
    restarts = restarts.then(() => (draining ? undefined : restart()))
  })

  // The first worker loads its code while the supervisor loads the rest of its own, which takes one of the cores.
  const opening = openAdmin()
  // Where the first worker cannot start, that is what is reported.
  opening.catch(() => {})
  const started = workforce.start(config.workers, opening)
  restarts = started.then(
    () => {},
    () => {},
  )
  try {
    const first = await Promise.race([afterSignals(started), stopping.then(() => null)])
    if (first !== null) {
      const adminUrl = await opening
      const url = addressUrl(config.host, port.port, config.certificate !== null)
      observe({ kind: 'listening', url, preloaded: environment.LD_PRELOAD || null })
      onServing({ snapshot: first.snapshot, synthetic: first.synthetic, url, adminUrl })
    }
    observe({ kind: 'draining', signal: await stopping })
  } finally {
    draining = true
    port.close()
    await workforce.stop()
    await opening.catch(() => {})
    await (admin as Admin | null)?.server.close()
    await file.end(LAST_LINES_MS)
  }
}

/**
 * Ctrl-C signals the whole process group, and ends a worker that does not ignore it yet. The end of a worker is then reported to
 * the supervisor before its own signal: a rejection is held until that has been received.
 */
async function afterSignals<T>(started: Promise<T>): Promise<T> {
  try {
    return await started
  } catch (thrown) {
    await setTimeout(SIGNAL_MS)
    throw thrown
  }
}

/** Resolves with the first signal to stop. A second one calls `beforeEnd`, kills the workers and ends the process. */
function stopSignal(beforeEnd: () => void): Promise<string> {
  return new Promise(resolve => {
    let signals = 0
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        signals += 1
        if (signals > 1) {
          beforeEnd()
          for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
          process.exit(1)
        }
        resolve(signal)
      })
    }
  })
}

const addressUrl = (host: string, port: number, isSecure: boolean) =>
  `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
