import { digestText } from '../store/held-days.ts'
import type { Digest, Manifest } from '../store/manifest.ts'
import type { RowChanges } from '../store/record.ts'
import { digestsTogether } from '../store/sorted-files.ts'
import type { Holding } from './carry.ts'

/** The only day of a dataset with manifests that have no digests. */
const ALL_DAYS = 'all'

/**
 * The rows that differ between the replaced manifests of a dataset and the new ones, by the digests of their days. A
 * day with an equal digest has not changed. `incoming` has the number of rows by day that were merged with the stored
 * ones; an incoming row replaces the stored row with the same key. Other days were computed anew: there the smaller
 * number of rows, before or after, counts as replaced.
 */
export function rowChanges(
  former: readonly Manifest[],
  now: readonly Manifest[],
  incoming: ReadonlyMap<string, number> = new Map(),
): RowChanges {
  const isByDay = [...former, ...now].every(({ days }) => days !== undefined)
  const [before, after] = isByDay ? [byDay(former), byDay(now)] : [allRows(former), allRows(now)]
  const landed = isByDay
    ? incoming
    : new Map(
        incoming.size === 0 ? [] : [[ALL_DAYS, [...incoming.values()].reduce((sum, rows) => sum + rows)]],
      )
  const changes = { added: 0, replaced: 0, removed: 0 }
  for (const day of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [had, has] = [before[day], after[day]]
    if (isByDay && digestText(had) === digestText(has)) continue
    const [rowsBefore, rowsAfter] = [had?.[0] ?? 0, has?.[0] ?? 0]
    const fresh = Math.min(landed.get(day) ?? rowsAfter, rowsAfter)
    const replaced = Math.max(0, Math.min(rowsBefore + fresh - rowsAfter, fresh))
    changes.added += fresh - replaced
    changes.replaced += replaced
    changes.removed += Math.max(0, rowsBefore + fresh - replaced - rowsAfter)
  }
  return changes
}

const byDay = (manifests: readonly Manifest[]) => digestsTogether(manifests.map(({ days = {} }) => days))

function allRows(manifests: readonly Manifest[]): Readonly<Record<string, Digest>> {
  const rows = manifests.flatMap(({ files }) => files).reduce((sum, file) => sum + file.rows, 0)
  return { [ALL_DAYS]: [rows, ''] }
}

/** Whether any row differs. */
export const isAnyChange = ({ added, replaced, removed }: RowChanges) => added + replaced + removed > 0

/** The rows that a draft changes, by dataset. `incoming` has the number of rows by day that were merged into each. */
export function changedRows(
  holdings: ReadonlyMap<string, Holding>,
  incoming: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Record<string, RowChanges> {
  const all = [...holdings].map(([dataset, { former, now }]) => {
    const isSame = (partition: string) => contentOf(former.get(partition)) === contentOf(now.get(partition))
    const gone = [...former].flatMap(([partition, manifest]) =>
      manifest !== null && !isSame(partition) ? manifest : [],
    )
    const fresh = [...now.values()].filter(({ partition }) => !isSame(partition))
    return [dataset, rowChanges(gone, fresh, incoming.get(dataset))] as const
  })
  return Object.fromEntries(all.filter(([, rows]) => isAnyChange(rows)).toSorted())
}

/** Equal for partitions with equal files. */
const contentOf = (manifest: Manifest | null | undefined) =>
  manifest ? manifest.files.map(({ sha256 }) => sha256).join() : null
