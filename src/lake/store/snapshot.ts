import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { CLOSING_RULE, type ClosingRule, closedDate } from '../closing/closed-date.ts'
import { type CountedPart, type DayRows, dayRows, recordedRows } from '../closing/day-rows.ts'
import { currentNumber } from './current.ts'
import { findDataset } from './datasets.ts'
import { sourcesOfDay } from './derivation.ts'
import { lakeFolder, pathOf } from './layout.ts'
import { type Manifest, type ManifestFile, readServable, readServableSync } from './manifest.ts'
import { type FileIndex, indexFiles, type LakeFile, type Selection } from './prune.ts'
import { type Entry, entriesOf, requireRecord, type SnapshotRecord } from './record.ts'
import { isOlder } from './stored-columns.ts'

export type { LakeFile, Selection } from './prune.ts'

/** One state of the whole lake, which a request pins. Immutable. */
export interface Snapshot {
  /** The lake's folder, absolute. */
  readonly lake: string
  readonly number: number
  /** The day of a state that has only what was known by then, `YYYY-MM-DD`. */
  readonly asOf?: string
  /** Whether the lake holds only generated data. */
  readonly synthetic: boolean
  /** The datasets with at least one partition, sorted. A derived dataset may have one without rows. */
  readonly datasets: readonly string[]
  /**
   * The files of a dataset that may hold rows of the selection, by first date; empty if the lake lacks the dataset. Equal
   * selections usually return the same list.
   */
  files(dataset: string, selection?: Selection): readonly LakeFile[]
  /** The earliest date of the dataset, or null if the lake lacks it. */
  firstDate(dataset: string): string | null
  /** The latest date of the dataset, or null if the lake lacks it. */
  lastDate(dataset: string): string | null
  /**
   * The last trading day of `dataset` for which it and `others` are complete, which is the default date of an operation
   * that reads them for one day. If no day is complete, the latest date; null if the lake lacks the dataset.
   */
  closedDate(dataset: string, ...others: readonly string[]): string | null
}

/** A snapshot, with what describes it. */
export interface LoadedSnapshot extends Snapshot {
  /** When it was published: ISO 8601, UTC. */
  readonly createdAt: string
  /** When a trading day counts as complete. */
  readonly closing: ClosingRule
  /**
   * The number of rows by day, ascending; null if that is not recorded, as for adopted files and datasets without
   * units.
   */
  days(dataset: string): DayRows | null
}

/** The files of all datasets. */
export const allFiles = ({ datasets, files }: Snapshot): readonly LakeFile[] =>
  datasets.flatMap(dataset => files(dataset))

/** Loads the lake's current snapshot, or snapshot `number`. Throws lake_missing, lake_damaged or lake_newer. */
export async function loadSnapshot(
  lake: string,
  number?: number,
  rule?: ClosingRule,
): Promise<LoadedSnapshot> {
  return snapshotLoader(lake, rule)(number, true)
}

/**
 * The same for a command that asks one question: the manifests of a dataset are read when it is first used. What is wrong
 * with them is thrown then.
 */
export async function openSnapshot(
  lake: string,
  number?: number,
  rule: ClosingRule = CLOSING_RULE,
): Promise<LoadedSnapshot> {
  const folder = lakeFolder(lake)
  const { record, placed } = await recordOf(folder, number)
  const partsOf = once((dataset: string) =>
    entriesOf(record, [dataset]).map(entry => partSync(folder, entry, placed)),
  )
  return snapshotFrom(folder, record, Object.keys(record.datasets), partsOf, rule)
}

/** The record of a snapshot, and where its files are: those of the current one are at their names. */
async function recordOf(folder: string, wanted: number | undefined) {
  const current = await currentNumber(folder)
  const record = await requireRecord(folder, wanted ?? current)
  // A query that finds a file of the current snapshot missing asks where it is.
  return { record, placed: record.number === current ? join : pathOf }
}

/** The number of manifests read concurrently. */
const READS = 16

/**
 * Loads snapshots of one lake. Does not read manifests again that the previous snapshot named too. A load `atOnce` blocks the
 * process, for a fraction of the processor time: for a process that serves nothing yet.
 */
export function snapshotLoader(
  lake: string,
  rule: ClosingRule = CLOSING_RULE,
): (number?: number, atOnce?: boolean) => Promise<LoadedSnapshot> {
  const folder = lakeFolder(lake)
  let known = new Map<string, Part>()

  return async (wanted, atOnce = false) => {
    const { record, placed } = await recordOf(folder, wanted)
    const entries = entriesOf(record)
    const loaded = new Map<string, Part>()
    const waiting = entries.values()
    const readOn = async () => {
      for (const entry of waiting)
        loaded.set(entry.manifest, known.get(entry.manifest) ?? (await partOf(folder, entry, placed)))
    }
    if (atOnce) for (const entry of waiting) loaded.set(entry.manifest, partSync(folder, entry, placed))
    await Promise.all(Array.from({ length: READS }, readOn))
    known = loaded

    const parts = new Map<string, Part[]>()
    for (const entry of entries) {
      const own = parts.get(entry.dataset) ?? []
      const part = loaded.get(entry.manifest)
      if (part) own.push(part)
      parts.set(entry.dataset, own)
    }
    return snapshotOf(folder, record, parts, rule)
  }
}

/** Selections whose files a snapshot keeps, so that a repeated one is not searched for, and has its digest. */
const SELECTIONS_MAX = 200

/** A snapshot with the time and the closed days of `record`, and with these partitions by dataset. */
export function snapshotOf(
  lake: string,
  record: Omit<SnapshotRecord, 'datasets'>,
  parts: ReadonlyMap<string, readonly Part[]>,
  closing: ClosingRule,
): LoadedSnapshot {
  return snapshotFrom(lake, record, [...parts.keys()], name => parts.get(name) ?? [], closing)
}

/** The same of datasets whose partitions `partsOf` returns when they are first used. */
function snapshotFrom(
  lake: string,
  record: Omit<SnapshotRecord, 'datasets'>,
  datasets: readonly string[],
  partsOf: (dataset: string) => readonly Part[],
  closing: ClosingRule,
): LoadedSnapshot {
  const held = new Set(datasets)
  const indexed = once((dataset: string) => indexFiles(partsOf(dataset).flatMap(({ files }) => files)))
  const indexOf = (dataset: string): FileIndex | null => (held.has(dataset) ? indexed(dataset) : null)
  const lastDate = (dataset: string) => indexOf(dataset)?.lastDate ?? null
  const selections = new LRUCache<string, readonly LakeFile[]>({ max: SELECTIONS_MAX })
  const selected = (dataset: string, { from, to, keys }: Selection): readonly LakeFile[] => {
    const key = JSON.stringify([dataset, from, to, keys])
    const known = selections.get(key) ?? indexOf(dataset)?.select({ from, to, keys }) ?? []
    selections.set(key, known)
    return known
  }
  const closed = closedDates(record.closed ?? null, closing, partsOf)
  return Object.freeze({
    lake,
    number: record.number,
    createdAt: record.created_at,
    synthetic: record.generated !== undefined,
    closing,
    datasets: datasets.toSorted(),
    files: (dataset: string, selection: Selection = {}) => selected(dataset, selection),
    firstDate: (dataset: string) => indexOf(dataset)?.firstDate ?? null,
    lastDate,
    closedDate: (dataset: string, ...others: readonly string[]) =>
      closed(dataset, ...others) ?? lastDate(dataset),
    days: (dataset: string) => recordedRows(partsOf(dataset)),
  })
}

/** The content of one manifest. */
export interface Part extends CountedPart {
  readonly files: readonly LakeFile[]
}

type Placed = (lake: string, name: string) => string

async function partOf(lake: string, entry: Entry, placed: Placed): Promise<Part> {
  return partFrom(await readServable(lake, entry), ({ name }) => placed(lake, name))
}

const partSync = (lake: string, entry: Entry, placed: Placed): Part =>
  partFrom(readServableSync(lake, entry), ({ name }) => placed(lake, name))

/** The content of a manifest whose files are at the paths that `path` returns. */
export function partFrom(manifest: Manifest, path: (file: ManifestFile) => string): Part {
  const dataset = findDataset(manifest.dataset)
  const older = dataset !== undefined && isOlder(dataset, manifest.columns) ? { isOlder: true } : {}
  return {
    days: manifest.days,
    files: manifest.files.map(file => ({
      ...file,
      dataset: manifest.dataset,
      path: path(file),
      ...older,
    })),
  }
}

/** `closedDate` of a snapshot. Each list of datasets is computed once, because a snapshot does not change. */
function closedDates(
  closed: string | null,
  rule: ClosingRule,
  parts: (dataset: string) => readonly CountedPart[],
) {
  const rows = once((dataset: string): DayRows => dayRows(parts(dataset)))
  const calendar = { closed, rows, sources: sourcesOfDay }
  const dates = once((names: string) => {
    const [first = '', ...others] = names.split(' ')
    return closedDate([first, ...others], calendar, rule)
  })
  return (...datasets: readonly string[]) => dates(datasets.join(' '))
}

/** Keeps the result of `make` for each key. */
function once<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, { readonly value: T }>()
  return key => {
    const known = made.get(key) ?? { value: make(key) }
    made.set(key, known)
    return known.value
  }
}
