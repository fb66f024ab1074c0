import { type Bindings, files } from '../../engine/bind.ts'
import type { Template } from '../../engine/template.ts'
import type { Dataset } from '../store/datasets.ts'
import type { LakeFile } from '../store/snapshot.ts'
import { identifier } from '../store/sorted-files.ts'

/** At most about this many rows of a dataset are read to count its keys, however long its history is. */
const ROWS_MAX = 20_000_000

/** A query for the number of distinct keys of a dataset. */
export interface KeyCount {
  /** The first range column of the dataset, such as `ticker`. */
  readonly column: string
  /** The first day whose keys are counted: later than the first day of the dataset if that has too many rows. */
  readonly from: string
  readonly template: Template
  readonly bindings: Bindings
}

/**
 * The query that counts the keys of a dataset: those of its newest files, by whole days. It reads one column. Null
 * without files.
 */
export function keyCount(
  { name, ranges: [column = ''] }: Dataset,
  held: readonly LakeFile[],
  rowsMax = ROWS_MAX,
): KeyCount | null {
  const newestFirst = held.toSorted((one, other) => (one.dates[1] < other.dates[1] ? 1 : -1))
  let rows = 0
  const first = newestFirst.find(file => {
    rows += file.rows
    return rows >= rowsMax
  })
  // Its day may have more files.
  const counted = first ? held.filter(file => file.dates[1] >= first.dates[0]) : held
  const from = leastOf(counted.map(({ dates }) => dates[0]))
  if (from === undefined) return null
  const sql = `SELECT count(DISTINCT ${identifier(column)}) AS key_count FROM read_parquet($files, hive_partitioning = false)`
  return {
    column,
    from,
    template: { name: `keys-of-${name}`, sql, parameters: ['files'] },
    bindings: { files: files(counted.map(({ path }) => path)) },
  }
}

const leastOf = (days: readonly string[]) => days.toSorted()[0]
