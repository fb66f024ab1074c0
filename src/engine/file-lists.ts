import { setTimeout as sleep } from 'node:timers/promises'
import { type Bindings, type Bound, files } from './bind.ts'
import { completed } from './computed-columns.ts'
import type { EmptyFiles, TableSchema } from './empty-files.ts'
import { Failure, firstLine } from './failure.ts'

/** A Parquet file that a query reads. */
export interface ParquetFile {
  /** Absolute. */
  readonly path: string
  /** Its size. Default: not known. */
  readonly bytes?: number
  /** The number of its rows. Default: not known. */
  readonly rows?: number
  /** Whether it was written before its dataset had all of its columns, or with narrower types. */
  readonly isOlder?: boolean
}

/**
 * Binds files of a dataset for `read_parquet`. The empty file of the dataset has its columns: it stands for an empty list, and
 * precedes files that lack columns, so that these have all columns in the dataset's types, with NULL where they lack
 * one. Columns that are computed from others are computed for such a list when it is read.
 */
export function bindFiles(
  list: readonly ParquetFile[],
  schema: TableSchema,
  emptyFiles: Pick<EmptyFiles, 'path'>,
): Bound {
  const paths = list.map(({ path }) => path)
  const bytes = list.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
  const bound = list.some(({ isOlder }) => isOlder)
    ? { ...files([emptyFiles.path(schema), ...paths], 'mixed', schema.computed), bytes }
    : { ...files(paths.length > 0 ? paths : [emptyFiles.path(schema)]), bytes }
  boundTo.set(bound, { list, schema })
  return bound
}

/** The files that each list was bound to, and the schema of their dataset. */
const boundTo = new WeakMap<Bound, { readonly list: readonly ParquetFile[]; readonly schema: TableSchema }>()

/** Files as they were when `Guard.hold` resolved. */
export interface Held {
  /** Whether they still are, so that what was read meanwhile is right. */
  isIntact(): boolean
}

/** Keeps damaged files from being read. */
export interface Guard {
  /** Resolves once all files are what they should be. Rejects with lake_damaged, or with the signal's reason. */
  hold(files: readonly ParquetFile[], signal: AbortSignal): Promise<Held>
}

/** For files that nobody else changes. */
const NO_GUARD: Guard = { hold: async () => ({ isIntact: () => true }) }

/**
 * Reads files that the guard holds, and again if one of them was changed meanwhile. An error counts only if none was.
 * Rejects with lake_damaged, or with overloaded if files change each time.
 */
export async function readHeld<T>(
  guard: Guard | undefined,
  list: readonly ParquetFile[],
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  for (let reads = 1; reads <= READS_MAX; reads += 1) {
    const held = await (guard ?? NO_GUARD).hold(list, signal)
    try {
      const result = await read()
      if (held.isIntact()) return result
    } catch (thrown) {
      if (signal.aborted || held.isIntact()) throw thrown
    }
  }
  throw new Failure('overloaded', 'files of the lake were changed again and again while they were read')
}

/** The files that a list was bound to; none if it was not bound by `bindFiles`. */
export const filesOfList = (list: Bound): readonly ParquetFile[] => boundTo.get(list)?.list ?? []

/** The schema of the dataset of a list; undefined if it was not bound by `bindFiles`. */
export const schemaOfList = (list: Bound): TableSchema | undefined => boundTo.get(list)?.schema

/** The files of all lists among the bindings. */
const filesIn = (bindings: Bindings): readonly ParquetFile[] => Object.values(bindings).flatMap(filesOfList)

interface ReadingSettings {
  readonly guard: Guard | undefined
  /** Default: files are not moved. */
  readonly locate?: Locate | undefined
  readonly signal: AbortSignal
}

/** Runs a query on files that the guard holds, wherever a publish moves them meanwhile. */
export const readFiles = <T>(
  { guard, locate = () => null, signal }: ReadingSettings,
  bindings: Bindings,
  read: (bindings: Bindings) => Promise<T>,
): Promise<T> => readHeld(guard, filesIn(bindings), signal, () => readMoving(bindings, locate, read))

/** The first path of each list of files: an empty file (see `bindFiles`) is the first one of its list. */
export const firstPaths = (bindings: Bindings): readonly string[] =>
  Object.values(bindings).flatMap(bound => itemsOf(bound).slice(0, 1).map(String))

/** `bindFiles` for datasets by name. A snapshot returns the same list for the same selection, which is bound once. */
export function listBinder(
  schemaOf: (dataset: string) => TableSchema,
  emptyFiles: Pick<EmptyFiles, 'path'>,
): (dataset: string, list: readonly ParquetFile[]) => Bound {
  const known = new WeakMap<readonly ParquetFile[], Bound>()
  return (dataset, list) => {
    const bound = known.get(list) ?? bindFiles(list, schemaOf(dataset), emptyFiles)
    // An empty list may be shared by datasets.
    if (list.length > 0) known.set(list, bound)
    return bound
  }
}

/**
 * The SQL with an option added where it reads a list of files that lack columns, and with the columns that are computed
 * from others. Any other SQL is returned unchanged.
 */
export function readingSql(sql: string, bindings: Bindings): string {
  let read = sql
  for (const [name, bound] of Object.entries(bindings))
    if (bound.files === 'mixed')
      read = read.replaceAll(
        new RegExp(`read_parquet\\(\\$${name}\\b([^)]*\\))`, 'g'),
        (_, options: string) => {
          const relation = `read_parquet($${name}, union_by_name = true${options}`
          return bound.computed ? `(${completed(bound.computed, relation)})` : relation
        },
      )
  return read
}

/** The present path of a file that a publish may have moved; null if it is nowhere. */
export type Locate = (path: string) => string | null

/** A query reads its files again after others have moved them, at most this many times. */
const READS_MAX = 8

/** Pause before a read, so that a publish of many files can move all of them: none, then up to a second. */
const pauseMs = (read: number) => (read === 2 ? 0 : 4 ** (read - 3))

/**
 * Runs a query, and again with the present paths of its files, if it failed because one of them was not at its path. It may
 * be there by now: a publish moves files from one place to the other while queries run. A file that is at neither place is
 * lost, and the query fails at once.
 */
export async function readMoving<T>(
  bindings: Bindings,
  locate: Locate,
  read: (bindings: Bindings) => Promise<T>,
): Promise<T> {
  let bound: Bindings = bindings
  for (let reads = 1; ; reads += 1) {
    try {
      return await read(bound)
    } catch (thrown) {
      if (reads === READS_MAX || !isMissing(thrown)) throw thrown
      if (pauseMs(reads + 1) > 0) await sleep(pauseMs(reads + 1))
      const located = locateAll(bound, locate)
      if (located === null) throw thrown
      bound = located
    }
  }
}

/** Whether a query failed because a file was not at its path. */
export const isMissing = (thrown: unknown) =>
  /^IO Error: (No files found|Cannot open file .* No such file)/i.test(firstLine(thrown))

/** The bindings with the present paths of their files; null if one of them is nowhere. */
function locateAll(bindings: Bindings, locate: Locate): Bindings | null {
  const located: Record<string, Bound> = {}
  for (const [name, bound] of Object.entries(bindings)) {
    const paths = pathsOf(bound).flatMap(path => locate(path) ?? [])
    if (paths.length < pathsOf(bound).length) return null
    located[name] = bound.files === undefined ? bound : files(paths, bound.files, bound.computed)
  }
  return located
}

/** The paths of a list of files; none for any other value. */
export const pathsOf = (bound: Bound): string[] => itemsOf(bound).map(String)

function itemsOf({ value, files: kind }: Bound): readonly unknown[] {
  const isList = kind !== undefined && typeof value === 'object' && value !== null && 'items' in value
  return isList ? value.items : []
}
