import type { Source } from '../format/format.ts'
import { fileNameOf, type Input, oneLine } from '../input/inputs.ts'
import { bindLayout, keyOf, lackingFor, sourceFor } from '../layout/bind.ts'
import { firstRowColumns, firstRowFits, type ValueAt } from '../layout/first-row.ts'
import type { Layout } from '../layout/layout.ts'
import { delimiterOf, fieldsOf, type Header } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'

/** The header of a file of lines that a layout describes. */
export interface LayoutHeader {
  readonly source: Source
  readonly header: Header
  /** Whether the line is a record itself: the file has no header. */
  readonly isRecord: boolean
}

export interface LayoutHeaders {
  /** The header that ends with a line, after the lines above it. Throws Failure `input_refused` if a flag is missing. */
  find(line: string, above: readonly string[]): LayoutHeader | undefined
  /** Whether no other header is taken. */
  readonly isGiven: boolean
  /** Why lines have no header of the only layout of the import. */
  refusal(lines: readonly string[]): string
}

/** The columns of a header of a layout, the lines above the header, and whether the last line is a record. */
export interface Names {
  readonly names: readonly string[]
  readonly above: readonly string[]
  readonly isRecord: boolean
}

/** Finds the headers of the layouts of an import in a file of lines. */
export function layoutHeaders(
  {
    format,
    layouts,
    options,
    isLayoutGiven,
  }: Pick<Reading, 'format' | 'layouts' | 'options' | 'isLayoutGiven'>,
  input: Pick<Input, 'path' | 'shown'>,
): LayoutHeaders {
  const ofLines = layouts.filter(({ file: { kind } }) => kind === 'csv' || kind === 'xlsx')
  const fileName = fileNameOf(input)
  return {
    isGiven: isLayoutGiven,
    refusal(lines) {
      const [layout] = ofLines
      if (layout === undefined)
        return 'is a file of lines, which the layout does not describe: see its file.kind'
      const tried = lines.flatMap((line, index) => {
        const above = lines.slice(0, index)
        const found = namesIn(layout, line, above)
        const facts = found && { ...found, fileName, first: above[0] ?? line, valueAt: () => null }
        return facts === null ? [] : [{ names: facts.names, lacking: lackingFor(layout, facts) }]
      })
      const [nearest] = tried
        .flatMap(({ names, lacking }) => (lacking === null ? [] : [{ names, lacking }]))
        .toSorted((one, other) => one.lacking.length - other.lacking.length)
      if (nearest !== undefined)
        return `lacks ${quoted(nearest.lacking)}, which the layout ${layout.name} reads; it has ${quoted(nearest.names)}. Names are those of the file: correct the layout, or mark a rule as "optional": true`
      return `does not fit the layout ${layout.name}: see its "recognise" and its "file"`
    },
    find(line, above) {
      const first = above[0] ?? line
      for (const layout of ofLines) {
        const source = sourceFor(layout, format)
        const found = namesIn(layout, line, above)
        if (source === undefined || found === null) continue
        const facts = { ...found, fileName, first, options, valueAt: () => null }
        if (lackingFor(layout, facts)?.length !== 0) continue
        const bound = bindLayout(input.shown, layout, source, facts)
        const header = {
          delimiter: delimiterOf(line),
          width: found.names.length,
          positions: new Map(),
          unused: bound.unused,
          names: found.isRecord ? [] : found.names,
          bound,
        }
        return { source, header, isRecord: found.isRecord }
      }
    },
  }
}

const NAMES_SHOWN = 12
const NAME_CHARACTERS_SHOWN = 40

const quoted = (names: readonly string[]) => {
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map(name => JSON.stringify(oneLine(name.slice(0, NAME_CHARACTERS_SHOWN))))
  return `${shown.join(', ')}${names.length > NAMES_SHOWN ? ', …' : ''}`
}

/** The layouts that fit the first row of a file, as far as its beginning shows it. */
export function layoutsByFirstRow(layouts: readonly Layout[], beginning: string): Layout[] {
  const lines = beginning.replace(/^\ufeff/, '').split(/\r?\n/)
  return layouts.filter(layout => {
    const columns = firstRowColumns(layout).map(keyOf)
    if (columns.length === 0 || layout.file.kind !== 'csv') return true
    let header: { readonly first: ValueAt; readonly known: number } | undefined
    for (const [index, line] of lines.entries()) {
      const found = namesIn(layout, line, lines.slice(0, index))
      if (found === null) continue
      const keys = found.names.map(keyOf)
      const known = columns.filter(column => keys.includes(column)).length
      if (known > (header?.known ?? 0)) header = { first: firstRowOf(found, line, lines[index + 1]), known }
      if (known === columns.length) break
    }
    // A file may lack some of the columns: their values are then empty.
    return header === undefined || firstRowFits(layout, header.first)
  })
}

/** The values of the first row by column, given the line with which the header ends and the one after it. */
export function firstRowOf({ names, isRecord }: Names, line: string, next = ''): ValueAt {
  const keys = names.map(keyOf)
  const fields = fieldsOf(isRecord ? line : next, delimiterOf(line))
  return name => fields[keys.indexOf(keyOf(name))] ?? null
}

/** The columns of a file of lines whose header ends with a line, if a layout describes it; null if it cannot. */
export function namesIn({ file }: Layout, line: string, above: readonly string[]): Names | null {
  const rows = file.header ?? 1
  const fields = fieldsOf(line, delimiterOf(line))
  if (rows === 0) {
    if (above.length > 0 || fields.length > (file.names?.length ?? 0)) return null
    return { names: (file.names ?? []).slice(0, fields.length), above, isRecord: true }
  }
  if (above.length < rows - 1) return null
  const delimiter = delimiterOf([...above.slice(above.length - rows + 1), line].join(''))
  const header = [...above.slice(above.length - rows + 1), line].map(each => fieldsOf(each, delimiter))
  const width = Math.max(...header.map(({ length }) => length))
  const names = Array.from({ length: width }, (_, place) =>
    header
      .map(each => each[place] ?? '')
      .filter(each => each !== '')
      .join('|'),
  )
  return { names, above: above.slice(0, above.length - rows + 1), isRecord: false }
}
