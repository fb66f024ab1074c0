import { basename } from 'node:path'
import type { Extent } from '../land/import-record.ts'
import type { Imported } from '../land/record-event.ts'
import { type Input, oneLine } from './input/inputs.ts'

/**
 * The record of an import. Its files have their names without folders, which are the user's own. `extents` has those of
 * the rows of each file, if there are several.
 */
export const importRecordOf = (
  format: string,
  inputs: readonly Input[],
  extents: ReadonlyMap<number, Readonly<Record<string, Extent>>>,
): Imported['record'] => ({
  import_format: format,
  files: inputs.map(({ path, bytes, sha256, hash }, file) => ({
    name: oneLine(basename(path)),
    bytes,
    sha256,
    input: hash,
    ...(extents.has(file) && inputs.length > 1 ? { extents: extents.get(file) } : {}),
  })),
})
