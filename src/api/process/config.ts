import type { EngineSettings } from '../../engine/engine.ts'
import type { ClosingRule } from '../../lake/closing/closed-date.ts'
import type { AdmissionLimits } from '../admission/limits.ts'
import type { Replay } from '../service/replay-clock.ts'
import type { CorsOrigins } from '../service/service.ts'
import type { CertificateFiles } from './certificate.ts'
import type { TrustedProxies } from './client-address.ts'

export interface ServeConfig extends Omit<EngineSettings, 'schemaOf' | 'guard'> {
  readonly tokens: string
  /** The folder in which proofs of files are remembered; null for none. */
  readonly proofsFolder: string | null
  /** All files of the lake are read again within so many hours; 0: they are not. */
  readonly scrubHours: number
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
  readonly adminHost: string
  readonly adminPort: number
  /** The files of the certificate; null for plain HTTP. */
  readonly certificate: CertificateFiles | null
  /** How many proxies, or which, are believed about the client; null for none. */
  readonly trustedProxies: TrustedProxies | null
  readonly workers: number
  readonly deadlineMs: number
  readonly cacheBytesMax: number
  /** Limits on what clients can make a worker hold. */
  readonly admission: AdmissionLimits
  readonly drainMs: number
  /** A worker whose resident memory passes this is replaced. */
  readonly workerMemoryBytesMax: number
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
