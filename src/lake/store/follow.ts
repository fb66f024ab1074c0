import { join } from 'node:path'
import { firstLine } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { ClosingRule } from '../closing/closed-date.ts'
import { isSame, type Stamp, stampOf } from '../stamp/stamp.ts'
import { CURRENT, lakeFolder } from './layout.ts'
import { type LoadedSnapshot, snapshotLoader } from './snapshot.ts'

export interface Followed {
  /** The newest snapshot that can be served. Costs one stat, and a load if CURRENT has changed. */
  pin(): Promise<LoadedSnapshot>
  /** The same, at once; null if a snapshot has to be loaded first. Costs one stat. */
  newest(): LoadedSnapshot | null
  /** The snapshot served last, without a check for a newer one. */
  current(): LoadedSnapshot
}

/**
 * A snapshot that failed to load is tried again after this long: the cause may be transient, such as no free
 * descriptor.
 */
const RETRY_MS = 1000

/**
 * Follows a lake's CURRENT. No pin returns an older snapshot than an earlier pin did. If a snapshot cannot be loaded,
 * that is observed once and the previous one stays served. Rejects with lake_missing, lake_damaged or lake_newer if the
 * lake cannot be loaded at the start.
 */
export async function followLake(lake: string, observe: Observe, rule?: ClosingRule): Promise<Followed> {
  const load = snapshotLoader(lake, rule)
  const pointer = join(lakeFolder(lake), CURRENT)
  // The stamp is taken before CURRENT is read, so that a change in between counts as another change.
  let seen = stampOf(pointer)
  let served = await load(undefined, true)
  let refused: { readonly stamp: Stamp | null } | null = null
  let retryAt = 0
  let loading: Promise<void> | null = null
  observe({ kind: 'snapshot_served', snapshot: served.number })

  async function reload(stamp: Stamp | null) {
    try {
      const next = await load()
      if (next.number < served.number)
        throw new Error(`CURRENT went back from snapshot ${served.number} to ${next.number}`)
      if (next.number > served.number) {
        served = next
        observe({ kind: 'snapshot_served', snapshot: served.number })
      }
      refused = null
    } catch (thrown) {
      if (!isRefused(stamp)) observe({ kind: 'snapshot_refused', reason: firstLine(thrown) })
      refused = { stamp }
      retryAt = performance.now() + RETRY_MS
    }
    seen = stamp
  }

  const isRefused = (stamp: Stamp | null) => refused !== null && isSame(refused.stamp, stamp)
  const isDue = (stamp: Stamp | null) =>
    !isSame(stamp, seen) || (isRefused(stamp) && performance.now() >= retryAt)

  return {
    async pin() {
      const stamp = stampOf(pointer)
      // Another pin may be loading for an older stamp: then this one loads again after it.
      while (isDue(stamp)) {
        loading ??= reload(stamp).finally(() => {
          loading = null
        })
        await loading
      }
      return served
    },
    newest: () => (isDue(stampOf(pointer)) ? null : served),
    current: () => served,
  }
}
