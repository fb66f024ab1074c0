import Fastify, { type FastifyInstance } from 'fastify'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'

/** State of the workers, for the admin port. */
export interface Health {
  readonly workersWanted: number
  readonly workersReady: () => number
  readonly draining: () => boolean
}

export interface Admin {
  readonly server: FastifyInstance
  countRestart(): void
}

/**
 * The server of the admin port: liveness, readiness and the metrics of all workers. It has no authentication, so it
 * listens on loopback only.
 */
export function buildAdmin({ workersWanted, workersReady, draining }: Health): Admin {
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

  const server = Fastify({ logger: false, forceCloseConnections: true })
  server.get('/-/live', async () => ({ status: 'live' }))
  server.get('/-/ready', async (_request, reply) => {
    const ready = !draining() && workersReady() > 0
    const status = draining() ? 'draining' : ready ? 'ready' : 'starting'
    return reply
      .code(ready ? 200 : 503)
      .send({ status, workers_ready: workersReady(), workers: workersWanted })
  })
  server.get('/-/metrics', async (_request, reply) => {
    reply.type(own.contentType)
    return `${await cluster.clusterMetrics()}\n${await own.metrics()}`
  })
  return { server, countRestart: () => restarts.inc() }
}
