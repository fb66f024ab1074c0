import type { Base } from '../publish/base.ts'
import type { Manifest } from '../store/manifest.ts'
import { overlaps, spanOf } from '../store/partition.ts'

/** The manifests of one dataset by partition: in the base (null if lost), and in the draft. */
export interface Holding {
  readonly former: ReadonlyMap<string, Manifest | null>
  readonly now: Map<string, Manifest>
}

/** The names of a dataset's manifests in a base, by partition. */
const namesIn = ({ record }: Base, dataset: string): Readonly<Record<string, string>> =>
  record?.datasets[dataset]?.partitions ?? {}

/** Whether two bases have the same partitions of a dataset. */
export function isSameDataset(one: Base, other: Base, dataset: string): boolean {
  const [was, is] = [namesIn(one, dataset), namesIn(other, dataset)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].every(
    partition => was[partition] === is[partition],
  )
}

/**
 * Repeats in `now`, the manifests of a dataset in a newer base, what an earlier draft on the base `former` changed: the
 * partitions in whose days no other writer has changed anything. Returns the partitions that the earlier draft has
 * written and that need not be written again.
 */
export function carry(
  dataset: string,
  earlier: Holding,
  former: Base,
  base: Base,
  now: Map<string, Manifest>,
): Manifest[] {
  const [was, is] = [namesIn(former, dataset), namesIn(base, dataset)]
  const differing = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    each => was[each] !== is[each],
  )
  const touch = (one: string, other: string) => overlaps(spanOf(one), spanOf(other))
  const isUnchanged = (partition: string) => !differing.some(each => touch(each, partition))

  const removed = [...earlier.former.keys()].filter(partition => !earlier.now.has(partition))
  const written = [...earlier.now.values()].filter(
    manifest => earlier.former.get(manifest.partition) !== manifest,
  )
  const isRedone = new Set(written.filter(({ partition }) => !isUnchanged(partition)))
  const touchesRedone = (partition: string) =>
    [...isRedone].some(redone => touch(redone.partition, partition))
  // The rows of a removed partition are in those written over it: all of these are carried, or none.
  for (let before = -1; before !== isRedone.size; ) {
    before = isRedone.size
    const split = removed.filter(touchesRedone)
    for (const manifest of written)
      if (split.some(partition => touch(partition, manifest.partition))) isRedone.add(manifest)
  }
  const carried = written.filter(manifest => !isRedone.has(manifest))
  for (const partition of removed)
    if (isUnchanged(partition) && !touchesRedone(partition)) now.delete(partition)
  for (const manifest of carried) now.set(manifest.partition, manifest)
  return carried
}
