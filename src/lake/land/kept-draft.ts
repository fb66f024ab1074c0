import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Base, onNewestBase } from '../publish/base.ts'
import { withStaging } from '../publish/staging.ts'
import { sha256OfFile } from '../store/content.ts'
import { derivations } from '../store/derivation.ts'
import { createFile, renameFile, syncFile, syncFolder } from '../store/durable.ts'
import { readText } from '../store/format.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import { type Manifest, ManifestShape } from '../store/manifest.ts'
import type { StagedFile } from '../store/written-file.ts'
import type { Holding } from './carry.ts'
import { type Attempt, type Draft, openDraft } from './draft.ts'

/** The state of a draft in its staging folder. While it exists, the folder stays if the process dies. */
const KEPT = 'draft.json'

/** The state is written at most this often, and takes at most a twentieth of the time. */
const KEEP_EVERY_MS = 2000
const KEEP_SHARE = 20

const KeptDraft = Type.Object({
  mark: Type.String(),
  done: Type.Array(Type.String()),
  /** SHA-256 of other files in the staging folder, by name. */
  files: Type.Record(Type.String(), Type.String()),
  manifests: Type.Array(ManifestShape),
  /** Names in the staging folder by names in the lake. */
  staged: Type.Record(Type.String(), Type.String()),
})
type KeptDraft = Static<typeof KeptDraft>

const shape = Compile(KeptDraft)

/** Keeps what a draft has made for a later process, if this one dies. */
export interface Keeper {
  /** Whether anything is kept. */
  readonly keeps: boolean
  /** The steps that an earlier process had done; their rows are in the draft. */
  readonly done: readonly string[]
  /** Keeps the draft with the steps that are done and with files of the staging folder, if that is due. */
  keep(done: Iterable<string>, files: readonly string[]): Promise<void>
}

/**
 * Runs `work` on a draft without rows, whose publish replaces all data of the lake. With a `mark`, what it has made stays in
 * the lake if it fails or the process dies, and the next draft with this mark begins with that. Rejects with lake_conflict
 * if another process does such work in the lake, or publishes meanwhile.
 */
export async function withWholeDraft<T>(
  writer: Writer,
  lake: string,
  observe: Observe,
  mark: string | null,
  work: (draft: Draft, keeper: Keeper) => Promise<T>,
): Promise<T> {
  const folder = lakeFolder(lake)
  const run = async (base: Base) => {
    const kept = mark === null ? null : await readKept(base, mark)
    const { draft, attempt } = await openDraft(writer, base, observe, true, kept?.attempt ?? null)
    return work(draft, mark === null ? NOTHING_KEPT : keeperOf(attempt, mark, kept?.done ?? []))
  }
  return withStaging(
    folder,
    'generate',
    staging => onNewestBase(folder, staging, run, { repeats: 0 }),
    mark === null ? null : KEPT,
  )
}

const NOTHING_KEPT: Keeper = { keeps: false, done: [], keep: async () => {} }

function keeperOf(attempt: Attempt, mark: string, done: readonly string[]): Keeper {
  const { staging } = attempt.base
  const synced = new Set<string>()
  const sums = new Map<string, string>()
  let dueMs = performance.now() + KEEP_EVERY_MS

  /** Writes files to the disk, but those that the draft has replaced meanwhile. */
  async function sync(paths: readonly string[]): Promise<void> {
    for (const path of paths.filter(each => !synced.has(each))) {
      await syncFile(path).catch(thrown => {
        if (existsSync(path)) throw thrown
      })
      synced.add(path)
    }
  }

  return {
    keeps: true,
    done,
    async keep(steps, files) {
      const begunMs = performance.now()
      if (begunMs < dueMs) return
      dueMs = Number.POSITIVE_INFINITY
      for (const file of files) if (!sums.has(file)) sums.set(file, await sha256OfFile(join(staging, file)))
      const state = stateOf(
        attempt,
        mark,
        steps,
        Object.fromEntries(files.map(file => [file, sums.get(file) ?? ''])),
      )
      const text = JSON.stringify(state)
      await sync([...Object.values(state.staged), ...files].map(file => join(staging, file)))
      const next = join(staging, `${KEPT}.next`)
      await createFile(next, text)
      await renameFile(next, join(staging, KEPT))
      await syncFolder(staging)
      const nowMs = performance.now()
      dueMs = nowMs + Math.max(KEEP_EVERY_MS, KEEP_SHARE * (nowMs - begunMs))
    },
  }
}

function stateOf(
  { holdings, staged }: Attempt,
  mark: string,
  done: Iterable<string>,
  files: KeptDraft['files'],
): KeptDraft {
  return {
    mark,
    done: [...done],
    files,
    manifests: [...holdings.values()].flatMap(({ now }) => [...now.values()]),
    staged: Object.fromEntries([...staged].map(([name, { path }]) => [name, basename(path)])),
  }
}

/**
 * Reads what a process that died has made, and removes what the folder holds besides; null if it is another draft or a file
 * is damaged. Without a damaged file of a derived dataset, its partition is computed again.
 */
async function readKept(
  base: Base,
  mark: string,
): Promise<{ attempt: Attempt; done: readonly string[] } | null> {
  const kept = parsed(await readText(join(base.staging, KEPT)))
  const holdings = kept === null || kept.mark !== mark ? null : await intact(base, kept)
  if (kept === null || holdings === null) {
    await removeBut(base.staging, new Set())
    return null
  }
  const staged = new Map<string, StagedFile>()
  const files = [...holdings.values()].flatMap(({ now }) => [...now.values()].flatMap(each => each.files))
  for (const file of files) {
    const path = join(base.staging, kept.staged[file.name] ?? '')
    if (kept.staged[file.name] !== undefined && existsSync(path)) staged.set(file.name, { path, file })
  }
  const paths = [...staged.values()].map(({ path }) => basename(path))
  await removeBut(base.staging, new Set([KEPT, ...Object.keys(kept.files), ...paths]))
  return { attempt: { base, holdings, staged, incoming: new Map() }, done: kept.done }
}

function parsed(text: string | null): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return shape.Check(value) ? value : null
  } catch {
    return null
  }
}

/** The partitions with whole files, by dataset; null if one of an imported dataset is not whole. */
async function intact({ lake, staging }: Base, kept: KeptDraft): Promise<Map<string, Holding> | null> {
  for (const [file, sha256] of Object.entries(kept.files))
    if (!(await isWhole(join(staging, file), sha256))) return null
  const holdings = new Map<string, Holding>()
  for (const manifest of kept.manifests) {
    const { dataset, partition } = manifest
    if (await isComplete(manifest, name => placeOf(lake, staging, kept.staged, name))) {
      const own = holdings.get(dataset) ?? { former: new Map(), now: new Map<string, Manifest>() }
      own.now.set(partition, manifest)
      holdings.set(dataset, own)
    } else if (!derivations().has(dataset)) return null
  }
  return holdings
}

/** The path of a file: staged, or in the lake if the process died while it published. */
function placeOf(lake: string, staging: string, staged: KeptDraft['staged'], name: string): string {
  const path = join(staging, basename(staged[name] ?? ''))
  return staged[name] !== undefined && existsSync(path) ? path : pathOf(lake, name)
}

async function isComplete({ files }: Manifest, place: (name: string) => string): Promise<boolean> {
  for (const { name, sha256 } of files) if (!(await isWhole(place(name), sha256))) return false
  return true
}

const isWhole = async (path: string, sha256: string) =>
  existsSync(path) && (await sha256OfFile(path)) === sha256

async function removeBut(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder))
    if (!names.has(name)) await rm(join(folder, name), { recursive: true, force: true })
}
