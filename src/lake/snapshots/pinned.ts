import type { Observe } from '../../engine/observation.ts'
import type { ClosingRule } from '../closing/closed-date.ts'
import type { Followed } from '../store/follow.ts'
import { lakeFolder } from '../store/layout.ts'
import { loadSnapshot } from '../store/snapshot.ts'
import { wholeSnapshot } from './named.ts'

/**
 * One snapshot of a lake, by number or name, in place of the current one: later snapshots are not served. Rejects with
 * usage, not_found, lake_missing, lake_damaged or lake_newer.
 */
export async function pinnedLake(
  lake: string,
  text: string,
  observe: Observe,
  rule?: ClosingRule,
): Promise<Followed> {
  const folder = lakeFolder(lake)
  const snapshot = await loadSnapshot(folder, await wholeSnapshot(folder, text), rule)
  observe({ kind: 'snapshot_served', snapshot: snapshot.number })
  const current = () => snapshot
  return { pin: async () => snapshot, newest: current, current }
}
