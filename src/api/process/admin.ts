import Fastify, { type FastifyInstance } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'
import { firstLine } from '../../engine/failure.ts'
import type { Observation, Observe, Sickness } from '../../engine/observation.ts'
import type { DamagedFile } from '../../lake/proof/damage.ts'
import { describeProgram } from '../metrics/measurements.ts'
import type { ServeConfig } from './config.ts'
import { type LakeAge, tooOld } from './lake-age.ts'
import { portFailure } from './port-failure.ts'
import { WITHOUT_SCHEMAS } from './without-schemas.ts'

type Readiness = Extract<Observation, { kind: 'readiness' }>['status']

/** State of the workers, for the admin port. */
export interface Health {
  readonly workersWanted: number
  /** The number of workers that answer now. */
  readonly workersReady: () => Promise<number>
  /** The metrics of the workers, and those workers that did not send them. */
  readonly workerMetrics: () => Promise<{
    readonly text: string
    readonly missing: readonly { id: number }[]
  }>
  readonly connectionsWaiting: () => number
  /** Lines of the log that were dropped. */
  readonly linesDropped: () => number
  readonly draining: () => boolean
  /** The files in quarantine. */
  readonly damaged: () => readonly DamagedFile[]
  /** Null without a limit. */
  readonly age: LakeAge | null
  /** The end of the validity of the certificate, in milliseconds; null without TLS. */
  readonly certificateExpiresMs: () => number | null
  readonly observe: Observe
}

export interface Admin {
  readonly server: FastifyInstance
  /** Returns its URL. Throws `port_unavailable`. */
  listen(config: Pick<ServeConfig, 'adminHost' | 'adminPort'>): Promise<string>
  countRestart(cause: Sickness | 'ended'): void
  countRefusedCertificate(): void
  countRefusedRestart(): void
}

/**
 * The server of the admin port: liveness, readiness and the metrics of all workers. It has no authentication, so it
 * listens on loopback by default.
 */
export function buildAdmin({
  workersWanted,
  workersReady,
  workerMetrics,
  connectionsWaiting,
  linesDropped,
  draining,
  damaged,
  age,
  certificateExpiresMs,
  observe,
}: Health): Admin {
  const own = new Registry()
  const restarts = new Counter({
    name: 'tapehouse_worker_restarts_total',
    help: 'Workers restarted.',
    registers: [own],
  })
  new Gauge({
    name: 'tapehouse_workers_ready',
    help: 'Workers that are ready to serve requests, and answer.',
    registers: [own],
    async collect() {
      this.set(await workersReady())
    },
  })
  const replaced = new Counter({
    name: 'tapehouse_workers_replaced_total',
    help: 'Workers replaced while they ran, by cause: silent, stuck, memory, engine or terminated.',
    labelNames: ['cause'],
    registers: [own],
  })
  const metricsMissing = new Gauge({
    name: 'tapehouse_metrics_missing',
    help: '1 for each worker that did not send its metrics in time: they are missing from the sums.',
    labelNames: ['worker'],
    registers: [own],
  })
  new Gauge({
    name: 'tapehouse_connections_waiting',
    help: 'Connections that no worker has taken yet.',
    registers: [own],
    collect() {
      this.set(connectionsWaiting())
    },
  })
  new Counter({
    name: 'tapehouse_log_lines_dropped_total',
    help: 'Lines of the log that were dropped, because nobody read standard error.',
    registers: [own],
    collect() {
      this.reset()
      this.inc(linesDropped())
    },
  })
  new Gauge({
    name: 'tapehouse_lake_age_sessions',
    help: 'Trading sessions that have finished since the last closed day of the lake. Only with --max-age.',
    registers: [own],
    async collect() {
      const oldest = await age?.oldest().catch(() => null)
      if (oldest) this.set(oldest.sessions)
    },
  })

  new Gauge({
    name: 'tapehouse_damaged_files',
    help: 'Files of the lake in quarantine: requests that need one of them get 503.',
    registers: [own],
    collect() {
      this.set(damaged().length)
    },
  })

  const certificatesRefused = new Counter({
    name: 'tapehouse_certificates_refused_total',
    help: 'Failed attempts to read the certificate again.',
    registers: [own],
  })
  const restartsRefused = new Counter({
    name: 'tapehouse_restarts_refused_total',
    help: 'Restarts on SIGHUP that ended because a new worker could not start.',
    registers: [own],
  })
  new Gauge({
    name: 'tapehouse_certificate_expires_timestamp_seconds',
    help: 'The end of the validity of the certificate. Only with --tls-cert.',
    registers: [own],
    collect() {
      const expiresMs = certificateExpiresMs()
      this.reset()
      if (expiresMs !== null) this.set({}, expiresMs / 1000)
    },
  })
  describeProgram(own)

  let reported: Readiness = 'starting'
  const reportReadiness = (status: Readiness, reason: string | null) => {
    if (status !== reported) observe({ kind: 'readiness', status, reason })
    reported = status
  }

  const server = Fastify({ logger: false, forceCloseConnections: true, ...WITHOUT_SCHEMAS })
  server.get('/-/live', async () => ({ status: 'live' }))
  server.get('/-/ready', async (_request, reply) => {
    const ready = await workersReady()
    const workers = { workers_ready: ready, workers: workersWanted }
    const isServing = !draining() && ready > 0
    const reason = isServing && age !== null ? await tooOld(age).catch(firstLine) : null
    const status: Readiness = draining()
      ? 'draining'
      : !isServing
        ? 'starting'
        : reason === null
          ? 'ready'
          : 'outdated'
    reportReadiness(status, reason)
    return reply
      .code(status === 'ready' ? 200 : 503)
      .send({ status, ...(reason === null ? {} : { reason }), ...workers, ...damagedIn(damaged()) })
  })
  server.get('/-/metrics', async (_request, reply) => {
    reply.type(own.contentType)
    const { text, missing } = await workerMetrics()
    metricsMissing.reset()
    for (const { id } of missing) metricsMissing.set({ worker: id }, 1)
    return `${text}\n${await own.metrics()}`
  })
  return {
    server,
    async listen({ adminHost, adminPort }) {
      try {
        return await server.listen({ host: adminHost, port: adminPort })
      } catch (thrown) {
        throw portFailure(thrown, adminHost, adminPort, '--admin-port')
      }
    },
    countRestart(cause) {
      restarts.inc()
      if (cause !== 'ended') replaced.inc({ cause })
    },
    countRefusedCertificate: () => certificatesRefused.inc(),
    countRefusedRestart: () => restartsRefused.inc(),
  }
}

/** Damaged files that the body of /-/ready names. */
const NAMED_MAX = 20

/** The server stays ready: requests that need no damaged file are answered. */
const damagedIn = (files: readonly DamagedFile[]) =>
  files.length === 0
    ? {}
    : {
        damaged_files: files.length,
        damaged: files.slice(0, NAMED_MAX).map(({ dataset, days, file }) => ({ dataset, days, file })),
      }
