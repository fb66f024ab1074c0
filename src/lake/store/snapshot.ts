import { join } from 'node:path'
import { CLOSING_RULE, type ClosingRule, closedDate } from '../closing/closed-date.ts'
import { type CountedPart, type DayRows, dayRows, recordedRows } from '../closing/day-rows.ts'
import { currentNumber } from './current.ts'
import { datasets } from './datasets.ts'
import { sourcesOfDay } from './derivation.ts'
import { lakeFolder, pathOf } from './layout.ts'
import { type Manifest, type ManifestFile, readServable } from './manifest.ts'
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
  /** The files of a dataset that may hold rows of the selection, by first date; empty if the lake lacks the dataset. */
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

/** Loads the lake's current snapshot, or snapshot `number`. Throws lake_missing, lake_damaged or lake_newer. */
export async function loadSnapshot(
  lake: string,
  number?: number,
  rule?: ClosingRule,
): Promise<LoadedSnapshot> {
  return snapshotLoader(lake, rule)(number)
}

/** The number of manifests read concurrently. */
const READS = 16

/** Loads snapshots of one lake. Does not read manifests again that the previous snapshot named too. */
export function snapshotLoader(
  lake: string,
  rule: ClosingRule = CLOSING_RULE,
): (number?: number) => Promise<LoadedSnapshot> {
  const folder = lakeFolder(lake)
  let known = new Map<string, Part>()

  return async wanted => {
    const current = await currentNumber(folder)
    const record = await requireRecord(folder, wanted ?? current)
    // The files of the current snapshot are at their names. A query that finds one missing asks where it is.
    const placed = record.number === current ? join : pathOf
    const entries = entriesOf(record)
    const loaded = new Map<string, Part>()
    const waiting = entries.values()
    const readOn = async () => {
      for (const entry of waiting)
        loaded.set(entry.manifest, known.get(entry.manifest) ?? (await partOf(folder, entry, placed)))
    }
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

/** A snapshot with the time and the closed days of `record`, and with these partitions by dataset. */
export function snapshotOf(
  lake: string,
  record: Omit<SnapshotRecord, 'datasets'>,
  parts: ReadonlyMap<string, readonly Part[]>,
  closing: ClosingRule,
): LoadedSnapshot {
  const partsOf = (dataset: string) => parts.get(dataset) ?? []
  const indexes = new Map<string, FileIndex>()
  for (const [dataset, own] of parts) indexes.set(dataset, indexFiles(own.flatMap(({ files }) => files)))
  const lastDate = (dataset: string) => indexes.get(dataset)?.lastDate ?? null
  const closed = closedDates(record.closed ?? null, closing, partsOf)
  return Object.freeze({
    lake,
    number: record.number,
    createdAt: record.created_at,
    synthetic: record.generated !== undefined,
    closing,
    datasets: [...parts.keys()].toSorted(),
    files: (dataset: string, selection: Selection = {}) => indexes.get(dataset)?.select(selection) ?? [],
    firstDate: (dataset: string) => indexes.get(dataset)?.firstDate ?? null,
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

async function partOf(
  lake: string,
  entry: Entry,
  placed: (lake: string, name: string) => string,
): Promise<Part> {
  return partFrom(await readServable(lake, entry), ({ name }) => placed(lake, name))
}

/** The content of a manifest whose files are at the paths that `path` returns. */
export function partFrom(manifest: Manifest, path: (file: ManifestFile) => string): Part {
  const dataset = datasets().get(manifest.dataset)
  const older = dataset !== undefined && isOlder(dataset, manifest.columns) ? { isOlder: true } : {}
  return {
    days: manifest.days,
    files: manifest.files.map(file => ({ ...file, path: path(file), ...older })),
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
