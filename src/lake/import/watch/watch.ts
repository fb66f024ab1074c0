import { type FSWatcher, watch as watchFolder } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../../engine/failure.ts'
import { readinessOf, type WatchedFile } from './ready.ts'

/** What became of one file. */
export type FileOutcome =
  | {
      readonly kind: 'imported'
      readonly rows: number
      readonly rejected: number
      readonly snapshot: number | null
    }
  | { readonly kind: 'known' }
  | { readonly kind: 'refused'; readonly reason: string }

export interface WatchOptions {
  readonly folder: string
  /** The lake, which may be below the folder. */
  readonly lake: string
  /** Ends the watch. An import that is running is canceled. */
  readonly signal: AbortSignal
  /** Whether files are read together, so that all complete ones are imported with each new one. */
  readonly isTogether: boolean
  /** Imports files that are complete, the new ones and perhaps others. Returns what became of each path. */
  importFiles(paths: readonly string[]): Promise<ReadonlyMap<string, FileOutcome>>
  /** Reports what became of a file, once for each of its versions. */
  report(path: string, outcome: FileOutcome): void
  /** A file whose size and time have not changed for so long is complete. Default: SETTLE_MS. */
  readonly settleMs?: number
}

const SETTLE_MS = 2000
/** The folder is searched this often in any case: events are lost on network drives. */
const RESCAN_MS = 60_000
/** While a vacuum runs, an import is tried again after this time. */
const RETRY_MS = 5000
/** Several events of one file arrive together. */
const GATHER_MS = 50

/**
 * Imports the files of a folder, each once it is complete, until the signal. It moves and deletes nothing. A file is not
 * imported again until it changes; after a restart, the lake knows which ones were imported. Rejects with the failures of
 * imports but those of files.
 */
export async function watchImports(options: WatchOptions): Promise<void> {
  const { folder, lake, signal, isTogether, report, settleMs = SETTLE_MS } = options
  const readiness = readinessOf(folder, settleMs, path => resolve(path) === resolve(lake))
  const done = new Map<string, string>()
  const waiting = waitingFor(folder, signal)
  try {
    while (!signal.aborted) {
      const { ready, againMs } = await readiness.look()
      const fresh = ready.filter(({ path, version }) => done.get(path) !== version)
      const outcomes = fresh.length === 0 ? new Map() : await imported(options, isTogether ? ready : fresh)
      if (outcomes === null) await waiting.next(RETRY_MS)
      else if (fresh.length === 0) await waiting.next(againMs ?? RESCAN_MS)
      else
        for (const { path, version } of fresh) {
          done.set(path, version)
          report(path, outcomes.get(path) ?? { kind: 'known' })
        }
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    waiting.close()
  }
}

/** What became of files; null if they must be imported later. */
async function imported({ importFiles }: WatchOptions, files: readonly WatchedFile[]) {
  try {
    return await importFiles(files.map(({ path }) => path))
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'lake_conflict') return null
    throw thrown
  }
}

/** Waits for events of a folder. */
function waitingFor(folder: string, signal: AbortSignal) {
  let wake = () => {}
  let isChanged = false
  const changed = () => {
    isChanged = true
    wake()
  }
  const watcher = eventsOf(folder, changed)
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    close: () => watcher?.close(),
    /** Resolves shortly after an event, after `mostMs`, or with the signal. */
    async next(mostMs: number): Promise<void> {
      if (!isChanged && !signal.aborted)
        await new Promise<void>(finish => {
          const timer = setTimeout(finish, Math.max(GATHER_MS, mostMs))
          wake = () => {
            clearTimeout(timer)
            finish()
          }
        })
      if (isChanged && !signal.aborted)
        await new Promise<void>(finish => {
          const timer = setTimeout(finish, GATHER_MS)
          wake = () => {
            if (!signal.aborted) return
            clearTimeout(timer)
            finish()
          }
        })
      isChanged = false
    },
  }
}

/** The events of a folder; null if the system has none, as where too many files are watched: then the rescans remain. */
function eventsOf(folder: string, changed: () => void): FSWatcher | null {
  try {
    return watchFolder(folder, { recursive: true, persistent: false })
      .on('change', changed)
      .on('error', () => {})
  } catch {
    return null
  }
}
