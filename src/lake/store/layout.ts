import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../../engine/failure.ts'

/** Names inside a lake, relative to its folder and with `/`. */
export const CURRENT = 'CURRENT'
export const STAGING = '.staging'
export const SNAPSHOTS = 'snapshots'
/** The records of imports and of their undo, `imports/<hash>.json`. */
export const IMPORTS = 'imports'
/** What imports replaced, `undo/<hash>.json`. */
export const UNDO = 'undo'
/** The names of kept snapshots, `kept/<NAME>.json`. */
export const KEPT = 'kept'
export const MANIFESTS = 'manifests'
/** The folder of the files that only earlier snapshots name. Their names in manifests stay without it. */
export const SUPERSEDED = 'superseded'
/** Journals of running publishes, and of those that died: see `publish/moves.ts`. */
export const PUBLISHING = '.publishing'
/** Files in the folders of the data while a publish moves files there: not Parquet, so that other programs fail. */
export const MARKER = /^publishing-[0-9a-f]+\.parquet$/
export const markerName = (id: string) => `publishing-${id}.parquet`
export const MARKER_TEXT =
  'A tapehouse command is publishing new files in this folder, or was killed while it did. Read the folder again in a moment. If this file stays, run any tapehouse command that writes to the lake, for example: tapehouse derive\n'
/** The retention rules, `retention/<dataset>.json`. */
export const RETENTION = 'retention'
export const snapshotName = (number: number) => `${SNAPSHOTS}/${number}.json`

/** DuckDB reads a path with any of these as a glob pattern. */
const PATTERN = /[*?[]/
/** A part of a path that is empty, `.` or `..`. An absolute path starts with an empty part. */
const STRAY_PART = /(?:^|\/)\.{0,2}(?:\/|$)/

/** A lake's folder as an absolute path. Throws Failure `usage` for a path that DuckDB would read as a glob pattern. */
export function lakeFolder(lake: string): string {
  const folder = resolve(lake)
  if (PATTERN.test(folder))
    throw new Failure('usage', `${folder} cannot hold a lake: its path must not contain any of * ? [`)
  return folder
}

/** What a path leads to over symbolic links; the path itself while it does not exist. */
export const behindLinks = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** Whether a name that was read from a file is inside the lake and names exactly one file. */
export function isInside(name: string): boolean {
  return !PATTERN.test(name) && !name.includes('\0') && !STRAY_PART.test(name)
}

/** The path of a file that earlier snapshots name. */
export const supersededPath = (lake: string, name: string) => join(lake, SUPERSEDED, name)

/** The path of a file by its name: where the current snapshot has it, or else where earlier ones do. */
export function pathOf(lake: string, name: string): string {
  const path = join(lake, name)
  const superseded = supersededPath(lake, name)
  return !existsSync(path) && existsSync(superseded) ? superseded : path
}

/** The name of a file at one of its two paths in the lake; null for a path outside. */
export function nameOf(lake: string, path: string): string | null {
  const [folder, superseded] = [`${lake}/`, `${join(lake, SUPERSEDED)}/`]
  if (path.startsWith(superseded)) return path.slice(superseded.length)
  return path.startsWith(folder) ? path.slice(folder.length) : null
}

/**
 * A function that returns the present path of a file, for queries whose files were moved meanwhile; null if it is nowhere. A
 * file of the lake that comes to its place after that was searched, and before the other one is, is found there.
 */
export const locator =
  (lake: string) =>
  (path: string): string | null => {
    const name = nameOf(lake, path)
    const places = name === null ? [path] : [join(lake, name), supersededPath(lake, name), join(lake, name)]
    return places.find(place => existsSync(place)) ?? null
  }
