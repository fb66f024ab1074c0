import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { version } from '../../engine/resources.ts'
import { type Base, conflict } from './base.ts'
import { sha256OfFile } from './content.ts'
import { prepareCurrent, readCurrent } from './current.ts'
import { createFile, linkFile, makeFolder, renameFile, syncFile, syncFolder } from './durable.ts'
import { damaged, FORMAT } from './format.ts'
import { shareOut } from './lanes.ts'
import { SNAPSHOTS, snapshotName } from './layout.ts'
import { formatManifest, type Manifest, type ManifestFile } from './manifest.ts'
import { thisProcess } from './owner.ts'
import type { SnapshotRecord } from './record.ts'

/** A file that waits in the staging folder, and what the lake will know of it. */
export interface StagedFile {
  readonly path: string
  readonly file: ManifestFile
}

/** What becomes of one partition. */
export interface Change {
  /** Names files that are staged, or that stand in the lake already. */
  readonly manifest: Manifest
  readonly staged: readonly StagedFile[]
  /** Partitions whose rows this one now holds: they are in the new snapshot no more. */
  readonly absorbs: readonly string[]
}

/** A partition that is in the new snapshot no more. */
export interface Dropped {
  readonly dataset: string
  readonly partition: string
}

/** As many partitions as Node has threads for files: a disk syncs several in little more time than one. */
const AT_ONCE = [1, 2, 3, 4]

/**
 * Publishes `changes` as the snapshot after `base`, without what is `dropped`, all or nothing; returns its number.
 * `generated` says what made all of it, if nothing was imported. Everything that the snapshot
 * names is on the disk before the snapshot is, and the snapshot before CURRENT names it: whenever the process dies, a
 * reader sees the old snapshot or the new one. Rejects with lake_conflict if another writer was faster, lake_write
 * if the disk refuses; then nothing was published.
 */
export async function publish(
  base: Base,
  changes: readonly Change[],
  dropped: readonly Dropped[] = [],
  generated: string | null = base.record?.generated ?? null,
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
    // No one else finishes this publish while this process runs: it takes its snapshot back.
    if (((await readCurrent(lake)) ?? 0) === base.number) await unlink(join(lake, snapshotName(number)))
    throw thrown
  }
  return number
}

/** Gives a staged file its content name; a file that has it already holds the same bytes and stays. */
async function placeFile(lake: string, { path, file }: StagedFile): Promise<void> {
  const target = join(lake, file.name)
  if (existsSync(target)) {
    if ((await sha256OfFile(target)) !== file.sha256)
      throw damaged(target, 'its content is not what its name says')
  } else {
    await syncFile(path)
    await renameFile(path, target)
  }
}

/** Gives a manifest its name, which is that of its content. */
async function placeManifest({ lake, staging }: Base, name: string, text: string): Promise<void> {
  const target = join(lake, name)
  if (existsSync(target)) return
  const temporary = join(staging, name.replaceAll('/', '.'))
  await createFile(temporary, text)
  await renameFile(temporary, target)
}
