import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Observation } from '../../engine/observation.ts'
import { countRequests } from './requests.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts observations for Prometheus. Each worker has its own registry; the supervisor adds them up. */
export function countObservations(registry: Registry, engine: () => { running: number; queued: number }) {
  const registers = [registry]
  const countRequest = countRequests(registry, SECONDS)
  const queries = new Counter({
    name: 'tapehouse_queries_total',
    help: 'Queries run, by outcome.',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const querySeconds = new Histogram({
    name: 'tapehouse_query_seconds',
    help: 'Duration of a query, including its wait for a connection.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const waitSeconds = new Histogram({
    name: 'tapehouse_query_wait_seconds',
    help: 'Time that a query waits for a connection.',
    buckets: SECONDS,
    registers,
  })
  const snapshot = new Gauge({
    name: 'tapehouse_snapshot',
    help: 'Number of the current snapshot.',
    aggregator: 'min',
    registers,
  })
  const tokens = new Gauge({
    name: 'tapehouse_tokens',
    help: 'Tokens in the tokens file.',
    aggregator: 'max',
    registers,
  })
  const refused = new Counter({
    name: 'tapehouse_refused_total',
    help: 'Failed attempts to load a snapshot or the tokens file.',
    labelNames: ['what'],
    registers,
  })
  const sockets = new Gauge({ name: 'tapehouse_sockets', help: 'Open sockets.', registers })
  const socketMessages = new Counter({
    name: 'tapehouse_socket_messages_total',
    help: 'Messages of the tape sent to sockets, counted once per client.',
    labelNames: ['channel'],
    registers,
  })
  const socketsEnded = new Counter({
    name: 'tapehouse_sockets_ended_total',
    help: 'Closed sockets, by reason: left by the client, or dropped by the server.',
    labelNames: ['end'],
    registers,
  })
  const streamFailures = new Counter({
    name: 'tapehouse_stream_failures_total',
    help: 'Failures to read the tape of a channel or to encode a message.',
    labelNames: ['channel'],
    registers,
  })
  new Gauge({
    name: 'tapehouse_queries_running',
    help: 'Running queries.',
    registers,
    collect() {
      this.set(engine().running)
    },
  })
  new Gauge({
    name: 'tapehouse_queries_queued',
    help: 'Queries that wait for a connection.',
    registers,
    collect() {
      this.set(engine().queued)
    },
  })

  return (observation: Observation) => {
    switch (observation.kind) {
      case 'request':
        return countRequest(observation)
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
      // All other kinds are only logged.
      default:
        return
    }
  }
}
