import Fastify, { type FastifyInstance } from 'fastify'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import { firstLine } from '../../engine/failure.ts'
import type { Observation, Observe } from '../../engine/observation.ts'
import type { DamagedFile } from '../../lake/proof/damage.ts'
import { type LakeAge, tooOld } from './lake-age.ts'
import { describeProgram } from './measurements.ts'

type Readiness = Extract<Observation, { kind: 'readiness' }>['status']

/** State of the workers, for the admin port. */
export interface Health {
  readonly workersWanted: number
  readonly workersReady: () => number
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
  countRestart(): void
  countRefusedCertificate(): void
}

/**
 * The server of the admin port: liveness, readiness and the metrics of all workers. It has no authentication, so it
 * listens on loopback by default.
 */
export function buildAdmin({
  workersWanted,
  workersReady,
  draining,
  damaged,
  age,
  certificateExpiresMs,
  observe,
}: Health): Admin {
  const own = new Registry()
  const cluster = new AggregatorRegistry()
  const restarts = new Counter({
    name: 'tapehouse_worker_restarts_total',
    help: 'Workers restarted.',
    registers: [own],
  })
  new Gauge({
    name: 'tapehouse_workers_ready',
    help: 'Workers that are ready to serve requests.',
    registers: [own],
    collect() {
      this.set(workersReady())
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

  const server = Fastify({ logger: false, forceCloseConnections: true })
  server.get('/-/live', async () => ({ status: 'live' }))
  server.get('/-/ready', async (_request, reply) => {
    const workers = { workers_ready: workersReady(), workers: workersWanted }
    const isServing = !draining() && workersReady() > 0
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
    return `${await cluster.clusterMetrics()}\n${await own.metrics()}`
  })
  return {
    server,
    countRestart: () => restarts.inc(),
    countRefusedCertificate: () => certificatesRefused.inc(),
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
