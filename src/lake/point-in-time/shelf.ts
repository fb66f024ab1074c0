import { mkdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { Failure } from '../../engine/failure.ts'
import { type Guard, readHeld } from '../../engine/file-lists.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import type { WriterSettings } from '../../engine/writer.ts'
import { locator } from '../store/layout.ts'
import { allFiles, type LoadedSnapshot } from '../store/snapshot.ts'

/** States that stay computed. Each has files on the disk. */
const STATES_MAX = 4
/** States that are computed at the same time: each uses as much memory and as many threads as all queries. */
const COMPUTING_MAX = 1

/** A state is computed to its end, for later requests. */
const UNTIL_MADE = new AbortController().signal

/** A snapshot as of a day, whose files remain at least until `release`. */
export interface TakenState {
  readonly snapshot: LoadedSnapshot
  /** Resolves once the files are deleted, if nothing needs them any longer. */
  release(): Promise<void>
}

/** The states of a lake as of days, for requests that name a time. */
export interface AsOfShelf {
  /** The folder outside the lake that has the files of all states. */
  readonly folder: string
  /** Computes a state, or returns the computed one. Rejects with overloaded, lake_damaged or lake_newer. */
  take(snapshot: LoadedSnapshot, day: string): Promise<TakenState>
  /** Deletes all states. */
  close(): void
}

/** One state, computed or being computed. */
interface State {
  readonly folder: string
  readonly made: Promise<LoadedSnapshot>
  /** Responses that read it. */
  uses: number
  isEvicted: boolean
}

/** Opens a shelf, which holds the few states that were used last. They are made of files that the guard holds. */
export function asOfShelf(
  settings: Pick<WriterSettings, 'memoryBytesMax' | 'threads'>,
  guard?: Guard,
): AsOfShelf {
  const folder = temporaryFolder('as-of')
  let computing = 0
  let count = 0

  const removeUnused = async (state: State) => {
    if (state.isEvicted && state.uses === 0) await rm(state.folder, { recursive: true, force: true })
  }
  const states = new LRUCache<string, State>({
    max: STATES_MAX,
    dispose(state) {
      state.isEvicted = true
      // What cannot be deleted now is deleted with the whole folder.
      removeUnused(state).catch(() => {})
    },
  })

  const make = (snapshot: LoadedSnapshot, day: string, own: string) =>
    readHeld(guard, allFiles(snapshot), UNTIL_MADE, () => makeOf(snapshot, day, own))

  async function makeOf(snapshot: LoadedSnapshot, day: string, own: string): Promise<LoadedSnapshot> {
    // What another attempt has left.
    rmSync(own, { recursive: true, force: true })
    mkdirSync(own)
    // Loaded with the first state that is computed.
    const [{ openWriter }, { snapshotAsOf }] = await Promise.all([
      import('../../engine/writer.ts'),
      import('./as-of.ts'),
    ])
    const writer = await openWriter({
      ...settings,
      directories: [snapshot.lake, own],
      locate: locator(snapshot.lake),
    })
    try {
      return await snapshotAsOf(writer, snapshot, day, own, () => {})
    } finally {
      writer.close()
    }
  }

  function compute(key: string, snapshot: LoadedSnapshot, day: string): State {
    if (computing >= COMPUTING_MAX)
      throw new Failure('overloaded', `the worker computes ${computing} other state as of a time already`)
    computing += 1
    count += 1
    const own = join(folder, String(count))
    const made = make(snapshot, day, own).finally(() => {
      computing -= 1
    })
    const state: State = { folder: own, made, uses: 0, isEvicted: false }
    states.set(key, state)
    made.catch(() => states.delete(key))
    return state
  }

  return {
    folder,
    async take(snapshot, day) {
      const key = `${snapshot.number} ${day}`
      const state = states.get(key) ?? compute(key, snapshot, day)
      state.uses += 1
      const release = () => {
        state.uses -= 1
        return removeUnused(state)
      }
      try {
        return { snapshot: await state.made, release }
      } catch (thrown) {
        await release()
        throw thrown
      }
    },
    close() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
