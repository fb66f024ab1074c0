import { resolve } from 'node:path'
import { Failure } from '../../engine/failure.ts'

/** Names inside a lake, relative to its folder and with `/`. */
export const CURRENT = 'CURRENT'
export const STAGING = '.staging'
export const SNAPSHOTS = 'snapshots'
/** The import records, `imports/<hash>.json`. */
export const IMPORTS = 'imports'
/** The names of kept snapshots, `kept/<NAME>.json`. */
export const KEPT = 'kept'
export const snapshotName = (number: number) => `${SNAPSHOTS}/${number}.json`

/** DuckDB reads a path with any of these as a glob pattern. */
const PATTERN = /[*?[]/

/** A lake's folder as an absolute path. Throws Failure `usage` for a path that DuckDB would read as a glob pattern. */
export function lakeFolder(lake: string): string {
  const folder = resolve(lake)
  if (PATTERN.test(folder))
    throw new Failure('usage', `${folder} cannot hold a lake: its path must not contain any of * ? [`)
  return folder
}

/** Whether a name that was read from a file is inside the lake and names exactly one file. */
export function isInside(name: string): boolean {
  return (
    !PATTERN.test(name) &&
    !name.includes('\0') &&
    // An absolute path starts with an empty part.
    name.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  )
}
