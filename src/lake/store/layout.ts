import { resolve } from 'node:path'
import { Failure } from '../../engine/failure.ts'

/** Names inside a lake. All of them are relative to its folder and use `/`. */
export const CURRENT = 'CURRENT'
export const STAGING = '.staging'
export const SNAPSHOTS = 'snapshots'
export const snapshotName = (number: number) => `${SNAPSHOTS}/${number}.json`

/** DuckDB takes these for patterns, wherever they stand in a path. */
const PATTERN = /[*?[]/

/** A lake's folder as an absolute path. Refuses a path that DuckDB would take for a pattern. */
export function lakeFolder(lake: string): string {
  const folder = resolve(lake)
  if (PATTERN.test(folder))
    throw new Failure('usage', `${folder} cannot hold a lake: its path must not contain any of * ? [`)
  return folder
}

/** Whether a name that was read from a file stays inside the lake and means one file. */
export function isInside(name: string): boolean {
  return (
    !PATTERN.test(name) &&
    !name.includes('\0') &&
    // An absolute path begins with an empty part.
    name.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  )
}
