import { canonicalFormat, importable } from '../format/canonical.ts'
import type { ImportFormat, Source } from '../format/format.ts'
import { CANONICAL_KINDS, type Kind } from '../format/format.ts'
import { listFormats } from '../format/formats.ts'
import type { Layout } from '../layout/layout.ts'
import { layoutsOf } from '../layout/layouts.ts'

/** What a file may be imported as, and why. */
export interface Candidate {
  readonly format: string
  /** The layout of the format; null for the names of the format's own columns. */
  readonly layout: Layout | null
  readonly why: string
  /** The number of the file's columns that are read; a layout has more than any format. */
  readonly score: number
}

/** How one kind of file is compared with formats. */
export interface Comparison {
  readonly kinds: readonly Kind[]
  /** Why a layout fits; null if it does not. */
  layout(format: ImportFormat, layout: Layout): string | null
  /** The file's columns that a source reads, by their names in the file; null if it does not fit. */
  source(source: Source, format: ImportFormat): readonly string[] | null
  /** The names of the file's columns, if it has columns. */
  readonly names: readonly string[]
}

/** A layout is written for one vendor's files, so it counts more than names of columns that many files have. */
const OF_LAYOUT = 1000

/** Every candidate for a file, the best first. */
export function candidatesOf(comparison: Comparison): Candidate[] {
  const found = [...listFormats().flatMap(format => ofFormat(comparison, format)), ...ofDatasets(comparison)]
  return found.toSorted((one, other) => other.score - one.score)
}

/** The candidates among which only the user can decide: those with the highest score. */
export const bestOf = ([first, ...others]: readonly Candidate[]): readonly Candidate[] =>
  first === undefined ? [] : [first, ...others.filter(({ score }) => score === first.score)]

function ofFormat(comparison: Comparison, format: ImportFormat): Candidate[] {
  const { name } = format
  const layouts = layoutsOf(name).flatMap(layout => {
    const why = comparison.layout(format, layout)
    return why === null ? [] : [{ format: name, layout, why, score: OF_LAYOUT }]
  })
  const sources = format.sources.flatMap(source => {
    if (!source.kinds.some(kind => comparison.kinds.includes(kind))) return []
    const read = comparison.source(source, format)
    return read === null ? [] : [{ format: name, layout: null, why: hasColumns(read), score: read.length }]
  })
  const [best] = sources.toSorted((one, other) => other.score - one.score)
  return best === undefined ? layouts : [...layouts, best]
}

/** The datasets whose own columns the file has, and no others. */
function ofDatasets({ kinds, names }: Comparison): Candidate[] {
  const [kind] = CANONICAL_KINDS.filter(each => kinds.includes(each))
  if (kind === undefined || names.length < 2) return []
  return importable().flatMap(dataset => {
    const format = canonicalFormat(kind, dataset)
    const columns = format.sources.flatMap(source => source.columns)
    const known = new Set(columns.map(({ name }) => name))
    const lacks = columns.some(({ name, required }) => required && !names.includes(name))
    if (lacks || names.some(name => !known.has(name))) return []
    return [{ format: format.name, layout: null, why: hasColumns(names), score: OF_LAYOUT - 1 }]
  })
}

const SHOWN = 6

/** What a file has, for a message. */
export function hasColumns(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(', ')
  return `it has ${shown}${names.length > SHOWN ? ' …' : ''}`
}
