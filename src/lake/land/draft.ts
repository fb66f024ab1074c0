import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Base, openBase } from '../publish/base.ts'
import { amend, type Change, type Dropped, publish } from '../publish/publish.ts'
import { withStaging } from '../publish/staging.ts'
import type { Dataset } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import { type Manifest, type ManifestFile, readServable } from '../store/manifest.ts'
import { type Entry, entriesOf, type Making, requireRecord, type SnapshotRecord } from '../store/record.ts'
import type { StagedFile } from '../store/written-file.ts'
import { type ImportRecord, writeImportRecord } from './import-record.ts'
import { isAnyChange, rowChanges } from './row-changes.ts'

/** An unpublished snapshot: the content of the lake with changes that no reader sees before `publish`. */
export interface Draft {
  readonly writer: Writer
  readonly base: Base
  readonly observe: Observe
  /** A dataset's manifests, with the changes of this draft. Rejects with lake_damaged or lake_newer. */
  manifests(dataset: Named): Promise<readonly Manifest[]>
  /** The same draft on another connection of its writer, so that two statements can run concurrently. */
  through(writer: Writer): Draft
  /** The path of a file of these manifests: staged or in the lake. */
  path(file: ManifestFile): string
  /** Replaces a partition, and removes those that it absorbs. */
  put(dataset: Named, change: Change): Promise<void>
  /** Removes partitions of a dataset. Default: all. */
  drop(dataset: Dataset, partitions?: readonly string[]): Promise<void>
  /** Has the publish move files out of the folders of the data that no snapshot names: relative to the lake. */
  retire(names: readonly string[]): void
  /** Whether anything differs from the base. */
  changed(): boolean
  /** Records the number of rows by day that were merged into a dataset, for the changes in the snapshot's record. */
  count(dataset: Dataset, rows: ReadonlyMap<string, number>): void
  /**
   * Publishes the changes as one snapshot and returns its number; without changes, the number of the base. Days that are
   * closed are a change too. `imported` are the input files, if there are any.
   */
  publish(making?: Omit<Making, 'changes' | 'imports'>, imported?: ImportRecord): Promise<number>
}

/** A dataset, which may be one that this version does not know. */
type Named = Pick<Dataset, 'name'>

/** The manifests of one dataset by partition: in the base (null if lost), and in the draft. */
interface Holding {
  readonly former: ReadonlyMap<string, Manifest | null>
  readonly now: Map<string, Manifest>
}

interface DraftOptions {
  readonly startEmpty?: boolean
  /** Whether the current snapshot may be of an earlier format; `work` then puts all of it into the draft. */
  readonly readsFormer?: boolean
}

/**
 * Runs `work` on a draft of the next snapshot. The folder becomes a lake with the first publish. With `startEmpty` the
 * draft starts without the current snapshot's data, and a publish replaces all of it. Rejects with lake_conflict while
 * a vacuum runs or another writer publishes, with lake_damaged or lake_newer.
 */
export async function withDraft<T>(
  writer: Writer,
  lake: string,
  observe: Observe,
  work: (draft: Draft) => Promise<T>,
  { startEmpty = false, readsFormer = false }: DraftOptions = {},
): Promise<T> {
  const folder = lakeFolder(lake)
  return withStaging(folder, 'write', async staging =>
    work(openDraft(writer, await openBase(folder, staging, { readsFormer }), observe, startEmpty)),
  )
}

/**
 * A draft on a snapshot of a lake that is never published: it neither changes the lake nor waits for writers. Its files
 * are written to `folder`. Rejects with lake_damaged or lake_newer.
 */
export async function unpublishedDraft(
  writer: Writer,
  lake: string,
  number: number,
  folder: string,
  observe: Observe,
): Promise<Draft> {
  const record = await requireRecord(lake, number)
  const draft = openDraft(writer, { lake, staging: folder, number, record }, observe, false)
  return { ...draft, publish: () => Promise.reject(new Error('this draft is not for publication')) }
}

/**
 * Runs `work` on a draft of snapshot `number`, and replaces the snapshot's record if it has changed anything. Returns
 * whether it has. Rejects with the failures of `withDraft`, and if the snapshot does not exist.
 */
export async function amendSnapshot(
  writer: Writer,
  lake: string,
  number: number,
  observe: Observe,
  work: (draft: Draft) => Promise<void>,
): Promise<boolean> {
  return withStaging(lake, 'write', async staging => {
    const record = await requireRecord(lake, number)
    const base = { lake, staging, number, record }
    const draft = openDraft(writer, base, observe, false, async (_, changed, dropped = []) => {
      await amend(base, changed, dropped)
      return number
    })
    await work(draft)
    const isChanged = draft.changed()
    if (isChanged) await draft.publish()
    return isChanged
  })
}

function openDraft(
  writer: Writer,
  base: Base,
  observe: Observe,
  startEmpty: boolean,
  publishing = publish,
): Draft {
  const entries = base.record === null ? [] : entriesOf(base.record)
  const holdings = new Map<string, Holding>()
  const loading = new Map<string, Promise<Holding>>()
  const staged = new Map<string, StagedFile>()
  const incoming = new Map<string, Map<string, number>>()
  const retired: string[] = []
  let published = false

  function holding(dataset: Named): Promise<Holding> {
    const known = loading.get(dataset.name) ?? load(dataset)
    loading.set(dataset.name, known)
    return known
  }

  async function load(dataset: Named): Promise<Holding> {
    const own = entries.filter(entry => !startEmpty && entry.dataset === dataset.name)
    const former = new Map<string, Manifest | null>()
    for (const entry of own) former.set(entry.partition, await readHeld(base.lake, entry))
    const lost = [...former.values()].filter(manifest => manifest === null).length
    if (lost > 0)
      observe({
        kind: 'notice',
        message: `${dataset.name} lacks ${lost} of its partitions, which are computed again`,
      })
    const present = [...former].flatMap(([partition, manifest]) =>
      manifest ? [[partition, manifest] as const] : [],
    )
    const fresh = { former, now: new Map(present) }
    holdings.set(dataset.name, fresh)
    return fresh
  }

  /** Deletes the staged files of a replaced manifest that no other manifest names. */
  async function unstage(manifest: Manifest | undefined, { now }: Holding): Promise<void> {
    const needed = new Set([...now.values()].flatMap(({ files }) => files.map(({ name }) => name)))
    for (const { name } of manifest?.files ?? []) {
      const file = staged.get(name)
      if (file === undefined || needed.has(name)) continue
      staged.delete(name)
      await unlink(file.path)
    }
  }

  function changes(): { changes: Change[]; dropped: Dropped[] } {
    const all = [...holdings].flatMap(([dataset, { former, now }]) => {
      const changed = [...now.values()].filter(manifest => former.get(manifest.partition) !== manifest)
      const gone = [...former.keys()].filter(partition => !now.has(partition))
      return [{ dataset, changed, gone }]
    })
    return {
      changes: all.flatMap(({ changed }) =>
        changed.map(manifest => ({
          manifest,
          staged: manifest.files.flatMap(({ name }) => staged.get(name) ?? []),
          absorbs: [],
        })),
      ),
      dropped: [
        ...all.flatMap(({ dataset, gone }) => gone.map(partition => ({ dataset, partition }))),
        ...entries.filter(
          ({ dataset, partition }) => startEmpty && !holdings.get(dataset)?.now.has(partition),
        ),
      ],
    }
  }

  function changedRows(): Required<SnapshotRecord>['changes'] {
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

  const through = (connection: Writer): Draft => ({
    writer: connection,
    base,
    observe,
    through,
    manifests: async dataset => [...(await holding(dataset)).now.values()],
    path: ({ name }) => staged.get(name)?.path ?? pathOf(base.lake, name),
    async put(dataset, { manifest, staged: files, absorbs }) {
      const own = await holding(dataset)
      const replaced = [manifest.partition, ...absorbs].flatMap(partition => own.now.get(partition) ?? [])
      for (const partition of absorbs) own.now.delete(partition)
      own.now.set(manifest.partition, manifest)
      for (const file of files) {
        const twin = staged.get(file.file.name)
        if (twin !== undefined && twin.path !== file.path) await unlink(twin.path)
        staged.set(file.file.name, file)
      }
      for (const each of replaced) await unstage(each, own)
    },
    async drop(dataset, partitions) {
      const own = await holding(dataset)
      for (const partition of partitions ?? [...own.now.keys()]) {
        const manifest = own.now.get(partition)
        own.now.delete(partition)
        await unstage(manifest, own)
      }
    },
    retire(names) {
      retired.push(...names)
    },
    changed() {
      const { changes: changed, dropped } = changes()
      return changed.length + dropped.length > 0
    },
    count({ name }, rows) {
      const own = incoming.get(name) ?? new Map<string, number>()
      for (const [day, count] of rows) own.set(day, (own.get(day) ?? 0) + count)
      incoming.set(name, own)
    },
    async publish(making = {}, imported) {
      if (published) throw new Error('a draft can be published only once')
      published = true
      const { changes: changed, dropped } = changes()
      const closes = base.record !== null && (making.closed ?? '') > (base.record.closed ?? '')
      if (changed.length + dropped.length === 0 && !closes) return base.number
      return publishing(base, changed, dropped, {
        ...making,
        changes: changedRows(),
        ...(imported ? { imports: await writeImportRecord(base, imported) } : {}),
        retired,
      })
    },
  })
  return through(writer)
}

/** Equal for partitions with equal files. */
const contentOf = (manifest: Manifest | null | undefined) =>
  manifest ? manifest.files.map(({ sha256 }) => sha256).join() : null

/**
 * A partition's manifest. Null for a derived partition that is lost or has the columns of another version, because it
 * can be computed again. Throws lake_damaged or lake_newer for any other partition.
 */
async function readHeld(lake: string, entry: Entry): Promise<Manifest | null> {
  if (!derivations().has(entry.dataset)) return readServable(lake, entry)
  try {
    const manifest = await readServable(lake, entry)
    if (manifest.files.every(({ name }) => existsSync(pathOf(lake, name)))) return manifest
  } catch (thrown) {
    if (!(thrown instanceof Failure && (thrown.code === 'lake_damaged' || thrown.code === 'lake_older')))
      throw thrown
  }
  return null
}
