import { isAnyChange, rowChanges } from '../land/row-changes.ts'
import { type Base, onNewestBase } from '../publish/base.ts'
import { carriedOver, withPresentNames } from '../publish/carry.ts'
import { publish } from '../publish/publish.ts'
import { withStaging } from '../publish/staging.ts'
import { currentNumber } from '../store/current.ts'
import { lakeFolder } from '../store/layout.ts'
import { formatManifest, type Manifest, readManifest } from '../store/manifest.ts'
import { entriesOf, type SnapshotRecord } from '../store/record.ts'
import { wholeRecord } from './whole.ts'

export interface Restored {
  /** The lake's snapshot afterwards. */
  readonly snapshot: number
  /** False if the current snapshot has the same content already; then nothing was published. */
  readonly published: boolean
  /** The rows that differ from the snapshot before, by dataset. */
  readonly changes: Readonly<NonNullable<SnapshotRecord['changes']>>
}

/**
 * Publishes the content of snapshot `number` as a new snapshot. Later snapshots stay. Rejects with not_found or
 * lake_damaged if the snapshot is not whole, with lake_missing, lake_conflict or lake_write.
 */
export async function restoreSnapshot(lake: string, number: number): Promise<Restored> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  const work = async (base: Base): Promise<Restored> => {
    const { record, manifests } = await wholeRecord(folder, number)
    // A snapshot of format 1 is restored in the present format.
    const wanted = new Set(manifests.map(manifest => formatManifest(withPresentNames(manifest)).name))
    const held = base.record === null ? [] : entriesOf(base.record)
    const gone = held.filter(({ manifest }) => !wanted.has(manifest))
    const present = new Set(held.map(({ manifest }) => manifest))
    const isFresh = (manifest: Manifest) => !present.has(formatManifest(withPresentNames(manifest)).name)
    const fresh = manifests.filter(isFresh)
    if (gone.length + fresh.length === 0) return { snapshot: base.number, published: false, changes: {} }

    const former = await Promise.all(gone.map(entry => readManifest(folder, entry)))
    const names = [...new Set([...former, ...fresh].map(({ dataset }) => dataset))].toSorted()
    const of =
      (name: string) =>
      ({ dataset }: { dataset: string }) =>
        dataset === name
    const changes = Object.fromEntries(
      names
        .map(name => [name, rowChanges(former.filter(of(name)), fresh.filter(of(name)))] as const)
        .filter(([, rows]) => isAnyChange(rows)),
    )
    const snapshot = await publish(
      base,
      await Promise.all(fresh.map(manifest => carriedOver(base, manifest))),
      gone,
      { made_by: `snapshot restore ${number}`, generated: record.generated ?? null, changes },
    )
    return { snapshot, published: true, changes }
  }
  return withStaging(folder, 'write', staging => onNewestBase(folder, staging, work))
}
