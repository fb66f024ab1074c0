import type { KnownFile } from '../imports/known.ts'
import { type ImportFormat, inputHash } from './format/format.ts'
import { fileNameOf, type HashedFile, type Input } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'
import { namePartsOf } from './layout/layouts.ts'

/** How the files of an import are read, as far as it changes their hashes. */
export interface Identifying {
  readonly format: ImportFormat
  readonly layouts: readonly Layout[]
  readonly isLayoutGiven: boolean
  readonly options: Readonly<Record<string, string>>
  readonly isStrict: boolean
}

/**
 * Files with the hashes that identify them in the lake: one for each layout that they may have, because the layout of a file
 * is not known before it is read. A layout may take a ticker or a date from the name of a file.
 */
export function identified(identifying: Identifying, hashed: readonly HashedFile[]): Input[] {
  const { format, layouts, isLayoutGiven, options, isStrict } = identifying
  const definitions = layouts.map(layout => [layout, definitionOf(layout)] as const)
  const all = layouts.length === 0 ? null : JSON.stringify(layouts)
  return hashed.map(file => {
    const name = fileNameOf(file)
    const hashAs = (definition: string | null, named: readonly Layout[]) =>
      inputHash(format, definition, options, isStrict, [file.sha256, ...namePartsOf(named, name)].join('\0'))
    const ofFormat = isLayoutGiven ? [] : [[null, hashAs(null, [])] as const]
    const ofLayouts = definitions.map(
      ([layout, definition]) => [layout.name, hashAs(definition, [layout])] as const,
    )
    // The hash over all layouts of the format is the one that files had before there was one for each.
    return { ...file, hash: hashAs(all, layouts), hashes: new Map([...ofFormat, ...ofLayouts]) }
  })
}

/** What defines how a layout reads a file: all of it but its name and its documentation. */
function definitionOf({
  name: _,
  $schema,
  title,
  from,
  notes,
  sample,
  questions,
  ...reading
}: Layout): string {
  return JSON.stringify(reading)
}

/** A file that was read, with the hash of its layout. */
export const identifiedBy = (input: Input, layout: string | null): Input => ({
  ...input,
  hash: input.hashes.get(layout) ?? input.hash,
})

/** All hashes under which the lake may know a file. */
export const hashesOf = ({ hash, hashes }: Input): string[] => [...hashes.values(), hash]

/**
 * The files that were not imported before, or whose rows were replaced since. If a format reads its files together, one
 * of these makes all of them new, because it may need the others.
 */
export function newInputs(
  { sources }: ImportFormat,
  inputs: readonly Input[],
  known: readonly KnownFile[],
): Input[] {
  const fresh = inputs.filter((_, file) => known[file] !== 'held')
  return distinct(sources.length > 1 && fresh.length > 0 ? inputs : fresh)
}

/** Of files with equal hashes, the first. */
export function distinct(inputs: readonly Input[]): Input[] {
  const seen = new Set<string>()
  return inputs.filter(({ hash }) => !seen.has(hash) && seen.add(hash))
}
