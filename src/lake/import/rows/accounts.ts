import { basename } from 'node:path'
import type { Writer } from '../../../engine/writer.ts'
import type { Input } from '../input/inputs.ts'
import type { Faults } from './faults.ts'
import { layoutsRead } from './tables.ts'

/** The counts of one file, and all defects of its rows. */
export interface Account extends Faults {
  readonly file: string
  /** The name of its layout; null: the columns of the format. */
  readonly layout: string | null
  /** Lines after the header, elements of an array, or documents. */
  readonly records: number
  /** Accepted rows of all datasets, including those that later rows with the same key replaced. */
  readonly rows: number
  readonly rejected: number
}

/** The names of the layouts of files, without the columns of the format. That of a user's layout is its file's. */
export const layoutsOf = (accounts: readonly Account[]): string[] =>
  [...new Set(accounts.flatMap(({ layout }) => (layout === null ? [] : basename(layout))))].toSorted()

/** How many rows of a file were accepted, in all datasets, and rejected. */
export interface RowCounts {
  readonly kept: number
  readonly rejected: number
}

/** The rows of each file of an import. One statement reads those of any number of files. */
export async function rowCounts(writer: Writer): Promise<(file: number) => RowCounts> {
  const rows = await writer.rows(
    `SELECT file, coalesce(sum(kept), 0)::BIGINT AS kept, coalesce(sum(rejected), 0)::BIGINT AS rejected
     FROM (SELECT file, rows AS kept FROM import_kept UNION ALL BY NAME SELECT file, 1 AS rejected FROM import_rejects)
     GROUP BY file`,
  )
  const found = new Map(
    rows.map(({ file, kept, rejected }) => [
      Number(file),
      { kept: Number(kept), rejected: Number(rejected) },
    ]),
  )
  return file => found.get(file) ?? { kept: 0, rejected: 0 }
}

/**
 * The counts of each file that was not skipped. `records` has null for skipped files; `isPlain`: a record is one row.
 */
export async function accountsOf(
  writer: Writer,
  inputs: readonly Input[],
  records: readonly (number | null)[],
  isPlain: boolean,
  faultsIn: (file: number) => Faults,
): Promise<Account[]> {
  const layouts = await layoutsRead(writer)
  const rowsIn = await rowCounts(writer)
  return inputs.flatMap(({ shown }, file) => {
    const found = records[file] ?? null
    if (found === null) return []
    const { kept, rejected } = rowsIn(file)
    return {
      file: shown,
      layout: layouts.get(file) ?? null,
      records: found,
      rows: isPlain ? found - rejected : kept,
      rejected,
      ...faultsIn(file),
    }
  })
}
