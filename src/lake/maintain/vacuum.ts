import { existsSync } from 'node:fs'
import { lstat, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { UNDOABLE_IMPORTS } from '../land/record-event.ts'
import { entriesIn, readReplaced } from '../land/replaced.ts'
import { openBase } from '../publish/base.ts'
import { withStaging } from '../publish/staging.ts'
import { snapshotNumbers } from '../snapshots/history.ts'
import { keptSnapshots } from '../snapshots/kept.ts'
import { isOwnFile } from '../store/content.ts'
import { currentNumber } from '../store/current.ts'
import { primitive } from '../store/durable.ts'
import { entriesBelow } from '../store/entries-below.ts'
import { lakeFolder, MANIFESTS, SNAPSHOTS, STAGING, SUPERSEDED, snapshotName, UNDO } from '../store/layout.ts'
import { readManifest } from '../store/manifest.ts'
import { type Entry, entriesOf, readRecord, requireRecord, type SnapshotRecord } from '../store/record.ts'

export interface VacuumOptions {
  /** The number of snapshots to keep, including the current one. Default: 3. */
  readonly snapshots?: number
  /** Younger files stay, and so do snapshots that were current within this time. Default: one hour. */
  readonly graceMs?: number
  /** The number of imports that can still be undone afterwards. Default and maximum: 20. */
  readonly imports?: number
}

export interface Vacuumed {
  /** Deleted files, and staging folders of processes that died, relative to the lake. */
  readonly deleted: readonly string[]
  readonly bytes: number
  /** The size of the files that only kept snapshots need. */
  readonly keptBytes: number
  /** The size of the files that only an undo of an import needs. */
  readonly undoBytes: number
}

const KEPT_SNAPSHOTS = 3
const GRACE_MS = 3_600_000

/**
 * Deletes old snapshots, the manifests and superseded files that no other snapshot names, and the leftovers of processes
 * that died. Snapshots that are kept by a name stay, and so does what
 * the newest imports replaced. Never deletes files in the folders of the data, nor files that
 * tapehouse did not write: the name of a deleted file is the hash of its content, and symbolic links are not followed.
 * Rejects with lake_conflict while another command writes to the lake, and with
 * lake_missing, lake_damaged or lake_newer if a kept snapshot cannot be read; then it deletes nothing.
 */
export async function vacuum(lake: string, options: VacuumOptions = {}): Promise<Vacuumed> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  const oldest = Date.now() - (options.graceMs ?? GRACE_MS)
  return withStaging(folder, 'vacuum', async (staging, leftovers) => {
    // Completes what a dead publish left: a file that is to be moved must not be deleted.
    await openBase(folder, staging)
    const numbers = await snapshotNumbers(folder)
    const recent = await recentRecords(
      folder,
      numbers,
      Math.max(1, options.snapshots ?? KEPT_SNAPSHOTS),
      oldest,
    )
    const needed = await namesOf(folder, recent)
    const isRecent = new Set(needed)
    for (const name of await namesOf(folder, await keptRecords(folder))) needed.add(name)
    const ofSnapshots = new Set(needed)
    for (const name of await undoNames(folder, options.imports ?? UNDOABLE_IMPORTS)) needed.add(name)

    // A file is deleted after whatever names it, so that a vacuum that dies leaves no snapshot without its files.
    const candidates = [
      ...numbers.map(snapshotName),
      ...(await filesIn(folder, UNDO)),
      ...(await filesIn(folder, MANIFESTS)),
      ...(await filesIn(folder, SUPERSEDED)).toSorted(jsonFirst),
    ]
    const deleted = leftovers.map(name => `${STAGING}/${name}`)
    let bytes = 0
    for (const name of candidates.filter(name => !needed.has(name))) {
      const found = await lstat(join(folder, name))
      // The change time covers renames: a file may be much older than its place in the lake.
      if (!found.isFile() || Math.max(found.mtimeMs, found.ctimeMs) > oldest) continue
      if (!name.startsWith(`${SNAPSHOTS}/`) && !(await isOwnFile(join(folder, name)))) continue
      await primitive('unlink', name, () => unlink(join(folder, name)))
      deleted.push(name)
      bytes += found.size
    }
    for (const name of deleted) if (!name.startsWith(`${STAGING}/`)) await removeEmpty(folder, dirname(name))
    return {
      deleted,
      bytes,
      keptBytes: await bytesOf(
        folder,
        [...ofSnapshots].filter(name => !isRecent.has(name)),
      ),
      undoBytes: await bytesOf(
        folder,
        [...needed].filter(name => !ofSnapshots.has(name)),
      ),
    }
  })
}

async function bytesOf(lake: string, names: readonly string[]): Promise<number> {
  let bytes = 0
  for (const name of names) bytes += (await lstat(join(lake, name)).catch(() => ({ size: 0 }))).size
  return bytes
}

/** The names of what an undo of the newest `count` imports needs: data files where they are once superseded. */
async function undoNames(lake: string, count: number): Promise<Set<string>> {
  const { undoable = [] } = await requireRecord(lake, await currentNumber(lake))
  const names = new Set<string>()
  for (const name of count === 0 ? [] : undoable.slice(-count)) {
    const replaced = await readReplaced(lake, name)
    if (replaced === null) continue
    names.add(name)
    for (const entry of entriesIn(replaced.after)) names.add(manifestName(entry))
    for (const entry of entriesIn(replaced.before)) {
      names.add(manifestName(entry))
      // An earlier vacuum may have deleted it.
      const manifest = await readManifest(lake, entry).catch(() => null)
      for (const file of manifest?.files ?? []) names.add(superseded(file.name))
    }
  }
  return names
}

/** The name of a file, or of a manifest of format 1, where it can be deleted. */
const superseded = (name: string) => `${SUPERSEDED}/${name}`

/** The name of a manifest, where it can be deleted. */
const manifestName = ({ manifest }: Entry) =>
  manifest.startsWith(`${MANIFESTS}/`) ? manifest : superseded(manifest)

/** The names of the records, manifests and data files of snapshots: the latter where they are once superseded. */
async function namesOf(lake: string, records: readonly SnapshotRecord[]): Promise<Set<string>> {
  const names = new Set(records.map(({ number }) => snapshotName(number)))
  for (const entry of records.flatMap(record => entriesOf(record))) {
    const manifest = manifestName(entry)
    if (names.has(manifest)) continue
    names.add(manifest)
    for (const { name } of (await readManifest(lake, entry)).files) names.add(superseded(name))
  }
  return names
}

/** The records of the snapshots that are kept by a name. */
async function keptRecords(lake: string): Promise<SnapshotRecord[]> {
  const records: SnapshotRecord[] = []
  for (const { name, snapshot } of await keptSnapshots(lake)) {
    const record = await readRecord(lake, snapshot)
    if (record === null)
      throw new Failure(
        'lake_damaged',
        `the kept snapshot ${name} cannot be read: snapshot ${snapshot} does not exist; restore it from a copy of the lake, or run "tapehouse snapshot release ${name}"`,
      )
    records.push(record)
  }
  return records
}

/** The newest `count` snapshots, those that were current after `oldest`, and any newer than CURRENT. */
async function recentRecords(
  lake: string,
  numbers: readonly number[],
  count: number,
  oldest: number,
): Promise<SnapshotRecord[]> {
  const current = await currentNumber(lake)
  const served = numbers.filter(number => number <= current)
  const newest = served.at(-count) ?? 0
  const kept: SnapshotRecord[] = []
  let replacedAt = Number.POSITIVE_INFINITY
  for (const number of numbers.toReversed()) {
    if (number < newest && replacedAt < oldest) break
    const record = await requireRecord(lake, number)
    kept.push(record)
    replacedAt = Date.parse(record.created_at)
  }
  return kept
}

/** Manifests and data files below one of the lake's folders. Symbolic links are not followed. */
async function filesIn(lake: string, folder: string): Promise<string[]> {
  if (!existsSync(join(lake, folder))) return []
  const entries = await entriesBelow(join(lake, folder))
  return entries
    .filter(entry => entry.isFile() && /\.(json|parquet)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name).slice(lake.length + 1))
}

const jsonFirst = (one: string, other: string) =>
  Number(other.endsWith('.json')) - Number(one.endsWith('.json'))

/** Removes a folder and those above it while they are empty, up to the lake's own. */
async function removeEmpty(lake: string, folder: string): Promise<void> {
  for (let name = folder; name !== '.' && name !== SNAPSHOTS; name = dirname(name))
    try {
      await rmdir(join(lake, name))
    } catch {
      return
    }
}
