import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { version } from '../../engine/resources.ts'
import { sha256OfFile } from '../store/content.ts'
import { prepareCurrent, readCurrent } from '../store/current.ts'
import { createFile, linkFile, makeFolder, renameFile, syncFile, syncFolder } from '../store/durable.ts'
import { damaged, FORMAT } from '../store/format.ts'
import { shareOut } from '../store/lanes.ts'
import { SNAPSHOTS, snapshotName } from '../store/layout.ts'
import { formatManifest, type Manifest } from '../store/manifest.ts'
import type { Making, SnapshotRecord } from '../store/record.ts'
import type { StagedFile } from '../store/written-file.ts'
import { type Base, conflict } from './base.ts'
import { thisProcess } from './owner.ts'

/** The new content of one partition. */
export interface Change {
  /** Names files that are staged or already in the lake. */
  readonly manifest: Manifest
  readonly staged: readonly StagedFile[]
  /** Partitions whose rows this one now holds; the new snapshot does not name them. */
  readonly absorbs: readonly string[]
}

/** A partition that the new snapshot does not name. */
export interface Dropped {
  readonly dataset: string
  readonly partition: string
}

/** One lane per thread of Node's file pool: a disk syncs several files in little more time than one. */
const AT_ONCE = [1, 2, 3, 4]

/**
 * Publishes `changes` as the snapshot after `base`, without the partitions in `dropped`, atomically. Returns its
 * number. `making` goes into its record. All files that the snapshot names are synced before the snapshot is written,
 * and the snapshot before CURRENT names it: whenever the process dies, a reader sees the old snapshot or the new one. Rejects with lake_conflict if another writer published first, and with
 * lake_write if a write fails; nothing is published then.
 */
export async function publish(
  base: Base,
  changes: readonly Change[],
  dropped: readonly Dropped[] = [],
  { generated = base.record?.generated ?? null, closed = null, ...making }: Making = {},
): Promise<number> {
  const { lake, staging } = base
  const number = base.number + 1
  const datasets = structuredClone(base.record?.datasets ?? {})
  const folders = new Set([lake])
  if (base.number === 0) folders.add(dirname(lake))
  for (const { dataset, partition } of dropped) delete datasets[dataset]?.partitions[partition]
  const formatted = changes.map(change => ({ ...change, ...formatManifest(change.manifest) }))
  for (const { manifest, name, absorbs } of formatted) {
    const changed = datasets[manifest.dataset] ?? { partitions: {} }
    for (const partition of absorbs) delete changed.partitions[partition]
    changed.partitions[manifest.partition] = name
    datasets[manifest.dataset] = changed
  }
  await shareOut(AT_ONCE, formatted, async (_, { manifest, staged, name, text }) => {
    const dataset = join(lake, manifest.dataset)
    const place = join(dataset, manifest.partition)
    await makeFolder(place)
    for (const file of staged) await placeFile(lake, file)
    await placeManifest(base, name, text)
    folders.add(dataset).add(place)
  })
  await shareOut(AT_ONCE, folders, (_, folder) => syncFolder(folder))

  const record: SnapshotRecord = {
    format: FORMAT,
    number,
    parent: base.record === null ? null : base.number,
    created_at: new Date().toISOString(),
    writer: { version: version(), ...thisProcess() },
    ...(generated === null ? {} : { generated }),
    ...making,
    ...closedBy(base, closed),
    datasets,
  }
  const temporary = join(staging, 'snapshot.json')
  await createFile(temporary, `${JSON.stringify(record)}\n`)
  const point = await prepareCurrent(lake, staging, number)
  await makeFolder(join(lake, SNAPSHOTS))
  if (((await readCurrent(lake)) ?? 0) !== base.number) throw conflict(number)
  if (!(await linkFile(temporary, join(lake, snapshotName(number))))) throw conflict(number)
  try {
    await syncFolder(join(lake, SNAPSHOTS))
    await point()
  } catch (thrown) {
    // While this process runs, no other writer completes this publish, so the snapshot can be removed.
    if (((await readCurrent(lake)) ?? 0) === base.number) await unlink(join(lake, snapshotName(number)))
    throw thrown
  }
  return number
}

/** The days that are closed after a publish: those that were, and those up to `closed`. */
function closedBy({ record }: Base, closed: string | null): Pick<SnapshotRecord, 'closed'> {
  const latest = [record?.closed, closed].flatMap(date => date ?? []).toSorted()
  return latest.length === 0 ? {} : { closed: latest.at(-1) }
}

/** Renames a staged file to its content name. An existing file of that name has the same bytes and stays. */
async function placeFile(lake: string, { path, file }: StagedFile): Promise<void> {
  const target = join(lake, file.name)
  if (existsSync(target)) {
    if ((await sha256OfFile(target)) !== file.sha256)
      throw damaged(target, 'its content does not match the hash in its name')
  } else {
    await syncFile(path)
    await renameFile(path, target)
  }
}

/** Writes a manifest under its content name. */
async function placeManifest({ lake, staging }: Base, name: string, text: string): Promise<void> {
  const target = join(lake, name)
  if (existsSync(target)) return
  const temporary = join(staging, name.replaceAll('/', '.'))
  await createFile(temporary, text)
  await renameFile(temporary, target)
}
