import { type Bindings, type Bound, files } from './bind.ts'
import { firstLine } from './failure.ts'

/** A Parquet file that a query reads. */
export interface ParquetFile {
  /** Absolute. */
  readonly path: string
  /** Whether it was written before its dataset had all of its columns, or with narrower types. */
  readonly isOlder?: boolean
}

/**
 * Binds files of a dataset for `read_parquet`. `emptyFile` has the dataset's columns: it stands for an empty list, and
 * precedes files that lack columns, so that these have all columns in the dataset's types, with NULL where they lack
 * one.
 */
export function bindFiles(list: readonly ParquetFile[], emptyFile: () => string): Bound {
  const paths = list.map(({ path }) => path)
  if (list.some(({ isOlder }) => isOlder)) return files([emptyFile(), ...paths], 'mixed')
  return files(paths.length > 0 ? paths : [emptyFile()])
}

/** The SQL with an option added where it reads a list of files that lack columns. Any other SQL is returned unchanged. */
export function readingSql(sql: string, bindings: Bindings): string {
  let read = sql
  for (const [name, bound] of Object.entries(bindings))
    if (bound.files === 'mixed')
      read = read.replaceAll(
        new RegExp(`read_parquet\\(\\$${name}\\b`, 'g'),
        `read_parquet($${name}, union_by_name = true`,
      )
  return read
}

/** A query reads its files again after others have moved them, at most this many times. */
export const READS_MAX = 5

/** Whether a query failed because a file was not at its path. */
const isMissing = (thrown: unknown) =>
  /^IO Error: (No files found|Cannot open file .* No such file)/i.test(firstLine(thrown))

/**
 * The bindings with the present paths of their files, if a query failed because one of them was moved; otherwise null.
 */
export function movedBindings(
  thrown: unknown,
  bindings: Bindings,
  locate: (path: string) => string,
): Bindings | null {
  if (!isMissing(thrown)) return null
  let isMoved = false
  const found = Object.entries(bindings).map(([name, bound]): [string, Bound] => {
    if (bound.files === undefined) return [name, bound]
    const before = pathsOf(bound)
    const now = before.map(locate)
    isMoved ||= now.some((path, index) => path !== before[index])
    return [name, files(now, bound.files)]
  })
  return isMoved ? Object.fromEntries(found) : null
}

function pathsOf({ value }: Bound): string[] {
  return typeof value === 'object' && value !== null && 'items' in value ? value.items.map(String) : []
}
