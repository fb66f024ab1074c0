import type { AddressInfo } from 'node:net'
import { AggregatorRegistry, Registry } from 'prom-client'
import { type EngineSettings, openEngine } from '../../engine/engine.ts'
import { Failure, firstLine, systemCode } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { ClosingRule } from '../../lake/closing/closed-date.ts'
import { asOfShelf } from '../../lake/point-in-time/shelf.ts'
import { pinnedLake } from '../../lake/snapshots/pinned.ts'
import { snapshotShelf } from '../../lake/snapshots/shelf.ts'
import { datasets } from '../../lake/store/datasets.ts'
import { followLake } from '../../lake/store/follow.ts'
import { locator } from '../../lake/store/layout.ts'
import { REFERENCE_PATH } from '../http/documentation.ts'
import { followTokens } from '../service/grant.ts'
import type { Replay } from '../service/replay-clock.ts'
import { type CorsOrigins, openCache } from '../service/service.ts'
import { countObservations } from './metrics.ts'
import { buildServer } from './server.ts'

export interface ServeConfig extends Omit<EngineSettings, 'schemas'> {
  readonly tokens: string
  /** Number or name of the only snapshot to serve; null to follow the lake. */
  readonly snapshot: string | null
  /** Whether requests may name a snapshot. */
  readonly allowSnapshots: boolean
  /** Whether requests may name a time. */
  readonly allowAsOf: boolean
  /** Whether unknown parameters are ignored. */
  readonly ignoresUnknown: boolean
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly workers: number
  readonly deadlineMs: number
  readonly cacheBytesMax: number
  readonly drainMs: number
  /** When a trading day counts as complete, so that it can be the default date. */
  readonly closing: ClosingRule
  /** The server is not ready if more sessions than this have finished since the last closed day; 0: no limit. */
  readonly maxAgeSessions: number
  /** The tape that sockets replay, the same in all workers. */
  readonly replay: Replay
  readonly publicUrl: string | null
  /** Origins whose pages may read responses in a browser; null for none. */
  readonly corsOrigins: CorsOrigins | null
  readonly documentationUrl: string | null
  readonly tokenUrl: string | null
  readonly supportEmail: string
}

/** Message from a worker to its supervisor. */
export type WorkerMessage =
  | {
      readonly kind: 'ready'
      readonly url: string
      readonly snapshot: number
      /** Whether the snapshot holds only generated data. */
      readonly synthetic: boolean
    }
  | { readonly kind: 'refused'; readonly message: string }

/** Message from the supervisor to a worker. */
export interface Drain {
  readonly kind: 'drain'
}

/** Serves requests until a `drain` message or SIGTERM. Rejects if it cannot start. */
export async function work(
  config: ServeConfig,
  log: Observe,
  send: (message: WorkerMessage) => void,
): Promise<void> {
  const registry = new Registry()
  let gauges = () => ({ running: 0, queued: 0 })
  const count = countObservations(registry, () => gauges())
  const observe: Observe = observation => {
    log(observation)
    count(observation)
    // A stuck query occupies a thread, and a regular exit would wait for it. The supervisor starts another worker.
    if (observation.kind === 'query_stuck') process.kill(process.pid, 'SIGKILL')
  }

  const grants = followTokens(config.tokens, observe)
  const lake =
    config.snapshot === null
      ? await followLake(config.lake, observe, config.closing)
      : await pinnedLake(config.lake, config.snapshot, observe, config.closing)
  const asOf = config.allowAsOf ? asOfShelf(config) : undefined
  const engine = await openEngine(
    {
      ...config,
      directories: asOf ? [asOf.folder] : [],
      locate: locator(config.lake),
      schemas: [...datasets().values()],
    },
    observe,
  )
  gauges = () => ({ running: engine.running, queued: engine.queued })
  const reference = (origin: string) => `${config.publicUrl ?? origin}${REFERENCE_PATH}`
  const server = await buildServer({
    engine,
    lake,
    ...(config.allowSnapshots ? { snapshots: snapshotShelf(config.lake, config.closing) } : {}),
    ...(asOf ? { asOf } : {}),
    ignoresUnknown: config.ignoresUnknown,
    grants,
    cache: openCache(config.cacheBytesMax),
    contacts: origin => ({
      documentation_url: config.documentationUrl ?? reference(origin),
      support_email: config.supportEmail,
      token_url: config.tokenUrl ?? reference(origin),
    }),
    publicUrl: config.publicUrl,
    ...(config.corsOrigins ? { corsOrigins: config.corsOrigins } : {}),
    deadlineMs: config.deadlineMs,
    replay: config.replay,
    observe,
  })
  try {
    await server.listen({ host: config.host, port: config.port })
  } catch (thrown) {
    throw portFailure(thrown, config.host, config.port, '--port')
  }
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry()

  let draining = false
  const close = async () => {
    await server.close()
    grants.close()
    await engine.close()
    asOf?.close()
  }
  const drain = () => {
    if (draining) return
    draining = true
    setTimeout(() => process.exit(1), config.drainMs).unref()
    close().then(
      () => process.exit(0),
      thrown => {
        observe({ kind: 'notice', message: `the worker could not drain: ${firstLine(thrown)}` })
        process.exit(1)
      },
    )
  }
  // Ctrl-C signals the whole process group. The worker ignores it and waits for the supervisor's `drain` message. If the
  // supervisor has ended, Node ends its workers.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', drain)
  process.on('message', (message: unknown) => {
    if (message !== null && typeof message === 'object' && 'kind' in message && message.kind === 'drain')
      drain()
  })
  const { port } = server.server.address() as AddressInfo
  const { number, synthetic } = lake.current()
  send({ kind: 'ready', url: addressUrl(config.host, port), snapshot: number, synthetic })
}

export const addressUrl = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Maps a failure to listen to `port_unavailable` with a line that says what to do. Returns other errors unchanged. */
export function portFailure(thrown: unknown, host: string, port: number, flag: string): unknown {
  const problem = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop the program that uses it, or choose another port with ${flag}`,
    EACCES: `this user may not listen on port ${port} on ${host}: choose one above 1023 with ${flag}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: choose another with --host`,
    ENOTFOUND: `${host} is not an address of this machine: choose another with --host`,
  }[systemCode(thrown)]
  return problem ? new Failure('port_unavailable', problem, { cause: thrown }) : thrown
}
