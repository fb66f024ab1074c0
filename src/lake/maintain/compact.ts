import { join } from 'node:path'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { lastSession } from '../../market/sessions.ts'
import { type Base, manifestsOf, onNewestBase } from '../publish/base.ts'
import { type Change, publish } from '../publish/publish.ts'
import { withStaging } from '../publish/staging.ts'
import { currentNumber } from '../store/current.ts'
import { type Dataset, datasets } from '../store/datasets.ts'
import { FORMAT } from '../store/format.ts'
import { lakeFolder } from '../store/layout.ts'
import { formatManifest, type Manifest } from '../store/manifest.ts'
import { CATCH_ALL, contains, partitionOf, spanOf } from '../store/partition.ts'
import { columnList, writeSorted } from '../store/sorted-files.ts'
import { columnsNow } from '../store/stored-columns.ts'
import { storedFiles } from '../store/stored-files.ts'

/** Partitions that were merged into one. */
export interface MergedPartition {
  readonly dataset: string
  readonly partition: string
  readonly from: readonly string[]
}

export interface Compaction {
  /** The lake's snapshot after the compaction. */
  readonly snapshot: number
  /** Empty if there was nothing to merge; then nothing was published. */
  readonly merged: readonly MergedPartition[]
}

/**
 * Merges the daily partitions of closed months into monthly ones, and the partitions of closed years into yearly ones,
 * if the dataset has these units, in one snapshot. A period is closed when the dataset holds its last trading session
 * or a later date. Rows do not change, and the catch-all of an adopted lake stays. Rejects with lake_missing,
 * lake_damaged, lake_newer, lake_conflict or lake_write.
 */
export async function compact(writer: Writer, lake: string, observe: Observe): Promise<Compaction> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  // What was merged already is not merged again after another writer published first.
  const made = new Map<string, Change>()
  const work = async (base: Base): Promise<Compaction> => {
    const due: { dataset: Dataset; target: string; sources: Manifest[] }[] = []
    for (const dataset of datasets().values())
      for (const [target, sources] of mergeable(dataset, await manifestsOf(folder, base.record, dataset)))
        due.push({ dataset, target, sources })

    const changes: Change[] = []
    for (const [done, { dataset, target, sources }] of due.entries()) {
      observe({ kind: 'progress', task: 'compact', done, total: due.length, unit: 'partitions' })
      const name = sources.map(source => formatManifest(source).name).join(' ')
      const change = made.get(name) ?? (await merge(writer, base, dataset, target, sources))
      made.set(name, change)
      changes.push(change)
    }
    observe({ kind: 'progress', task: 'compact', done: due.length, total: due.length, unit: 'partitions' })
    return {
      snapshot:
        changes.length > 0
          ? await publish(base, changes, [], { made_by: 'compact', changes: {} })
          : base.number,
      merged: due.map(({ dataset, target, sources }) => ({
        dataset: dataset.name,
        partition: target,
        from: sources.map(({ partition }) => partition),
      })),
    }
  }
  return withStaging(folder, 'write', staging => onNewestBase(folder, staging, work))
}

/** The partitions to merge, by target: the coarsest closed period around each. */
function mergeable({ partition: { units } }: Dataset, stored: readonly Manifest[]): Map<string, Manifest[]> {
  const newest = stored
    .flatMap(({ files }) => files.map(({ dates }) => dates[1]))
    .reduce((last, date) => (date > last ? date : last), '')
  const targets = new Map<string, Manifest[]>()
  for (const manifest of stored.filter(({ partition }) => partition !== CATCH_ALL)) {
    const own = spanOf(manifest.partition)
    const target = units
      .toReversed()
      .map(unit => partitionOf(unit, own.from))
      .find(partition => contains(spanOf(partition), own) && isClosed(partition, newest))
    if (target !== undefined) targets.set(target, [...(targets.get(target) ?? []), manifest])
  }
  for (const [target, sources] of targets)
    if (sources.every(({ partition }) => partition === target)) targets.delete(target)
  return targets
}

function isClosed(partition: string, newest: string): boolean {
  const { from, to } = spanOf(partition)
  return newest >= (lastSession(from, to) ?? to)
}

async function merge(
  writer: Writer,
  { lake, staging }: Base,
  dataset: Dataset,
  target: string,
  sources: readonly Manifest[],
): Promise<Change> {
  const former = sources.flatMap(source => source.files)
  const { staged, days } = await writeSorted(
    writer,
    staging,
    dataset,
    target,
    `SELECT ${columnList(dataset)} FROM read_parquet($stored, hive_partitioning = false)`,
    {
      stored: await writer.bindFiles(
        dataset,
        storedFiles(dataset, sources, ({ name }) => join(lake, name)),
      ),
    },
  )
  const count = (list: readonly { rows: number }[]) => list.reduce((sum, { rows }) => sum + rows, 0)
  if (count(staged.map(({ file }) => file)) !== count(former))
    throw new Error(`${dataset.name}/${target}: ${count(former)} rows became another number of rows`)
  return {
    manifest: {
      format: FORMAT,
      dataset: dataset.name,
      partition: target,
      columns: columnsNow(dataset),
      inputs: [...new Set(sources.flatMap(({ inputs }) => inputs))].toSorted(),
      days,
      ...originsOf(sources),
      files: staged.map(({ file }) => file),
    },
    staged,
    absorbs: sources.map(({ partition }) => partition).filter(partition => partition !== target),
  }
}

/** The fingerprints of derived days, which a merge does not change. */
function originsOf(sources: readonly Manifest[]): Pick<Manifest, 'derived'> {
  const derived = sources.flatMap(each => Object.entries(each.derived ?? {}))
  return derived.length > 0 ? { derived: Object.fromEntries(derived.toSorted()) } : {}
}
