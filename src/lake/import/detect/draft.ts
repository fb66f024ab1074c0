import type { ImportFormat, RawColumn, Source } from '../format/format.ts'
import { listFormats } from '../format/formats.ts'
import { type ColumnRule, columnsOf, type FileForm } from '../layout/layout.ts'
import { layoutsOf } from '../layout/layouts.ts'
import { formOf } from './value-forms.ts'

/** The first rows of a file, and how it is built. */
export interface Sampled {
  readonly file: FileForm
  readonly names: readonly string[]
  /** The values of each column that are not blank. */
  readonly values: readonly (readonly string[])[]
}

/** A first layout for a file. */
export interface Drafted {
  readonly $schema: string
  readonly title: string
  readonly format: string
  readonly source?: string
  readonly file: FileForm
  readonly columns: Readonly<Record<string, string | ColumnRule>>
  readonly questions: readonly string[]
}

const SCHEMA = 'layout.schema.json'

/**
 * Drafts a layout for a file: of the format whose columns its names resemble most, or of the format with a name. What the
 * file does not say is a question in the layout, which the user must answer. Null if the file resembles no format.
 */
export function draftLayout(title: string, sampled: Sampled, only: string | undefined): Drafted | null {
  const targets = listFormats()
    .filter(({ name }) => only === undefined || name === only)
    .flatMap(format =>
      format.sources
        .filter(({ columns, hasHeader }) => columns.length > 0 && hasHeader)
        .map(source => targetOf(format, source, sampled.names)),
    )
  const [best] = targets.toSorted((one, other) => other.score - one.score)
  if (best === undefined || (best.score <= 1 && only === undefined)) return null
  return layoutFor(title, sampled, best)
}

/** A source of a format, with the column of the file for each of its raw columns. */
interface Target {
  readonly format: ImportFormat
  readonly source: Source
  readonly found: ReadonlyMap<string, number>
  readonly score: number
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '')

function targetOf(format: ImportFormat, source: Source, names: readonly string[]): Target {
  const found = new Map<string, number>()
  const taken = new Set<number>()
  for (const column of source.columns.toSorted((a, b) => Number(b.required) - Number(a.required))) {
    const synonyms = synonymsOf(format, column)
    const place = names.findIndex((name, at) => !taken.has(at) && synonyms.has(plain(name)))
    if (place === -1) continue
    found.set(column.name, place)
    taken.add(place)
  }
  const missing = source.columns.filter(({ name, required }) => required && !found.has(name)).length
  return { format, source, found, score: found.size - missing }
}

/** The names of a raw column in all files that are known. */
function synonymsOf(format: ImportFormat, column: RawColumn): ReadonlySet<string> {
  const ofLayouts = layoutsOf(format.name).flatMap(({ columns }) => {
    const rule = columns[column.name]
    return rule === undefined ? [] : columnsOf(rule)
  })
  return new Set([column.name, ...column.accepted, ...ofLayouts].map(plain).filter(name => name !== ''))
}

function layoutFor(
  title: string,
  { file, names, values }: Sampled,
  { format, source, found }: Target,
): Drafted {
  const questions: string[] = []
  const columns: Record<string, string | ColumnRule> = {}
  for (const column of source.columns) {
    const place = found.get(column.name)
    const name = place === undefined ? undefined : names[place]
    if (place === undefined || name === undefined) {
      const absent = absentRule(format, column)
      if (absent === undefined) continue
      columns[column.name] = absent.rule
      questions.push(absent.question)
      continue
    }
    const form = formOf(name, values[place] ?? [])
    questions.push(...form.questions)
    const hasConversions = Object.keys(form.conversions).length > 0
    columns[column.name] = hasConversions ? { from: name, ...form.conversions } : name
  }
  const used = new Set(found.values())
  const unused = names.filter((name, place) => name !== '' && !used.has(place))
  if (unused.length > 0)
    questions.push(`No column takes ${unused.join(', ')}. Add a rule for each that matters.`)
  return {
    $schema: SCHEMA,
    title,
    format: format.name,
    ...(format.sources.length > 1 ? { source: source.name } : {}),
    file,
    columns,
    questions,
  }
}

/** The rule of a required column that the file lacks, with a question; nothing for an optional one. */
function absentRule(
  format: ImportFormat,
  { name, required, meaning }: RawColumn,
): { rule: ColumnRule; question: string } | undefined {
  const option = format.options.find(each => each.name === name)
  if (option !== undefined && required)
    return {
      rule: { option: name },
      question: `The file has no ${name}: specify it with --${name} (${option.meaning}), or take it from the file's name with {"file": "^([A-Z]+)"}.`,
    }
  if (!required) return undefined
  return {
    rule: { value: '' },
    question: `Which column is the ${name}${meaning === '' ? '' : ` (${meaning})`}? Write {"from": "its name"}, {"value": "a constant"} or {"file": "a pattern of the file's name"}.`,
  }
}
