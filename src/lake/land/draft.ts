import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Base, openBase } from '../store/base.ts'
import type { Dataset } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import { lakeFolder } from '../store/layout.ts'
import { type Manifest, type ManifestFile, readServable } from '../store/manifest.ts'
import { type Change, type Dropped, publish, type StagedFile } from '../store/publish.ts'
import { type Entry, entriesOf } from '../store/record.ts'
import { withStaging } from '../store/staging.ts'

/** The next snapshot while it is made: what the lake holds, with changes that no reader sees before `publish`. */
export interface Draft {
  readonly writer: Writer
  readonly base: Base
  readonly observe: Observe
  /** A dataset's manifests as they would be published. Rejects with lake_damaged or lake_newer. */
  manifests(dataset: Dataset): Promise<readonly Manifest[]>
  /** The same draft through another of its writer's connections, so that two statements can run at once. */
  through(writer: Writer): Draft
  /** Where a file of these manifests stands now. */
  path(file: ManifestFile): string
  /** A Parquet file with a dataset's columns and no row. */
  emptyFile(dataset: Dataset): Promise<string>
  /** Puts a partition in place of its former state and of those that it absorbs. */
  put(dataset: Dataset, change: Change): Promise<void>
  /** Takes partitions out: all of a dataset, or those named. */
  drop(dataset: Dataset, partitions?: readonly string[]): Promise<void>
  /** Whether anything differs from the base. */
  changed(): boolean
  /**
   * Publishes what was changed, as one snapshot, and answers its number; without a change that of the base.
   * `generated` says what made the data that came in, null that it is someone's own; left out, none came in.
   */
  publish(generated?: string | null): Promise<number>
}

/** What a draft knows of one dataset, by partition: as the base has it, and as it will be. */
interface Holding {
  readonly former: ReadonlyMap<string, Manifest | null>
  readonly now: Map<string, Manifest>
}

/**
 * Works on the next snapshot of a lake, which becomes one with its first publish. `afresh` begins with nothing instead
 * of the current snapshot's data: a publish then replaces all of it. Rejects with lake_conflict while a vacuum runs or
 * another writer publishes, lake_damaged or lake_newer.
 */
export async function withDraft<T>(
  writer: Writer,
  lake: string,
  observe: Observe,
  work: (draft: Draft) => Promise<T>,
  { afresh = false }: { readonly afresh?: boolean } = {},
): Promise<T> {
  const folder = lakeFolder(lake)
  return withStaging(folder, 'write', async staging =>
    work(openDraft(writer, await openBase(folder, staging), observe, afresh)),
  )
}

function openDraft(writer: Writer, base: Base, observe: Observe, afresh: boolean): Draft {
  const entries = base.record === null ? [] : entriesOf(base.record)
  const holdings = new Map<string, Holding>()
  const loading = new Map<string, Promise<Holding>>()
  const staged = new Map<string, StagedFile>()
  const empties = new Map<string, Promise<string>>()
  let published = false

  function holding(dataset: Dataset): Promise<Holding> {
    const known = loading.get(dataset.name) ?? load(dataset)
    loading.set(dataset.name, known)
    return known
  }

  async function load(dataset: Dataset): Promise<Holding> {
    const own = entries.filter(entry => !afresh && entry.dataset === dataset.name)
    const former = new Map<string, Manifest | null>()
    for (const entry of own) former.set(entry.partition, await readHeld(base.lake, entry))
    const lost = [...former.values()].filter(manifest => manifest === null).length
    if (lost > 0)
      observe({
        kind: 'notice',
        message: `${dataset.name} has lost ${lost} of its partitions: they are computed again`,
      })
    const present = [...former].flatMap(([partition, manifest]) =>
      manifest ? [[partition, manifest] as const] : [],
    )
    const fresh = { former, now: new Map(present) }
    holdings.set(dataset.name, fresh)
    return fresh
  }

  /** Staged files that no manifest names any more take up the disk for nothing. */
  async function forget(manifest: Manifest | undefined, { now }: Holding): Promise<void> {
    const needed = new Set([...now.values()].flatMap(({ files }) => files.map(({ name }) => name)))
    for (const { name } of manifest?.files ?? []) {
      const file = staged.get(name)
      if (file === undefined || needed.has(name)) continue
      staged.delete(name)
      await unlink(file.path)
    }
  }

  async function makeEmpty(connection: Writer, { name, createSql }: Dataset): Promise<string> {
    const path = join(base.staging, `empty-${name}.parquet`)
    await connection.run(createSql.replace('CREATE TABLE', 'CREATE OR REPLACE TEMP TABLE'))
    await connection.run(`COPY ${name} TO ${literal(text(path))} (FORMAT parquet)`)
    await connection.run(`DROP TABLE ${name}`)
    return path
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
        ...entries.filter(({ dataset, partition }) => afresh && !holdings.get(dataset)?.now.has(partition)),
      ],
    }
  }

  const through = (connection: Writer): Draft => ({
    writer: connection,
    base,
    observe,
    through,
    manifests: async dataset => [...(await holding(dataset)).now.values()],
    path: ({ name }) => staged.get(name)?.path ?? join(base.lake, name),
    emptyFile(dataset) {
      const made = empties.get(dataset.name) ?? makeEmpty(connection, dataset)
      empties.set(dataset.name, made)
      return made
    },
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
      for (const each of replaced) await forget(each, own)
    },
    async drop(dataset, partitions) {
      const own = await holding(dataset)
      for (const partition of partitions ?? [...own.now.keys()]) {
        const manifest = own.now.get(partition)
        own.now.delete(partition)
        await forget(manifest, own)
      }
    },
    changed() {
      const { changes: changed, dropped } = changes()
      return changed.length + dropped.length > 0
    },
    async publish(generated) {
      if (published) throw new Error('a draft is published once')
      published = true
      const { changes: changed, dropped } = changes()
      return changed.length + dropped.length > 0 ? publish(base, changed, dropped, generated) : base.number
    },
  })
  return through(writer)
}

/**
 * A partition's manifest. Null for a derived one that is lost or of another version's columns: it can be computed
 * again, so that nobody needs a copy of it. Throws lake_damaged or lake_newer for any other.
 */
async function readHeld(lake: string, entry: Entry): Promise<Manifest | null> {
  if (!derivations().has(entry.dataset)) return readServable(lake, entry)
  try {
    const manifest = await readServable(lake, entry)
    if (manifest.files.every(({ name }) => existsSync(join(lake, name)))) return manifest
  } catch (thrown) {
    if (!(thrown instanceof Failure && thrown.code === 'lake_damaged')) throw thrown
  }
  return null
}
