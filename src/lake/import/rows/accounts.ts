import { basename } from 'node:path'
import { integer } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { Input } from '../input/inputs.ts'
import { commonFaults, countRejects, type Fault } from './rejects.ts'
import { layoutsRead } from './tables.ts'

/** The counts of one file. */
export interface Account {
  readonly file: string
  /** The name of its layout; null: the columns of the format. */
  readonly layout: string | null
  /** Lines after the header, elements of an array, or documents. */
  readonly records: number
  /** Accepted rows of all datasets, including those that later rows with the same key replaced. */
  readonly rows: number
  readonly rejected: number
  /** All reasons of rejected rows. */
  readonly faults: readonly Fault[]
  /** Values that were dropped from accepted rows. */
  readonly notes: readonly Fault[]
  /** Suspicious values of accepted rows, which were kept. */
  readonly warnings: readonly Fault[]
}

/** More than the reasons of any format. */
const ALL = 1_000_000

/** The names of the layouts of files, without the columns of the format. That of a user's layout is its file's. */
export const layoutsOf = (accounts: readonly Account[]): string[] =>
  [...new Set(accounts.flatMap(({ layout }) => (layout === null ? [] : basename(layout))))].toSorted()

/** The number of rows of a file, accepted and rejected. */
export async function rowsOf(writer: Writer, file: number): Promise<number> {
  return (await keptOf(writer, file)) + (await countRejects(writer, file))
}

async function keptOf(writer: Writer, file: number): Promise<number> {
  const [row] = await writer.rows(
    'SELECT coalesce(sum(rows), 0)::BIGINT AS number FROM import_kept WHERE file = $file',
    { file: integer(file) },
  )
  return Number(row?.number)
}

/**
 * The counts of each file that was not skipped. `records` has null for skipped files; `isPlain`: a record is one row.
 */
export async function accountsOf(
  writer: Writer,
  inputs: readonly Input[],
  records: readonly (number | null)[],
  isPlain: boolean,
): Promise<Account[]> {
  const accounts: Account[] = []
  const layouts = await layoutsRead(writer)
  for (const [file, { shown }] of inputs.entries()) {
    const found = records[file] ?? null
    if (found === null) continue
    const rejected = await countRejects(writer, file)
    accounts.push({
      file: shown,
      layout: layouts.get(file) ?? null,
      records: found,
      rows: isPlain ? found - rejected : await keptOf(writer, file),
      rejected,
      faults: await commonFaults(writer, { file, most: ALL }),
      notes: await commonFaults(writer, { of: 'import_notes', file, most: ALL }),
      warnings: await commonFaults(writer, { of: 'import_warnings', file, most: ALL }),
    })
  }
  return accounts
}
