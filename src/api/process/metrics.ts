import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Observation } from '../../engine/observation.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts observations for Prometheus. Each worker has its own; the supervisor adds them up. */
export function countObservations(registry: Registry, engine: () => { running: number; queued: number }) {
  const registers = [registry]
  const requests = new Counter({
    name: 'tapehouse_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'method', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'tapehouse_request_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const bytes = new Counter({
    name: 'tapehouse_answer_bytes_total',
    help: 'Bytes of answers sent, after content coding.',
    labelNames: ['operation'],
    registers,
  })
  const queries = new Counter({
    name: 'tapehouse_queries_total',
    help: 'Queries run, by how they ended.',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const querySeconds = new Histogram({
    name: 'tapehouse_query_seconds',
    help: 'Time of a query, its wait for a connection included.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const waitSeconds = new Histogram({
    name: 'tapehouse_query_wait_seconds',
    help: 'Wait of a query for a connection.',
    buckets: SECONDS,
    registers,
  })
  const snapshot = new Gauge({
    name: 'tapehouse_snapshot',
    help: 'Number of the snapshot served.',
    aggregator: 'min',
    registers,
  })
  const tokens = new Gauge({ name: 'tapehouse_tokens', help: 'Tokens known.', aggregator: 'max', registers })
  const refused = new Counter({
    name: 'tapehouse_refused_total',
    help: 'Snapshots or token files that could not be loaded.',
    labelNames: ['what'],
    registers,
  })
  const sockets = new Gauge({ name: 'tapehouse_sockets', help: 'Sockets open now.', registers })
  const socketMessages = new Counter({
    name: 'tapehouse_socket_messages_total',
    help: 'Messages of the tape sent to sockets, each counted once a client.',
    labelNames: ['channel'],
    registers,
  })
  const socketsEnded = new Counter({
    name: 'tapehouse_sockets_ended_total',
    help: 'Sockets that ended, by why: left by their clients, or dropped.',
    labelNames: ['end'],
    registers,
  })
  const streamFailures = new Counter({
    name: 'tapehouse_stream_failures_total',
    help: 'Times that the tape of a channel could not be read.',
    labelNames: ['channel'],
    registers,
  })
  new Gauge({
    name: 'tapehouse_queries_running',
    help: 'Queries running now.',
    registers,
    collect() {
      this.set(engine().running)
    },
  })
  new Gauge({
    name: 'tapehouse_queries_queued',
    help: 'Queries waiting for a connection now.',
    registers,
    collect() {
      this.set(engine().queued)
    },
  })

  return (observation: Observation) => {
    switch (observation.kind) {
      case 'request': {
        const { operation, method, status } = observation
        requests.inc({ operation, method, status })
        requestSeconds.observe({ operation }, observation.durationMs / 1000)
        bytes.inc({ operation }, observation.bytes)
        return
      }
      case 'query': {
        const { operation, outcome } = observation
        queries.inc({ operation, outcome })
        querySeconds.observe({ operation }, observation.durationMs / 1000)
        waitSeconds.observe(observation.queuedMs / 1000)
        return
      }
      case 'snapshot_served':
        return snapshot.set(observation.snapshot)
      case 'tokens_loaded':
        return tokens.set(observation.tokens)
      case 'socket_opened':
        return sockets.inc()
      case 'socket_closed':
        sockets.dec()
        return socketsEnded.inc({ end: observation.end })
      case 'stream_sent':
        return socketMessages.inc({ channel: observation.channel }, observation.messages)
      case 'stream_failed':
        return streamFailures.inc({ channel: observation.channel })
      case 'snapshot_refused':
        return refused.inc({ what: 'snapshot' })
      case 'tokens_refused':
        return refused.inc({ what: 'tokens' })
    }
  }
}
