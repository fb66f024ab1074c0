import { existsSync } from 'node:fs'
import { rm, unlink } from 'node:fs/promises'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Base, onNewestBase, type RebaseOptions } from '../publish/base.ts'
import { type Change, type Dropped, publish } from '../publish/publish.ts'
import { withStaging } from '../publish/staging.ts'
import type { Dataset } from '../store/datasets.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import type { Manifest, ManifestFile } from '../store/manifest.ts'
import { CATCH_ALL, holds, spanOf } from '../store/partition.ts'
import { entriesOf, type Making } from '../store/record.ts'
import type { StagedFile } from '../store/written-file.ts'
import { carry, type Holding, isSameDataset } from './carry.ts'
import { readHeld } from './held.ts'
import { type Event, recordImport, recordUndo } from './record-event.ts'
import { changedRows } from './row-changes.ts'

/** An unpublished snapshot: the content of the lake with changes that no reader sees before `publish`. */
export interface Draft {
  readonly writer: Writer
  readonly base: Base
  readonly observe: Observe
  /** Whether nothing is carried over from an earlier draft, because there is none or what it read has changed. */
  readonly isAnew: boolean
  /** What is carried over of a dataset. */
  carried(dataset: Dataset): Carried
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
   * closed are a change too, and so is an undo. `event` goes into the history of imports.
   */
  publish(making?: Omit<Making, 'changes' | 'imports' | 'history'>, event?: Event): Promise<number>
}

/** A dataset, which may be one that this version does not know. */
type Named = Pick<Dataset, 'name'>

/** What an earlier draft of the same work has written, and what no other writer has changed since. */
export interface Carried {
  readonly partitions: readonly string[]
  /** The days of `count` in these partitions. */
  readonly days: ReadonlySet<string>
}

const NOTHING_CARRIED: Carried = { partitions: [], days: new Set() }

/** What a draft has made; the next one builds on it if this one could not be published. */
export interface Attempt {
  readonly base: Base
  readonly holdings: ReadonlyMap<string, Holding>
  readonly staged: ReadonlyMap<string, StagedFile>
  readonly incoming: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export interface DraftOptions extends RebaseOptions {
  /** Datasets on all of whose rows all changes depend, as those of an import that looks up stored rows. */
  readonly reads?: readonly Dataset[]
}

/**
 * Runs `work` on a draft of the next snapshot. The folder becomes a lake with the first publish. If another writer
 * publishes first, runs `work` again on a draft of the snapshot after that one, which starts with the partitions that
 * `work` has written and the other writer has not touched: `carried` names them, and derived days know by their
 * fingerprints whether they are still right. Rejects with lake_conflict while a vacuum runs or after too many repeats,
 * with lake_damaged or lake_newer.
 */
export async function withDraft<T>(
  writer: Writer,
  lake: string,
  observe: Observe,
  work: (draft: Draft) => Promise<T>,
  { reads = [], ...rebasing }: DraftOptions = {},
): Promise<T> {
  const folder = lakeFolder(lake)
  let earlier: Attempt | null = null
  const run = async (base: Base) => {
    const former: Attempt | null = earlier
    if (former !== null)
      observe({
        kind: 'notice',
        message: `another command published snapshot ${base.number} in the meantime: repeating what it affects`,
      })
    const isSame = former !== null && reads.every(({ name }) => isSameDataset(former.base, base, name))
    const { draft, attempt } = await openDraft(writer, base, observe, false, isSame ? former : null)
    earlier = attempt
    return work(draft)
  }
  return withStaging(folder, 'write', staging => onNewestBase(folder, staging, run, rebasing))
}

/**
 * Opens a draft on `base`, with what `earlier` has made if that could not be published. A draft that starts empty has no
 * rows of the current snapshot, and its publish replaces all of them.
 */
export async function openDraft(
  writer: Writer,
  base: Base,
  observe: Observe,
  startEmpty: boolean,
  earlier: Attempt | null = null,
  publishing = publish,
): Promise<{ draft: Draft; attempt: Attempt }> {
  const entries = base.record === null ? [] : entriesOf(base.record)
  const holdings = new Map<string, Holding>()
  const loading = new Map<string, Promise<Holding>>()
  const staged = new Map<string, StagedFile>()
  const incoming = new Map<string, Map<string, number>>()
  const retired: string[] = []
  const carried = new Map<string, Carried>()
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

  /** Starts with what an earlier draft has written, and deletes its other files. */
  async function carryOver(attempt: Attempt): Promise<void> {
    for (const [name, made] of attempt.holdings) {
      const { now } = await holding({ name })
      const manifests = carry(name, made, attempt.base, base, now)
      const spans = manifests.map(({ partition }) => ({ partition, ...spanOf(partition) }))
      const days = [...(attempt.incoming.get(name)?.keys() ?? [])].filter(day =>
        spans.some(span => span.partition === CATCH_ALL || holds(span, day)),
      )
      carried.set(name, { partitions: spans.map(({ partition }) => partition), days: new Set(days) })
      for (const { name: file } of manifests.flatMap(({ files }) => files)) {
        // A publish that lost has already given its files their names in the lake.
        const own = attempt.staged.get(file)
        if (own !== undefined && existsSync(own.path)) staged.set(file, own)
      }
    }
    for (const { path, file } of attempt.staged.values())
      if (!staged.has(file.name)) await rm(path, { force: true })
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

  const through = (connection: Writer): Draft => ({
    writer: connection,
    base,
    observe,
    through,
    isAnew: earlier === null,
    carried: ({ name }) => carried.get(name) ?? NOTHING_CARRIED,
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
    async publish(making = {}, event) {
      if (published) throw new Error('a draft can be published only once')
      published = true
      const { changes: changed, dropped } = changes()
      const closes = base.record !== null && (making.closed ?? '') > (base.record.closed ?? '')
      const undoes = event !== undefined && 'undoes' in event
      if (changed.length + dropped.length === 0 && !closes && !undoes) return base.number
      const rows = changedRows(holdings, incoming)
      const { undoable = startEmpty ? [] : (base.record?.undoable ?? []) } = making
      const members = undoes
        ? await recordUndo(base, event.undoes, undoable)
        : event && (await recordImport(base, holdings, rows, making, event.imported))
      return publishing(base, changed, dropped, {
        ...making,
        undoable,
        changes: rows,
        ...members,
        retired,
      })
    },
  })
  if (earlier !== null) await carryOver(earlier)
  return { draft: through(writer), attempt: { base, holdings, staged, incoming } }
}
