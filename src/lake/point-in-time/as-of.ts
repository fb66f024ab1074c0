import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { derive } from '../derive/derive.ts'
import type { Draft } from '../land/draft.ts'
import { unpublishedDraft } from '../land/past-draft.ts'
import { type Dataset, datasets } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import { spanOf } from '../store/partition.ts'
import { requireRecord } from '../store/record.ts'
import { type LoadedSnapshot, type Part, partFrom, snapshotOf } from '../store/snapshot.ts'
import { isKnownByDate, keepKnown } from './known-rows.ts'

/**
 * A snapshot as it would be if the lake had never received what became known after the end of `day`: the imported rows
 * that were known by then, and what is derived from them. The lake does not change: new files are written to `folder`,
 * which the writer and the readers of the snapshot may access, and which must exist as long as the snapshot is used.
 * Rejects with lake_missing, lake_damaged or lake_newer.
 */
export async function snapshotAsOf(
  writer: Writer,
  snapshot: LoadedSnapshot,
  day: string,
  folder: string,
  observe: Observe,
): Promise<LoadedSnapshot> {
  const draft = await unpublishedDraft(writer, snapshot.lake, snapshot.number, folder, observe)
  const all = [...datasets().values()]
  for (const [done, dataset] of all.entries()) {
    observe({
      kind: 'progress',
      task: `select what was known on ${day}`,
      done,
      total: all.length,
      unit: 'datasets',
    })
    if (await isComputed(draft, dataset)) await dropLater(draft, dataset, day)
    else await keepKnown(draft, dataset, day)
  }
  await derive(draft)
  const parts = new Map<string, readonly Part[]>()
  for (const dataset of all) {
    const held = await draft.manifests(dataset)
    if (held.length > 0)
      parts.set(
        dataset.name,
        held.map(manifest => partFrom(manifest, draft.path)),
      )
  }
  const record = await requireRecord(snapshot.lake, snapshot.number)
  return Object.freeze({ ...snapshotOf(snapshot.lake, record, parts, snapshot.closing), asOf: day })
}

/** Whether all days of a dataset were computed from others, rather than imported or adopted. */
async function isComputed(draft: Draft, dataset: Dataset): Promise<boolean> {
  if (!derivations().has(dataset.name)) return false
  const manifests = await draft.manifests(dataset)
  return manifests.every(
    ({ days, derived }) => days && derived && Object.keys(days).every(day => day in derived),
  )
}

/**
 * Drops the partitions of a derived dataset after `day` at once; `derive` would, one by one. It also drops the days
 * that remain in others, since their sources are gone.
 */
async function dropLater(draft: Draft, dataset: Dataset, day: string): Promise<void> {
  if (!isDatedByKnowledge(dataset)) return
  const partitions = (await draft.manifests(dataset)).map(manifest => manifest.partition)
  await draft.drop(
    dataset,
    partitions.filter(partition => spanOf(partition).from > day),
  )
}

/** Whether a dataset has no day after that on which its sources became known. */
function isDatedByKnowledge(dataset: Dataset): boolean {
  const derivation = derivations().get(dataset.name)
  return derivation ? derivation.days.every(isDatedByKnowledge) : isKnownByDate(dataset)
}
