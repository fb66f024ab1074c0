import { type Oldest, oldestOf } from '../../lake/closing/oldest.ts'
import type { Followed } from '../../lake/store/follow.ts'
import type { ServeConfig } from './config.ts'

/** The age of the served lake, and the limit of `--max-age`. */
export interface LakeAge {
  readonly maxSessions: number
  /** The dataset with the oldest closed day, now; null without any trading day. Rejects if the lake cannot be loaded. */
  oldest(): Promise<Oldest | null>
}

/** The age of the lake of a configuration; null without a limit. Reads manifests only, when it is first asked for. */
export function lakeAge({
  lake,
  snapshot,
  closing,
  maxAgeSessions,
}: Pick<ServeConfig, 'lake' | 'snapshot' | 'closing' | 'maxAgeSessions'>): LakeAge | null {
  if (maxAgeSessions === 0) return null
  // The workers observe which snapshot is served.
  const silent = () => {}
  // Loaded when it is needed: most supervisors have no limit.
  const open = async () => {
    const { pinnedLake } = await import('../../lake/snapshots/pinned.ts')
    const { followLake } = await import('../../lake/store/follow.ts')
    return snapshot === null ? followLake(lake, silent, closing) : pinnedLake(lake, snapshot, silent, closing)
  }
  let opening: Promise<Followed> | null = null
  return {
    maxSessions: maxAgeSessions,
    async oldest() {
      opening ??= open().catch(thrown => {
        opening = null
        throw thrown
      })
      return oldestOf(await (await opening).pin(), Date.now())
    },
  }
}

/** Why the lake is too old; null if it is not. */
export async function tooOld({ maxSessions, oldest }: LakeAge): Promise<string | null> {
  const found = await oldest()
  if (found === null) return 'the lake has no trading day: import data'
  const { dataset, closed, sessions } = found
  return sessions <= maxSessions
    ? null
    : `the last closed day of ${dataset} is ${closed}: ${sessions} trading sessions have finished since, ${maxSessions} are allowed; import later days, or close them with tapehouse import --close`
}
