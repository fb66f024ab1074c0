import { join } from 'node:path'
import { currentNumber } from './current.ts'
import { lakeFolder } from './layout.ts'
import { readServable } from './manifest.ts'
import { type FileIndex, indexFiles, type LakeFile, type Selection } from './prune.ts'
import { type Entry, entriesOf, requireRecord } from './record.ts'

export type { LakeFile, Selection } from './prune.ts'

/** One state of the whole lake, which a request pins. Immutable. */
export interface Snapshot {
  /** The lake's folder, absolute. */
  readonly lake: string
  readonly number: number
  /** The files of a dataset that may hold rows of the selection, by first date; empty if the lake lacks the dataset. */
  files(dataset: string, selection?: Selection): readonly LakeFile[]
  /** The latest date of the dataset, or null if the lake lacks it. */
  lastDate(dataset: string): string | null
}

/** Loads the lake's current snapshot, or snapshot `number`. Throws lake_missing, lake_damaged or lake_newer. */
export async function loadSnapshot(lake: string, number?: number): Promise<Snapshot> {
  return snapshotLoader(lake)(number)
}

/** The number of manifests read concurrently. */
const READS = 16

/** Loads snapshots of one lake. Does not read manifests again that the previous snapshot named too. */
export function snapshotLoader(lake: string): (number?: number) => Promise<Snapshot> {
  const folder = lakeFolder(lake)
  let known = new Map<string, readonly LakeFile[]>()

  return async wanted => {
    const record = await requireRecord(folder, wanted ?? (await currentNumber(folder)))
    const entries = entriesOf(record)
    const loaded = new Map<string, readonly LakeFile[]>()
    const waiting = entries.values()
    const readOn = async () => {
      for (const entry of waiting)
        loaded.set(entry.manifest, known.get(entry.manifest) ?? (await filesOf(folder, entry)))
    }
    await Promise.all(Array.from({ length: READS }, readOn))
    known = loaded

    const indexes = new Map<string, FileIndex>()
    for (const dataset of Object.keys(record.datasets)) {
      const own = entries.filter(entry => entry.dataset === dataset)
      indexes.set(dataset, indexFiles(own.flatMap(entry => loaded.get(entry.manifest) ?? [])))
    }
    return Object.freeze({
      lake: folder,
      number: record.number,
      files: (dataset: string, selection: Selection = {}) => indexes.get(dataset)?.select(selection) ?? [],
      lastDate: (dataset: string) => indexes.get(dataset)?.lastDate ?? null,
    })
  }
}

async function filesOf(lake: string, entry: Entry): Promise<readonly LakeFile[]> {
  const { files } = await readServable(lake, entry)
  return files.map(file => ({ ...file, path: join(lake, file.name) }))
}
