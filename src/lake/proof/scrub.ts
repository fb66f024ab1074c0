import { setTimeout as sleep } from 'node:timers/promises'
import type { Observe } from '../../engine/observation.ts'
import { compareKeys, type LakeFile } from '../store/prune.ts'
import { allFiles, type Snapshot } from '../store/snapshot.ts'
import type { Proofs } from './proofs.ts'
import type { Remembered, ScrubState } from './remembered.ts'

/** Reads all files of a lake again and again, so that a disk that returns other bytes than before is noticed. */
export interface Scrub {
  /** What this process has read. */
  readonly files: number
  readonly bytes: number
  /** When the last complete pass ended, in milliseconds; null if none has. */
  readonly completedMs: number | null
  /** Ends it. The next one continues the pass. */
  close(): void
}

export interface ScrubSettings {
  readonly proofs: Pick<Proofs, 'proveAgain'>
  /** Null: a pass ends with the process. */
  readonly remembered: Remembered | null
  /** The snapshot that is served. */
  readonly snapshot: () => Snapshot
  /** Each file is read once within this time. */
  readonly periodMs: number
  readonly observe: Observe
  /** Default: BYTES_A_SECOND_MAX. */
  readonly bytesASecondMax?: number
}

/** A pass that needs more to be in time takes longer. */
const BYTES_A_SECOND_MAX = 32 * 1024 ** 2
/** The share of the period that a pass takes: the rest is for files that are added meanwhile. */
const SHARE = 0.9
/** The longest sleep: the pace is computed again after it, and a timer has an upper bound. */
const SLEEP_MS_MAX = 60_000
/** How far the pass has come is written at most this often. */
const SAVE_MS = 60_000

/**
 * Starts a scrub. A pass reads the files by name, evenly over the period, one at a time; each read is paced, so that neither
 * the event loop nor the disk is busy with it. A damaged file is found by its proof, as one that a request needs.
 */
export function scrubLake(settings: ScrubSettings): Scrub {
  const { proofs, remembered, snapshot, periodMs, observe } = settings
  const { bytesASecondMax = BYTES_A_SECOND_MAX } = settings
  const ending = new AbortController()
  const { signal } = ending
  const begin = (completedMs: number | null): ScrubState => ({
    begunMs: Date.now(),
    after: '',
    files: 0,
    bytes: 0,
    damaged: 0,
    completedMs,
  })
  let pass = remembered?.scrub() ?? begin(null)
  let [files, bytes] = [0, 0]
  let savedAt = -Infinity
  const rest = filesAfter(snapshot)

  const pause = (ms: number) => sleep(Math.min(ms, SLEEP_MS_MAX), undefined, { signal, ref: false })
  // What ends the scrub is no fault of the file that it reads.
  const pauseAfterRead = (read: number) => pause((read / bytesASecondMax) * 1000).catch(() => {})

  function save(isDue: boolean): void {
    if (!isDue && performance.now() - savedAt < SAVE_MS) return
    savedAt = performance.now()
    remembered?.setScrub(pass)
    remembered?.save()
  }

  /** The next file, once it is its time; undefined at the end of the pass. */
  async function next(): Promise<LakeFile | undefined> {
    const { file, left } = rest(pass.after)
    if (file === undefined) return undefined
    const timeMs = Math.min(pass.begunMs - Date.now(), 0) + periodMs * SHARE
    const dueAt = performance.now() + (left === 0 ? 0 : timeMs * (file.bytes / left))
    for (let waitMs = dueAt - performance.now(); waitMs > 0; waitMs = dueAt - performance.now())
      await pause(waitMs)
    // Another snapshot may be served by now.
    return rest(pass.after).file
  }

  async function run(): Promise<void> {
    for (;;) {
      save(true)
      for (let file = await next(); file !== undefined; file = await next()) {
        const isRight = await proofs.proveAgain(file, pauseAfterRead)
        files += 1
        bytes += file.bytes
        pass = {
          ...pass,
          after: file.name,
          files: pass.files + 1,
          bytes: pass.bytes + file.bytes,
          damaged: pass.damaged + (isRight ? 0 : 1),
        }
        save(false)
      }
      const completedMs = Date.now()
      if (pass.files === 0) await pause(SLEEP_MS_MAX)
      else
        observe({
          kind: 'lake_scrubbed',
          snapshot: snapshot().number,
          files: pass.files,
          bytes: pass.bytes,
          damaged: pass.damaged,
          hours: (completedMs - pass.begunMs) / 3_600_000,
        })
      pass = begin(completedMs)
    }
  }

  /** Continues after a while where files could not be opened. */
  async function runOn(): Promise<void> {
    while (!signal.aborted) {
      await run().catch(() => {})
      await pause(SLEEP_MS_MAX).catch(() => {})
    }
  }
  void runOn()

  return {
    get files() {
      return files
    },
    get bytes() {
      return bytes
    },
    get completedMs() {
      return pass.completedMs
    },
    close() {
      if (signal.aborted) return
      ending.abort()
      save(true)
    },
  }
}

/** A function that returns the first file after a name, and the bytes of this and all later files. */
function filesAfter(snapshot: () => Snapshot) {
  let listed: Snapshot | null = null
  let files: readonly LakeFile[] = []
  let index = 0
  let left = 0
  return (name: string): { readonly file: LakeFile | undefined; readonly left: number } => {
    const now = snapshot()
    const before = files[index - 1]?.name ?? ''
    if (listed !== now || name < before) {
      listed = now
      files = allFiles(now).toSorted((one, other) => compareKeys(one.name, other.name))
      index = 0
      left = files.reduce((sum, file) => sum + file.bytes, 0)
    }
    for (
      let file = files[index];
      file !== undefined && compareKeys(file.name, name) <= 0;
      file = files[index]
    ) {
      left -= file.bytes
      index += 1
    }
    return { file: files[index], left }
  }
}
