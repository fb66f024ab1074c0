import type { Engine } from '../../engine/engine.ts'
import type { Observe } from '../../engine/observation.ts'
import type { AsOfShelf } from '../../lake/point-in-time/shelf.ts'
import type { Proofs } from '../../lake/proof/proofs.ts'
import type { SnapshotShelf } from '../../lake/snapshots/shelf.ts'
import type { Followed } from '../../lake/store/follow.ts'
import type { Admission } from '../admission/admission.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Grants } from './grant.ts'
import type { Contacts } from './problem.ts'
import type { Replay } from './replay-clock.ts'
import type { SocketLimits } from './socket-limits.ts'

/** Origins whose pages may read responses in a browser; `*` for all. */
export type CorsOrigins = '*' | readonly string[]

/** What the HTTP layer uses. Its creator closes it. */
export interface Service {
  readonly engine: Engine
  readonly lake: Followed
  /** Keeps answers that damaged files would change from being sent. Default: files are read as they are. */
  readonly proofs?: Proofs
  /** The other snapshots, if requests may name them. */
  readonly snapshots?: SnapshotShelf
  /** The states of the lake as of a time, if requests may name one. The engine may read its folder. */
  readonly asOf?: AsOfShelf
  /**
   * Whether unknown parameters of an operation are ignored, and named in a header. Default: they are refused. A parameter
   * that selects what is read, `snapshot` or `as_of`, is refused where the server does not permit it.
   */
  readonly ignoresUnknown?: boolean
  readonly grants: Grants
  /** Where a client that is not authorized finds help. `origin` is the address of the server. */
  readonly contacts: (origin: string) => Contacts
  /** The URL at which clients reach the API, e.g. through a proxy; null for the address of each connection. */
  readonly publicUrl: string | null
  /** Default: none. */
  readonly corsOrigins?: CorsOrigins
  readonly cache: AnswerCache
  /** Which connections and requests are let in, and when. */
  readonly admission: Admission
  readonly deadlineMs: number
  /** Time without reading after which the client of a long response is disconnected. Default: `STALL_MS`. */
  readonly stallMs?: number
  /** The tape that sockets replay. Default: the latest day of the lake, from the server's start, in real time. */
  readonly replay?: Replay
  /** Limits of sockets that differ from `SOCKET_LIMITS`. */
  readonly socketLimits?: Partial<SocketLimits>
  readonly observe: Observe
}
