import { basename } from 'node:path'
import type { ImportRecord } from '../land/import-record.ts'
import { FORMAT } from '../store/format.ts'
import { type Input, oneLine } from './input/inputs.ts'

/** The record of an import now. Its files have their names without folders, which are the user's own. */
export const importRecordOf = (format: string, inputs: readonly Input[]): ImportRecord => ({
  format: FORMAT,
  time: new Date().toISOString(),
  import_format: format,
  files: inputs.map(({ path, bytes, sha256, hash }) => ({
    name: oneLine(basename(path)),
    bytes,
    sha256,
    input: hash,
  })),
})
