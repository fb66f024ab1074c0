import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { Failure, systemCode } from '../../engine/failure.ts'
import type { ClosingRule } from '../closing/closed-date.ts'
import { lakeFolder, snapshotName } from '../store/layout.ts'
import { type LoadedSnapshot, snapshotLoader } from '../store/snapshot.ts'
import { snapshotNumber } from './named.ts'
import { wholeRecord } from './whole.ts'

/** Snapshots besides the served one that stay loaded. Each holds an entry per file of the lake in memory. */
const LOADED_MAX = 4
/** Snapshots that are loaded at the same time. A load reads all manifests of a snapshot. */
const LOADING_MAX = 2

/** The snapshots of a lake besides the served one, for requests that name them. */
export interface SnapshotShelf {
  /**
   * The number of the snapshot that `text` names. Rejects with usage if it is neither a number nor a name, and with
   * not_found if there is no such snapshot.
   */
  find(text: string): Promise<number>
  /** Loads a snapshot, or returns the loaded one. Rejects with overloaded, not_found, lake_damaged or lake_newer. */
  load(number: number): Promise<LoadedSnapshot>
}

/** Opens the shelf of a lake. It holds the few snapshots that were used last. */
export function snapshotShelf(lake: string, rule?: ClosingRule): SnapshotShelf {
  const folder = lakeFolder(lake)
  const loader = snapshotLoader(folder, rule)
  const loaded = new LRUCache<string, Promise<LoadedSnapshot>>({ max: LOADED_MAX })
  let loading = 0

  async function loadWhole(number: number): Promise<LoadedSnapshot> {
    if (loading >= LOADING_MAX)
      throw new Failure('overloaded', `the worker loads ${loading} other snapshots already`)
    loading += 1
    try {
      await wholeRecord(folder, number)
      return await loader(number)
    } finally {
      loading -= 1
    }
  }

  return {
    async find(text) {
      const number = await snapshotNumber(folder, text)
      await stampOf(folder, number)
      return number
    },
    async load(number) {
      // A record that was replaced or deleted is another snapshot, or none.
      const key = `${number} ${await stampOf(folder, number)}`
      const known = loaded.get(key)
      if (known !== undefined) return known
      const fresh = loadWhole(number)
      loaded.set(key, fresh)
      fresh.catch(() => loaded.delete(key))
      return fresh
    },
  }
}

/** A text that changes when the record of a snapshot is replaced. Rejects with not_found if it does not exist. */
async function stampOf(lake: string, number: number): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(join(lake, snapshotName(number)), { bigint: true })
    return `${ino} ${mtimeNs} ${size}`
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw thrown
    throw new Failure('not_found', `there is no snapshot ${number}`, { cause: thrown })
  }
}
