import type { KnownFiles } from '../imports/known.ts'
import { type ImportFormat, inputHash } from './format/format.ts'
import { fileNameOf, type HashedFile, type Input } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'
import { namePartsOf } from './layout/layouts.ts'

/** Files with the hashes that identify them in the lake. A layout may take a ticker or a date from the name of a file. */
export const identified = (
  format: ImportFormat,
  layouts: readonly Layout[],
  options: Readonly<Record<string, string>>,
  isStrict: boolean,
  hashed: readonly HashedFile[],
): Input[] =>
  hashed.map(file => ({
    ...file,
    hash: inputHash(
      format,
      layouts,
      options,
      isStrict,
      [file.sha256, ...namePartsOf(layouts, fileNameOf(file))].join('\0'),
    ),
  }))

/**
 * The files that were not imported before, or whose rows were replaced since. If a format reads its files together, one
 * of these makes all of them new, because it may need the others.
 */
export function newInputs(
  { sources }: ImportFormat,
  inputs: readonly Input[],
  { held, replaced }: KnownFiles,
): Input[] {
  const fresh = inputs.filter(({ hash }) => !held.has(hash) || replaced.has(hash))
  return distinct(sources.length > 1 && fresh.length > 0 ? inputs : fresh)
}

/** Of files with equal hashes, the first. */
export function distinct(inputs: readonly Input[]): Input[] {
  const seen = new Set<string>()
  return inputs.filter(({ hash }) => !seen.has(hash) && seen.add(hash))
}
