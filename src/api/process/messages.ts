import type { Socket } from 'node:net'
import type { FailureCode } from '../../engine/failure.ts'
import type { Sickness } from '../../engine/observation.ts'
import type { DamagedFile } from '../../lake/proof/damage.ts'
import type { Certificate } from './certificate.ts'

/** Message from a worker to its supervisor. */
export type WorkerMessage =
  | {
      readonly kind: 'ready'
      readonly snapshot: number
      /** Whether the snapshot holds only generated data. */
      readonly synthetic: boolean
    }
  /** The files in quarantine, whenever they change. */
  | { readonly kind: 'damaged'; readonly files: readonly DamagedFile[] }
  /** A worker sends this once it receives messages. Earlier ones would be lost. */
  | { readonly kind: 'certificate_wanted' }
  /** Why the worker cannot start. */
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly message: string }
  /** The worker has the connection: the supervisor can let go of it. */
  | { readonly kind: 'taken'; readonly id: number }
  /**
   * The end of the connection, which comes with the message, will be the end of a response. Only if the supervisor has the
   * connection too, it can reset it when the worker is killed.
   */
  | { readonly kind: 'share'; readonly id: number }
  /** This response has closed. */
  | { readonly kind: 'unshare'; readonly id: number }
  /** The answer to `ping`. */
  | { readonly kind: 'pong'; readonly memoryBytes: number }
  /** The answer to `metrics_wanted`: its registry, as prom-client aggregates it. */
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: object[] }
  /** The worker cannot go on for long: it is replaced. */
  | { readonly kind: 'sick'; readonly cause: Sickness; readonly reason: string }
  /** The error that ends the worker. */
  | { readonly kind: 'crashing'; readonly message: string }

/** Message from the supervisor to a worker. */
export type SupervisorMessage =
  /** `stop`: the server ends. `retire`: another worker has taken the place of this one, which may take longer. */
  | { readonly kind: 'drain'; readonly how: 'stop' | 'retire' }
  | { readonly kind: 'certificate'; readonly certificate: Certificate }
  /** A client has connected. The socket comes with the message. `waitedMs` is how long no worker could be sent it. */
  | { readonly kind: 'connection'; readonly id: number; readonly waitedMs: number }
  /** The answer to `share`: the supervisor has the connection. */
  | { readonly kind: 'shared'; readonly id: number }
  | { readonly kind: 'ping' }
  | { readonly kind: 'metrics_wanted'; readonly id: number }
  /** One worker at a time scrubs the lake. */
  | { readonly kind: 'scrub' }
  /** Names of files that another worker has found to be damaged, or mended. */
  | { readonly kind: 'prove_again'; readonly files: readonly string[] }

/** Calls `handle` with each message of the supervisor of that kind. */
export function onMessage<Kind extends SupervisorMessage['kind']>(
  kind: Kind,
  handle: (message: Extract<SupervisorMessage, { kind: Kind }>, socket: Socket | undefined) => void,
): void {
  process.on('message', (message: unknown, socket: unknown) => {
    if (message !== null && typeof message === 'object' && 'kind' in message && message.kind === kind)
      handle(message as Extract<SupervisorMessage, { kind: Kind }>, socket as Socket | undefined)
  })
}
