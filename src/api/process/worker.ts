import type { AddressInfo } from 'node:net'
import { LRUCache } from 'lru-cache'
import { AggregatorRegistry, Registry } from 'prom-client'
import { type EngineSettings, openEngine } from '../../engine/engine.ts'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { datasets } from '../../lake/store/datasets.ts'
import { followLake } from '../../lake/store/follow.ts'
import { REFERENCE_PATH } from '../http/documentation.ts'
import { followTokens } from '../service/grant.ts'
import type { Replay } from '../service/replay-clock.ts'
import { countObservations } from './metrics.ts'
import { buildServer } from './server.ts'

export interface ServeConfig extends Omit<EngineSettings, 'schemas'> {
  readonly tokens: string
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly workers: number
  readonly deadlineMs: number
  readonly cacheBytesMax: number
  readonly drainMs: number
  /** The tape that sockets hear, the same in all workers. */
  readonly replay: Replay
  readonly publicUrl: string | null
  readonly documentationUrl: string | null
  readonly tokenUrl: string | null
  readonly supportEmail: string
}

/** What a worker tells its supervisor, and the one thing that the supervisor asks of it. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly url: string; readonly snapshot: number }
  | { readonly kind: 'refused'; readonly message: string }
export interface Drain {
  readonly kind: 'drain'
}

/** Serves requests until told to drain. Rejects when it cannot start. */
export async function work(
  config: ServeConfig,
  log: Observe,
  tell: (message: WorkerMessage) => void,
): Promise<void> {
  const registry = new Registry()
  let gauges = () => ({ running: 0, queued: 0 })
  const count = countObservations(registry, () => gauges())
  const observe: Observe = observation => {
    log(observation)
    count(observation)
    // An interrupted query that will not die holds a thread for good, and an exit would wait for it: end this process
    // the hard way, the supervisor starts another.
    if (observation.kind === 'query_stuck') process.kill(process.pid, 'SIGKILL')
  }

  const grants = followTokens(config.tokens, observe)
  const lake = await followLake(config.lake, observe)
  const engine = await openEngine({ ...config, schemas: [...datasets().values()] }, observe)
  gauges = () => ({ running: engine.running, queued: engine.queued })
  const reference = (origin: string) => `${config.publicUrl ?? origin}${REFERENCE_PATH}`
  const server = await buildServer({
    engine,
    lake,
    grants,
    cache: new LRUCache({ maxSize: config.cacheBytesMax, sizeCalculation: bytes => bytes.byteLength + 1 }),
    contacts: origin => ({
      documentation_url: config.documentationUrl ?? reference(origin),
      support_email: config.supportEmail,
      token_url: config.tokenUrl ?? reference(origin),
    }),
    publicUrl: config.publicUrl,
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
  const drain = async () => {
    if (draining) return
    draining = true
    setTimeout(() => process.exit(1), config.drainMs).unref()
    await server.close()
    grants.close()
    await engine.close()
    process.exit(0)
  }
  // Ctrl-C reaches the whole group of processes: what to do about it is for the supervisor to say. When that is gone,
  // Node ends its workers.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', drain)
  process.on('message', (message: unknown) => {
    if (message !== null && typeof message === 'object' && 'kind' in message && message.kind === 'drain')
      drain()
  })
  const { port } = server.server.address() as AddressInfo
  tell({ kind: 'ready', url: addressUrl(config.host, port), snapshot: lake.current().number })
}

export const addressUrl = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** What keeps a server from listening, as one line that says what to do. */
export function portFailure(thrown: unknown, host: string, port: number, flag: string): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  const problem = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop what uses it, or choose another with ${flag}`,
    EACCES: `port ${port} on ${host} is not allowed to this user: choose one above 1023 with ${flag}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: choose another with --host`,
    ENOTFOUND: `${host} is not an address of this machine: choose another with --host`,
  }[String(code)]
  return problem ? new Failure('port_unavailable', problem, { cause: thrown }) : thrown
}
