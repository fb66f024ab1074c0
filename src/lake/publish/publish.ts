import { existsSync } from 'node:fs'
import { readdir, readFile, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { thisProcess } from '../../engine/owner.ts'
import { version } from '../../engine/resources.ts'
import { OWN_NAME, sha256OfFile } from '../store/content.ts'
import { prepareCurrent, readCurrent } from '../store/current.ts'
import {
  createFile,
  linkFile,
  makeFolder,
  makeFolders,
  moveFile,
  renameFile,
  syncFile,
  syncFolder,
} from '../store/durable.ts'
import { FORMAT } from '../store/format.ts'
import { shareOut } from '../store/lanes.ts'
import { MANIFESTS, pathOf, SNAPSHOTS, snapshotName, supersededPath } from '../store/layout.ts'
import { formatManifest, type Manifest, readManifest } from '../store/manifest.ts'
import { type Entry, entriesOf, type Making, type SnapshotRecord } from '../store/record.ts'
import type { StagedFile } from '../store/written-file.ts'
import { type Base, conflict } from './base.ts'
import { announce, type Moves } from './moves.ts'

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

/** What goes into the record of a snapshot, and what else a publish moves. */
export interface PublishOptions extends Making {
  /** Names of files in the folders of the data that no snapshot names: they are moved out of the way too. */
  readonly retired?: readonly string[]
}

/** One lane per thread of Node's file pool: a disk syncs several files in little more time than one. */
const AT_ONCE = [1, 2, 3, 4]

/**
 * Publishes `changes` as the snapshot after `base`, without the partitions in `dropped`, atomically. Returns its
 * number. `making` goes into its record. All files that the snapshot names are synced before the snapshot is written,
 * and the snapshot before CURRENT names it: whenever the process dies, a reader sees the old snapshot or the new one.
 * New files are first placed where those of earlier snapshots are, and moved into the folders of the data when they are
 * current: see `Moves`. Rejects with lake_conflict if another writer published first, and with lake_write if a write
 * fails; nothing is published then.
 */
export async function publish(
  base: Base,
  changes: readonly Change[],
  dropped: readonly Dropped[] = [],
  options: PublishOptions = {},
): Promise<number> {
  const { lake, staging, record: former } = base
  const { generated = former?.generated ?? null, closed = null, retired = [], ...others } = options
  const { history = former?.history, undoable = former?.undoable, reopened, ...making } = others
  const number = base.number + 1
  if (((await readCurrent(lake)) ?? 0) !== base.number) throw conflict(number)
  const formatted = await place(base, changes)
  const record: SnapshotRecord = {
    format: FORMAT,
    number,
    parent: base.record === null ? null : base.number,
    created_at: new Date().toISOString(),
    writer: { version: version(), ...thisProcess() },
    ...(generated === null ? {} : { generated }),
    ...making,
    ...(history === undefined ? {} : { history }),
    ...(undoable === undefined || undoable.length === 0 ? {} : { undoable }),
    ...closedBy(reopened === undefined ? former?.closed : reopened, closed),
    datasets: datasetsAfter(base, formatted, dropped),
  }
  const text = `${JSON.stringify(record)}\n`
  const temporary = join(staging, 'snapshot.json')
  // Of an earlier attempt, if another writer published first.
  await rm(temporary, { force: true })
  await createFile(temporary, text)
  const point = await prepareCurrent(lake, staging, number)
  await makeFolder(join(lake, SNAPSHOTS))
  const moves = await movesOf(base, changes, dropped, retired)
  if (((await readCurrent(lake)) ?? 0) !== base.number) throw conflict(number)
  const announced = await announce(lake, staging, number, text, moves)
  try {
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
  } catch (thrown) {
    const isCurrent = existsSync(join(lake, snapshotName(number))) && (await readCurrent(lake)) === number
    await (isCurrent ? announced.carryOut() : announced.withdraw()).catch(() => {})
    throw thrown
  }
  // The snapshot is published. If a file cannot be moved, the markers stay until the next writer has moved it.
  await announced.carryOut().catch(() => {})
  return number
}

/**
 * Replaces the record of a snapshot that is not the current one by one with `changes` and without `dropped`. Its files
 * stay where those of earlier snapshots are.
 */
export async function amend(
  base: Base & { readonly record: SnapshotRecord },
  changes: readonly Change[],
  dropped: readonly Dropped[],
): Promise<void> {
  const { lake, staging, record } = base
  const datasets = datasetsAfter(base, await place(base, changes), dropped)
  const temporary = join(staging, `snapshot.${record.number}.json`)
  await createFile(temporary, `${JSON.stringify({ ...record, format: FORMAT, datasets })}\n`)
  await renameFile(temporary, join(lake, snapshotName(record.number)))
  await syncFolder(join(lake, SNAPSHOTS))
}

/** Places the files and manifests of changes where nothing names them yet, durably. Returns the names of the manifests. */
async function place(base: Base, changes: readonly Change[]) {
  const { lake } = base
  const formatted = changes.map(change => ({ ...change, ...formatManifest(change.manifest) }))
  const folders = formatted.flatMap(({ staged, name }) => [
    ...staged.map(({ file }) => dirname(supersededPath(lake, file.name))),
    dirname(join(lake, name)),
  ])
  await makeFolders(folders)
  await shareOut(AT_ONCE, formatted, async (_, { staged, name, text }) => {
    for (const file of staged) await placeFile(lake, file)
    await placeManifest(base, name, text)
  })
  const changed = new Set([lake, ...(base.number === 0 ? [dirname(lake)] : []), ...folders])
  await shareOut(AT_ONCE, changed, (_, folder) => syncFolder(folder))
  return formatted
}

/** The days that are closed after a publish: those that were, and those up to `closed`. */
function closedBy(before: string | null | undefined, closed: string | null): Pick<SnapshotRecord, 'closed'> {
  const latest = [before, closed].flatMap(date => date ?? []).toSorted()
  return latest.length === 0 ? {} : { closed: latest.at(-1) }
}

/** The manifests of the snapshot after `base`. */
function datasetsAfter(
  { record }: Base,
  changes: readonly (Change & { readonly name: string })[],
  dropped: readonly Dropped[],
): SnapshotRecord['datasets'] {
  const datasets = structuredClone(record?.datasets ?? {})
  for (const { dataset, partition } of dropped) delete datasets[dataset]?.partitions[partition]
  for (const { manifest, name, absorbs } of changes) {
    const changed = datasets[manifest.dataset] ?? { partitions: {} }
    for (const partition of absorbs) delete changed.partitions[partition]
    changed.partitions[manifest.partition] = name
    datasets[manifest.dataset] = changed
  }
  return datasets
}

/** The files that the changes add and replace. */
async function movesOf(
  { lake, record }: Base,
  changes: readonly Change[],
  dropped: readonly Dropped[],
  retired: readonly string[],
): Promise<Moves> {
  const changed = [
    ...changes.flatMap(({ manifest: { dataset, partition }, absorbs }) =>
      [partition, ...absorbs].map(each => ({ dataset, partition: each })),
    ),
    ...dropped,
  ]
  const partitions = Object.fromEntries(
    [...new Set(changed.map(({ dataset }) => dataset))].map(dataset => [
      dataset,
      changed.filter(each => each.dataset === dataset).map(({ partition }) => partition),
    ]),
  )
  const after = new Set(changes.flatMap(({ manifest }) => manifest.files.map(({ name }) => name)))
  const before = new Set(retired)
  const replaced = (record === null ? [] : entriesOf(record)).filter(each =>
    partitions[each.dataset]?.includes(each.partition),
  )
  await shareOut(AT_ONCE, replaced, async (_, entry) => {
    // A derived partition whose manifest is lost is computed again: its files are found in its folder.
    const manifest = await readManifest(lake, entry).catch(() => null)
    const names = manifest?.files.map(({ name }) => name) ?? (await ownFilesIn(lake, entry))
    for (const name of names) before.add(name)
    // Manifests of format 1 are in the folders of the data.
    if (!entry.manifest.startsWith(`${MANIFESTS}/`)) before.add(entry.manifest)
  })
  const isMoved = (name: string) => after.has(name) !== before.has(name)
  return { partitions, names: [...new Set([...after, ...before])].filter(isMoved) }
}

/** Names of the files that tapehouse wrote to a partition's folder. */
async function ownFilesIn(lake: string, { dataset, partition }: Entry): Promise<string[]> {
  const folder = `${dataset}/${partition}`
  const names = await readdir(join(lake, folder)).catch(() => [])
  return names.filter(name => OWN_NAME.test(name)).map(name => `${folder}/${name}`)
}

/**
 * Renames a staged file to its content name. An existing file of that name has the same bytes and stays; one that is damaged is
 * replaced.
 */
async function placeFile(lake: string, { path, file }: StagedFile): Promise<void> {
  const existing = pathOf(lake, file.name)
  const found = existsSync(existing) ? await sha256OfFile(existing).catch(() => null) : undefined
  if (found === file.sha256) return
  await syncFile(path)
  if (found === undefined) return moveFile(path, supersededPath(lake, file.name))
  await renameFile(path, existing)
  await syncFolder(dirname(existing))
}

/** Writes a manifest under its content name. One that is damaged is replaced. */
async function placeManifest({ lake, staging }: Base, name: string, text: string): Promise<void> {
  const target = join(lake, name)
  if (existsSync(target) && (await readFile(target, 'utf8').catch(() => null)) === text) return
  const temporary = join(staging, name.replaceAll('/', '.'))
  await createFile(temporary, text)
  await renameFile(temporary, target)
}
