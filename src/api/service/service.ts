import type { LRUCache } from 'lru-cache'
import type { Engine } from '../../engine/engine.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Followed } from '../../lake/store/follow.ts'
import type { Grants } from './grant.ts'
import type { Contacts } from './problem.ts'
import type { Replay } from './replay-clock.ts'
import type { SocketLimits } from './socket-limits.ts'

/** Answers by entity tag, so that a new snapshot never meets an old answer: its tags are others. */
export type AnswerCache = LRUCache<string, Uint8Array>

/** What the HTTP layer needs; it owns none of it. */
export interface Service {
  readonly engine: Engine
  readonly lake: Followed
  readonly grants: Grants
  /** Where a refused client finds help, given the origin that it reached us at. */
  readonly contacts: (origin: string) => Contacts
  /** The address that clients reach the API at, e.g. behind a proxy; null: whatever they asked. */
  readonly publicUrl: string | null
  readonly cache: AnswerCache
  readonly deadlineMs: number
  /** How long a client of a long answer may take nothing before it is cut off; `STALL_MS` when left out. */
  readonly stallMs?: number
  /** The tape that sockets hear; when left out, the lake's last day from when the server is built, in real time. */
  readonly replay?: Replay
  /** Where sockets are held to other limits than `SOCKET_LIMITS`. */
  readonly socketLimits?: Partial<SocketLimits>
  readonly observe: Observe
}
