import { type ImportFormat, inputHash } from './format/format.ts'
import { fileNameOf, type HashedFile, type Input } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'
import { namePartsOf } from './layout/layouts.ts'

/**
 * The files that were not imported before; of files with equal content, the first, unless a layout takes a ticker or a
 * date from their names. If a format reads its files
 * together, one new file makes all of them new, because it may need the others.
 */
export function newInputs(
  format: ImportFormat,
  layouts: readonly Layout[],
  options: Readonly<Record<string, string>>,
  isStrict: boolean,
  hashed: readonly HashedFile[],
  known: ReadonlySet<string>,
): Input[] {
  const inputs = hashed.map(file => ({
    ...file,
    hash: inputHash(
      format,
      layouts,
      options,
      isStrict,
      [file.sha256, ...namePartsOf(layouts, fileNameOf(file))].join('\0'),
    ),
  }))
  const isTogether = format.sources.length > 1 && inputs.some(({ hash }) => !known.has(hash))
  const seen = new Set(isTogether ? [] : known)
  return inputs.filter(({ hash }) => !seen.has(hash) && seen.add(hash))
}
