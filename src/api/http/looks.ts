import type { LakeFile } from '../../lake/store/prune.ts'
import type { LoadedSnapshot } from '../../lake/store/snapshot.ts'
import type { PreparedRequest } from '../service/answer-cache.ts'
import type { Service } from '../service/service.ts'
import type { Turn } from './turn.ts'

/** What requests need to know of the lake, looked at once for all requests of a turn. */
export interface Looks {
  /** The snapshot to serve; null if it has to be loaded first. */
  newest(): LoadedSnapshot | null
  /** The same, once it is loaded. */
  pin(): Promise<LoadedSnapshot>
  /** Null if the files of a request are proved, else resolves once they are. Throws or rejects as `Proofs.check`. */
  prove(prepared: PreparedRequest): Promise<void> | null
  /** Whether the files of a request are known to be what they should be. */
  areProved(prepared: PreparedRequest): boolean
}

export function looksAt({ lake, proofs }: Service, turn: Turn): Looks {
  const looked = turn.once(() => new Set<LakeFile>())
  const prove = ({ pinned }: PreparedRequest) => proofs?.check(pinned.files.values(), looked()) ?? null
  return {
    newest: turn.once(lake.newest),
    pin: turn.once(lake.pin),
    prove,
    areProved(prepared) {
      // If a file is damaged, the route of the request looks again and says so.
      try {
        const proving = prove(prepared)
        proving?.catch(() => {})
        return proving === null
      } catch {
        return false
      }
    },
  }
}
