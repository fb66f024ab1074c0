import { basename } from 'node:path'
import type { Extent } from '../land/import-record.ts'
import type { Imported } from '../land/record-event.ts'
import type { Input } from './input/inputs.ts'
import type { ImportReport } from './report.ts'
import { layoutsOf } from './rows/accounts.ts'

/**
 * The record of an import. Its files have their names without folders, which are the user's own; those without `records`
 * were not imported. `extents` has those of the rows of each file, if there are several.
 */
export const importRecordOf = (
  format: string,
  inputs: readonly Input[],
  records: readonly (number | null)[],
  extents: ReadonlyMap<number, Readonly<Record<string, Extent>>>,
  { renamed, accounts }: Pick<ImportReport, 'renamed' | 'accounts'>,
): Imported['record'] => ({
  import_format: format,
  layouts: layoutsOf(accounts),
  ...(renamed.tickers.length > 0 ? { renamed: [...renamed.tickers] } : {}),
  files: inputs.flatMap(({ shown, bytes, sha256, hash }, file) => {
    if (records[file] === null) return []
    const own = extents.has(file) && inputs.length > 1 ? { extents: extents.get(file) } : {}
    return [{ name: basename(shown), bytes, sha256, input: hash, ...own }]
  }),
})
