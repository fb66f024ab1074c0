import { resolve } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Derived, derive, together } from '../derive/derive.ts'
import { withDraft } from '../land/draft.ts'
import type { Verification } from '../maintain/verify.ts'
import { type ImportedFile, importsBehind } from '../provenance/imports-behind.ts'
import { type Base, openBase } from '../publish/base.ts'
import { withStaging } from '../publish/staging.ts'
import { sha256OfFile } from '../store/content.ts'
import { readCurrent } from '../store/current.ts'
import { dataset } from '../store/datasets.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import { type ManifestFile, readManifest } from '../store/manifest.ts'
import { requireRecord } from '../store/record.ts'
import { restoreFile, restoreManifest, settleRestored } from './restore.ts'
import { isComputed, makeAnew, type WrongPartition, wrongPartitions } from './wrong-partitions.ts'

export interface Repair {
  /** Names of files that a replica had. */
  readonly restored: readonly string[]
  readonly derived: readonly Derived[]
  /** The current snapshot afterwards. */
  readonly snapshot: number
}

/**
 * Repairs what `verify` has found: restores files from `from`, another copy of the lake, and derives others again. A file is
 * replaced only by one with the sha256 of its manifest, and derived days are published as a snapshot, so that whenever the
 * process dies, the lake is as before or better. Derived files whose sources are damaged stay as they are, as do imported
 * files that the replica lacks. Rejects with usage if `from` is no lake, and as commands that write to a lake do.
 */
export async function repair(
  writer: Writer,
  lake: string,
  { problems }: Verification,
  from: string | null,
  observe: Observe,
): Promise<Repair> {
  const folder = lakeFolder(lake)
  const wrong = new Set(problems.map(({ file }) => file))
  const restored =
    from === null ? [] : await restoreFrom(folder, await replicaOf(folder, from), wrong, observe)
  const { derived, snapshot } = await deriveAnew(writer, folder, wrong, observe)
  return { restored, derived, snapshot }
}

/** The folder of a replica. */
async function replicaOf(lake: string, from: string): Promise<string> {
  const folder = resolve(from)
  if (folder === lake)
    throw new Failure('usage', `--from is ${folder}, which is the lake itself: name another copy of it`)
  if ((await readCurrent(folder).catch(() => null)) === null)
    throw new Failure('usage', `--from is ${folder}, which is not a copy of a lake: it has no file CURRENT`)
  return folder
}

/** Restores files, and takes the names of those that are right now out of `wrong`. */
async function restoreFrom(
  lake: string,
  from: string,
  wrong: Set<string>,
  observe: Observe,
): Promise<string[]> {
  return withStaging(lake, 'write', async staging => {
    const base = await openBase(lake, staging)
    const replica = { base, from }
    const restored: string[] = []
    const partitions = await wrongOf(base, wrong)
    for (const [done, { entry, manifest, files }] of partitions.entries()) {
      observe({ kind: 'progress', task: 'restore', done, total: partitions.length, unit: 'partitions' })
      let damaged = files
      if (manifest === null) {
        if (!(await restoreManifest(replica, entry))) continue
        restored.push(entry.manifest)
        wrong.delete(entry.manifest)
        damaged = await damagedFiles(lake, (await readManifest(lake, entry)).files)
        for (const { name } of damaged) wrong.add(name)
      }
      for (const file of damaged) {
        if (!(await restoreFile(replica, file))) continue
        restored.push(file.name)
        wrong.delete(file.name)
      }
    }
    await settleRestored(base, restored)
    return restored
  })
}

const wrongOf = async ({ lake, record }: Base, wrong: ReadonlySet<string>): Promise<WrongPartition[]> =>
  record === null ? [] : wrongPartitions(lake, record, wrong)

/** The files without the bytes that the manifest states. */
async function damagedFiles(lake: string, files: readonly ManifestFile[]): Promise<ManifestFile[]> {
  const damaged: ManifestFile[] = []
  for (const file of files) {
    const found = await sha256OfFile(pathOf(lake, file.name)).catch(() => null)
    if (found !== file.sha256) damaged.push(file)
  }
  return damaged
}

/** Computes wrong partitions again, where that is possible, and publishes them. */
async function deriveAnew(writer: Writer, lake: string, wrong: ReadonlySet<string>, observe: Observe) {
  let derived: Derived[] = []
  return withDraft(writer, lake, observe, async draft => {
    const anew = makeAnew(await wrongOf(draft.base, wrong))
    const names = [...new Set(anew.map(({ entry }) => entry.dataset))]
    if (anew.length === 0) return { derived, snapshot: draft.base.number }
    for (const name of names) {
      const own = anew.filter(({ entry, manifest }) => manifest !== null && entry.dataset === name)
      await draft.drop(
        dataset(name),
        own.map(({ entry }) => entry.partition),
      )
    }
    derived = together(derived, await derive(draft, { datasets: names }))
    return { derived, snapshot: await draft.publish({ made_by: 'verify --repair' }) }
  })
}

/** The inputs of one dataset that have to be imported again. */
export interface NeededImports {
  readonly dataset: string
  /** The damaged files that have their rows. */
  readonly files: readonly string[]
  /** In the order of their import; null if a manifest is lost, which alone says what was imported. */
  readonly inputs: readonly ImportedFile[] | null
}

/** What has to be restored or imported again before all that is damaged can be repaired. */
export async function neededImports(
  lake: string,
  { snapshot, problems }: Verification,
): Promise<NeededImports[]> {
  const folder = lakeFolder(lake)
  const record = await requireRecord(folder, snapshot)
  const wrong = await wrongPartitions(folder, record, new Set(problems.map(({ file }) => file)))
  const sources = wrong.filter(each => !isComputed(each))
  const needed: NeededImports[] = []
  for (const name of new Set(sources.map(({ entry }) => entry.dataset))) {
    const own = sources.filter(({ entry }) => entry.dataset === name)
    const files = own.flatMap(({ entry, manifest, files: damaged }) =>
      manifest === null ? [entry.manifest] : damaged.map(file => file.name),
    )
    const isKnown = own.every(({ manifest }) => manifest !== null)
    const behind = new Map([[name, own.flatMap(each => each.files)]])
    needed.push({
      dataset: name,
      files,
      inputs: isKnown ? await importsBehind(folder, record, behind) : null,
    })
  }
  return needed
}
