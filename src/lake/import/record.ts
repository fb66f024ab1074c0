import { basename } from 'node:path'
import type { ImportRecord } from '../land/import-record.ts'
import { FORMAT } from '../store/format.ts'
import type { Input } from './input/inputs.ts'

/** The record of an import now. Its files have their names without folders, which are the user's own. */
export const importRecordOf = (format: string, inputs: readonly Input[]): ImportRecord => ({
  format: FORMAT,
  time: new Date().toISOString(),
  import_format: format,
  files: inputs.map(({ shown, bytes, sha256, hash }) => ({
    name: basename(shown),
    bytes,
    sha256,
    input: hash,
  })),
})
