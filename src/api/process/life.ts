import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Engine } from '../../engine/engine.ts'
import { firstLine } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Turns } from '../admission/turns.ts'
import type { ServeConfig } from './config.ts'
import type { LogFile } from './log-file.ts'
import { onMessage, type SupervisorMessage, type WorkerMessage } from './messages.ts'
import { type Draining, openConnections } from './open-connections.ts'
import { probeEngine } from './probe.ts'
import { shareWithSupervisor } from './shared-connections.ts'

/** What a worker is made of, once it can serve. */
export interface Living {
  readonly config: Pick<ServeConfig, 'drainMs' | 'deadlineMs'>
  readonly server: FastifyInstance
  readonly engine: Engine
  readonly turns: Turns
  readonly registry: Registry
  readonly observe: Observe
  readonly log: LogFile
  readonly send: (message: WorkerMessage) => void
  /** Frees what the worker holds, once it has no connections. */
  readonly close: () => Promise<void>
}

/** Time that a retiring worker has for responses, which may be long downloads. */
const RETIRE_MS = 600_000
/** While a worker retires, a connection without a request is closed after this time. Its client is likely to notice. */
const IDLE_MS = 5000
/** Time to close what is left. A query that ignores its interrupt would take longer. */
const CLOSE_MS = 2000
/** Time for the reader of the log to take its last lines. */
const LAST_LINES_MS = 500

/** Lives with a supervisor: serves the connections that it sends, answers its questions, and ends when it says so or is gone. */
export function liveWithSupervisor(living: Living): void {
  const { config, server, engine, turns, registry, observe, log, send, close } = living
  const connections = openConnections(server, shareWithSupervisor(send))
  onMessage('connection', ({ id, waitedMs }, socket) => {
    send({ kind: 'taken', id })
    turns.connected(waitedMs)
    // A client may have gone meanwhile.
    if (socket) connections.take(socket)
  })
  onMessage('ping', () => send({ kind: 'pong', memoryBytes: process.memoryUsage.rss() }))
  onMessage('metrics_wanted', ({ id }) => {
    registry.getMetricsAsJSON().then(
      metrics => send({ kind: 'metrics', id, metrics }),
      thrown => observe({ kind: 'notice', message: `the metrics cannot be read: ${firstLine(thrown)}` }),
    )
  })

  const DRAINING: Record<Extract<SupervisorMessage, { kind: 'drain' }>['how'], Draining> = {
    stop: { idleMs: 0, socketsMs: Number.POSITIVE_INFINITY, limitMs: config.drainMs },
    retire: { idleMs: IDLE_MS, socketsMs: config.drainMs, limitMs: RETIRE_MS },
  }
  const stopProbing = probeEngine(engine, config.deadlineMs, reason =>
    send({ kind: 'sick', cause: 'engine', reason }),
  )
  let drains = 0
  const drain = async (how: keyof typeof DRAINING) => {
    drains += 1
    const own = drains
    const broken = await connections.drain(DRAINING[how])
    if (broken > 0) observe({ kind: 'responses_broken', responses: broken })
    if (own !== drains) return
    stopProbing()
    await Promise.race([close(), pause(CLOSE_MS)]).catch(thrown =>
      observe({ kind: 'notice', message: `the worker could not drain: ${firstLine(thrown)}` }),
    )
    await log.end(LAST_LINES_MS)
    process.exit(0)
  }
  // Ctrl-C signals the whole process group. The worker ignores it and waits for the supervisor's `drain` message.
  process.on('SIGINT', () => {})
  // Another worker takes its place first, unless the server stops.
  process.on('SIGTERM', () => send({ kind: 'sick', cause: 'terminated', reason: 'it was sent SIGTERM' }))
  onMessage('drain', ({ how }) => void drain(how))

  // If the supervisor has ended, Node ends its workers: it calls these listeners.
  process.on('exit', () => {
    connections.breakAll()
    // A query occupies a thread, and a regular exit would wait for it.
    if (engine.running > 0) process.kill(process.pid, 'SIGKILL')
  })
  process.on('uncaughtExceptionMonitor', error => {
    connections.breakAll()
    send({ kind: 'crashing', message: firstLine(error) })
  })
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
