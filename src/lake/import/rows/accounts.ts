import { integer } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { Input } from '../input/inputs.ts'
import { commonFaults, countRejects, type Fault } from './rejects.ts'

/** What became of one file. */
export interface Account {
  readonly file: string
  /** Lines behind a header, elements of an array, documents. */
  readonly records: number
  /** Rows that were made of them and kept, of all datasets, before later rows of the same key replaced any. */
  readonly rows: number
  readonly rejected: number
  /** Why, and how often: all reasons. */
  readonly faults: readonly Fault[]
  /** What was left out of rows that were kept. */
  readonly notes: readonly Fault[]
}

/** More than any format has reasons. */
const ALL = 1_000_000

/** The rows that were kept of a file, and those that were rejected. */
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

/** The accounts of the files that were not left out, given how many records each has; `isPlain` where each makes one row. */
export async function accountsOf(
  writer: Writer,
  inputs: readonly Input[],
  records: readonly (number | null)[],
  isPlain: boolean,
): Promise<Account[]> {
  const accounts: Account[] = []
  for (const [file, { shown }] of inputs.entries()) {
    const found = records[file] ?? null
    if (found === null) continue
    const rejected = await countRejects(writer, file)
    accounts.push({
      file: shown,
      records: found,
      rows: isPlain ? found - rejected : await keptOf(writer, file),
      rejected,
      faults: await commonFaults(writer, { file, most: ALL }),
      notes: await commonFaults(writer, { of: 'import_notes', file, most: ALL }),
    })
  }
  return accounts
}
