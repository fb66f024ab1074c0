import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a watched folder. Its version changes whenever the file changes. */
export interface WatchedFile {
  readonly path: string
  readonly version: string
}

/** The state of a watched folder: what was seen of its files. */
export interface Readiness {
  /** The files that are complete, and when to look again, in milliseconds, if others are not. */
  look(): Promise<{ readonly ready: readonly WatchedFile[]; readonly againMs: number | null }>
}

/** Suffixes of files that a program is writing, and that it renames at the end. */
const PARTIAL = /\.(?:part|partial|tmp|temp|crdownload|download|filepart|swp|!ut|aria2)$|~$/i

/**
 * The complete files below a folder. A file is complete when its size and time of change have not changed for `settleMs`;
 * one that was renamed into the folder has been so already. Hidden files and partial downloads are ignored.
 */
export function readinessOf(
  folder: string,
  settleMs: number,
  isIgnored: (path: string) => boolean,
): Readiness {
  /** When each file was seen first in its present version, in milliseconds. */
  let seen = new Map<string, { version: string; sinceMs: number }>()
  return {
    async look() {
      const nowMs = Date.now()
      const present: typeof seen = new Map()
      const ready: WatchedFile[] = []
      let againMs: number | null = null
      for (const { path, entry } of await filesBelow(folder, isIgnored)) {
        const version = `${entry.ino} ${entry.size} ${entry.mtimeMs}`
        const before = seen.get(path)
        const sinceMs = before?.version === version ? before.sinceMs : nowMs
        present.set(path, { version, sinceMs })
        // A time of change in the future says nothing.
        const unchangedMs = nowMs - Math.min(sinceMs, entry.mtimeMs)
        if (unchangedMs >= settleMs) ready.push({ path, version })
        else againMs = Math.min(againMs ?? settleMs, settleMs - unchangedMs)
      }
      seen = present
      return { ready, againMs }
    },
  }
}

async function filesBelow(
  folder: string,
  isIgnored: (path: string) => boolean,
): Promise<{ path: string; entry: Stats }[]> {
  const found: { path: string; entry: Stats }[] = []
  const names = await readdir(folder).catch(() => [])
  for (const name of names.toSorted()) {
    const path = join(folder, name)
    if (name.startsWith('.') || PARTIAL.test(name) || isIgnored(path)) continue
    // A file may be gone already.
    const entry = await stat(path).catch(() => undefined)
    if (entry?.isDirectory()) found.push(...(await filesBelow(path, isIgnored)))
    else if (entry?.isFile() && entry.size > 0) found.push({ path, entry })
  }
  return found
}
