import type { FailureCode } from '../../engine/failure.ts'
import type { DamagedFile } from '../../lake/proof/damage.ts'
import type { Certificate } from './certificate.ts'

/** Message from a worker to its supervisor. */
export type WorkerMessage =
  | {
      readonly kind: 'ready'
      readonly url: string
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

/** Message from the supervisor to a worker. */
export type SupervisorMessage =
  | { readonly kind: 'drain' }
  | { readonly kind: 'certificate'; readonly certificate: Certificate }
  /** One worker at a time scrubs the lake. */
  | { readonly kind: 'scrub' }
  /** Names of files that another worker has found to be damaged, or mended. */
  | { readonly kind: 'prove_again'; readonly files: readonly string[] }

/** Calls `handle` with each message of the supervisor of that kind. */
export function onMessage<Kind extends SupervisorMessage['kind']>(
  kind: Kind,
  handle: (message: Extract<SupervisorMessage, { kind: Kind }>) => void,
): void {
  process.on('message', (message: unknown) => {
    if (message !== null && typeof message === 'object' && 'kind' in message && message.kind === kind)
      handle(message as Extract<SupervisorMessage, { kind: Kind }>)
  })
}
