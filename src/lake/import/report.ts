import type { Derived } from '../derive/derive.ts'
import type { DatasetFigures } from './figures.ts'
import type { Account } from './rows/accounts.ts'
import type { Fault } from './rows/faults.ts'
import type { Renamed } from './rows/renamed.ts'
import type { UnusedColumns } from './unused.ts'

/** A bad file, and why it was refused: one line that names it. */
export interface RefusedFile {
  readonly file: string
  readonly reason: string
}

export interface ImportReport {
  readonly format: string
  /** The number of files that were named or found in named folders. */
  readonly files: number
  /** The number of those that had been imported before, or are copies of others. */
  readonly skipped: number
  /** The files that were not imported, because they cannot be read or are mostly invalid. */
  readonly refused: readonly RefusedFile[]
  /** Whether nothing was written: `rows` and `datasets` are what an import would write. */
  readonly isDryRun: boolean
  /** Rows that were landed: for each key, the last row. */
  readonly rows: number
  /** The same by dataset, without those that have none. */
  readonly datasets: readonly DatasetOutcome[]
  readonly rejected: number
  /** The most common reasons of rejected rows. */
  readonly faults: readonly Fault[]
  /** Values that were dropped from accepted rows, the most common first. */
  readonly notes: readonly Fault[]
  /** Suspicious values of accepted rows, which were kept, the most common first. */
  readonly warnings: readonly Fault[]
  /** Tickers with a suffix that are stored in another form than that of their file. */
  readonly renamed: Renamed
  /** The columns of files that are not imported. */
  readonly unused: readonly UnusedColumns[]
  /** The counts of each file that was read. */
  readonly accounts: readonly Account[]
  /** The path of the file that lists every rejected row; null if none was rejected. */
  readonly rejectsFile: string | null
  /** The folder with files of the rejected rows, in the layouts of their files; null if there are none. */
  readonly rejectsFolder: string | null
  /** The lake's snapshot after the import; null if there is still none. */
  readonly snapshot: number | null
  readonly published: boolean
  /** Partitions of the imported datasets whose files changed. */
  readonly partitions: readonly string[]
  /** Computed days of derived datasets. */
  readonly derived: readonly Derived[]
  readonly seconds: number
}

/** What an import changes in one dataset. The other rows are equal to stored ones. */
export interface DatasetOutcome extends DatasetFigures {
  /** Rows with a new key. */
  readonly added: number
  /** Rows in place of stored ones with the same key. */
  readonly replaced: number
}

/** What remains of a report without what is known before the files are read. */
export type Outcome = Omit<ImportReport, 'format' | 'files' | 'skipped' | 'seconds'>

/** The counts of an import without new files. */
export const NOTHING = {
  isDryRun: false,
  rows: 0,
  datasets: [],
  rejected: 0,
  faults: [],
  notes: [],
  warnings: [],
  renamed: { number: 0, tickers: [] },
  unused: [],
  accounts: [],
  rejectsFile: null,
  rejectsFolder: null,
  published: false,
  partitions: [],
  derived: [],
} as const
