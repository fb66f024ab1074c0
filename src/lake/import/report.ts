import type { Derived } from '../derive/derive.ts'
import type { Account } from './rows/accounts.ts'
import type { Fault } from './rows/rejects.ts'

export interface ImportReport {
  readonly format: string
  /** The number of files that were named or found in named folders. */
  readonly files: number
  /** The number of those that had been imported before, or are copies of others. */
  readonly skipped: number
  /** Rows that were landed: for each key, the last row. */
  readonly rows: number
  readonly rejected: number
  /** The most common reasons of rejected rows. */
  readonly faults: readonly Fault[]
  /** Values that were dropped from accepted rows, the most common first. */
  readonly notes: readonly Fault[]
  /** Suspicious values of accepted rows, which were kept, the most common first. */
  readonly warnings: readonly Fault[]
  /** The counts of each file that was read. */
  readonly accounts: readonly Account[]
  /** The path of the file that lists every rejected row; null if none was rejected. */
  readonly rejectsFile: string | null
  /** The lake's snapshot after the import; null if there is still none. */
  readonly snapshot: number | null
  readonly published: boolean
  /** Partitions of the imported datasets whose files changed. */
  readonly partitions: readonly string[]
  /** Computed days of derived datasets. */
  readonly derived: readonly Derived[]
}

/** The counts of an import without new files. */
export const NOTHING = {
  rows: 0,
  rejected: 0,
  faults: [],
  notes: [],
  warnings: [],
  accounts: [],
  rejectsFile: null,
  published: false,
  partitions: [],
  derived: [],
} as const
