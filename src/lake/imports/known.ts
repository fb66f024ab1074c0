import { importHistory, type PastImport } from '../land/history.ts'
import type { Extent } from '../land/import-record.ts'
import { knownInputs } from '../land/land.ts'
import { readCurrent } from '../store/current.ts'
import type { Dataset } from '../store/datasets.ts'
import { lakeFolder } from '../store/layout.ts'
import { overlaps } from '../store/partition.ts'
import { requireRecord } from '../store/record.ts'

/** Whether a file was imported, and whether it must be imported again to have all of its rows in the lake. */
export type KnownFile = 'new' | 'held' | 'replaced'

/**
 * What a lake knows of the files of one command, by the datasets into which they are imported. Each file has the hashes that
 * it may have in `inputs` of manifests. A file has to be imported again if other files than those of the command, which were
 * imported later, may have replaced rows of it. Then the files of the command that have replaced rows of it are imported
 * again too, so that theirs stay. Null: a lake that does not exist yet.
 */
export async function knownFiles(
  lake: string | null,
  datasets: readonly Dataset[],
  files: readonly (readonly string[])[],
): Promise<KnownFile[]> {
  const number = lake === null ? null : await readCurrent(lakeFolder(lake))
  if (lake === null || number === null) return files.map(() => 'new')
  const folder = lakeFolder(lake)
  const record = await requireRecord(folder, number)
  const inputs = new Set<string>()
  for (const dataset of datasets) for (const input of await knownInputs(folder, dataset)) inputs.add(input)
  if (!files.flat().some(hash => inputs.has(hash))) return files.map(() => 'new')

  const imports = (await importHistory(folder, record)).filter(isDone)
  const newest = newestImports(imports)
  const latest = (one: string, other: string) =>
    (newest.get(other) ?? -1) > (newest.get(one) ?? -1) ? other : one
  // A file has several hashes in the lake if it was imported again with another layout: the last import counts.
  const held = files.map(hashes => {
    const own = hashes.filter(hash => inputs.has(hash))
    return own.length === 0 ? null : own.reduce(latest)
  })
  const names = datasets.map(({ name }) => name)
  const laterFiles = laterFilesIn(imports, newest, names)
  const command = new Set(files.flat())
  const replaced = new Set(
    held.filter(hash => hash !== null && laterFiles(hash).some(other => !command.has(other))),
  )
  // A set that grows while it is read: its later members are read too.
  for (const hash of replaced)
    for (const other of hash === null ? [] : laterFiles(hash)) if (held.includes(other)) replaced.add(other)
  return held.map(hash => (hash === null ? 'new' : replaced.has(hash) ? 'replaced' : 'held'))
}

const isDone = ({ undoneBy }: PastImport) => undoneBy === null

/** The index of the last import of each input. */
function newestImports(imports: readonly PastImport[]): Map<string, number> {
  const newest = new Map<string, number>()
  for (const [index, { record }] of imports.entries())
    for (const { input } of record.files) newest.set(input, index)
  return newest
}

/** A function that returns the files which may have replaced rows of a file. `imports` are the oldest first. */
function laterFilesIn(
  imports: readonly PastImport[],
  newest: ReadonlyMap<string, number>,
  datasets: readonly string[],
) {
  /** The files of an import from number `from` on that may have replaced rows of a file. */
  function laterFilesOf(
    hash: string,
    later: PastImport,
    of: 'replaced' | 'repeated',
    from: number,
  ): string[] {
    const { files, landed } = later.record
    const changed = datasets.filter(name => (landed?.datasets[name]?.[of] ?? 0) > 0)
    if (changed.length === 0) return []
    const own = imports[newest.get(hash) ?? -1]
    return files
      .slice(from)
      .filter(({ input }) =>
        changed.some(name => meet(extentIn(own, hash, name), extentIn(later, input, name))),
      )
      .map(({ input }) => input)
  }

  return (hash: string): string[] => {
    const index = newest.get(hash) ?? -1
    const own = imports[index]
    const after = (own?.record.files.findIndex(({ input }) => input === hash) ?? 0) + 1
    return [
      // Within one import, later files replace rows of earlier ones.
      ...(own === undefined ? [] : laterFilesOf(hash, own, 'repeated', after)),
      ...imports.slice(index + 1).flatMap(later => laterFilesOf(hash, later, 'replaced', 0)),
    ]
  }
}

/** The extent of the rows of a file; null if it has none, undefined if it is not known. */
function extentIn(past: PastImport | undefined, hash: string, dataset: string): Extent | null | undefined {
  const { files = [], landed } = past?.record ?? {}
  if (landed === undefined) return undefined
  const { extents } = files.find(({ input }) => input === hash) ?? {}
  return extents === undefined ? landed.datasets[dataset]?.extent : (extents[dataset] ?? null)
}

/** Whether rows of two extents may have the same key. */
function meet(one: Extent | null | undefined, other: Extent | null | undefined): boolean {
  if (one === null || other === null) return false
  if (one === undefined || other === undefined) return true
  return (
    overlaps(spanOf(one.days), spanOf(other.days)) &&
    (one.keys === null || other.keys === null || overlaps(spanOf(one.keys), spanOf(other.keys)))
  )
}

const spanOf = ([from, to]: readonly [string, string]) => ({ from, to })
