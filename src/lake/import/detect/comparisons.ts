import { firstRowOf, namesIn } from '../csv/layout-headers.ts'
import { impliedHeader } from '../csv/start.ts'
import type { Source } from '../format/format.ts'
import { lackingFor } from '../layout/bind.ts'
import { isAdded, jsonTable, rowIn, valueIn } from '../layout/json-table.ts'
import type { Layout } from '../layout/layout.ts'
import { valuesAt } from '../layout/path.ts'
import { delimiterOf, fieldsOf, matchHeader } from '../rows/header.ts'
import { type Comparison, hasColumns } from './candidates.ts'

/** The comparison of a text of lines by its first lines. */
export function ofLines(lines: readonly string[], fileName: string): Comparison {
  const [first = ''] = lines
  const headers = lines.map((line, index) => ({ line, above: lines.slice(0, index), next: lines[index + 1] }))
  return {
    kinds: ['csv'],
    names: fieldsOf(first, delimiterOf(first)),
    layout(_, layout) {
      if (layout.file.kind !== 'csv' && layout.file.kind !== 'xlsx') return null
      for (const { line, above, next } of headers) {
        const found = namesIn(layout, line, above)
        if (found === null) continue
        const firstRow = firstRowOf(found, line, next)
        const facts = { names: found.names, fileName, first, firstRow, valueAt: () => null }
        if (lackingFor(layout, facts)?.length === 0)
          return layout.file.header === 0 ? 'its first line fits' : hasColumns(found.names)
      }
      return null
    },
    source(source) {
      if (!source.hasHeader) {
        const match = impliedHeader(first, source, [])
        const fields = fieldsOf(first, delimiterOf(first)).length
        return match !== undefined && fields === match.width ? source.columns.map(({ name }) => name) : null
      }
      for (const { line } of headers) {
        const read = readIn(line, source)
        if (read !== null) return read
      }
      return null
    },
  }
}

/** Columns that say of what and when a row is, and nothing of it: every table has some of them. */
const PLACES: ReadonlySet<string> = new Set(
  'base date exchange interval pair quote seconds series ticker time vintage'.split(' '),
)

/** The names of a header that a source reads; null if it lacks a required one, or if none has a value of a row. */
function readIn(line: string, source: Pick<Source, 'columns' | 'needs'>): readonly string[] | null {
  const { missing, repeated, positions, names } = matchHeader(line, source)
  if (missing.length > 0 || repeated !== undefined) return null
  if ([...positions.keys()].every(name => PLACES.has(name))) return null
  return [...positions.values()].map(place => names[place] ?? '')
}

/** The comparison of rows with columns, as those of Parquet. */
export function ofColumns(names: readonly string[], fileName: string): Comparison {
  return {
    kinds: ['parquet'],
    names,
    layout: (_, layout) =>
      layout.file.kind !== 'json' &&
      layout.file.header !== 0 &&
      lackingFor(layout, { names, fileName, first: '', valueAt: () => null })?.length === 0
        ? hasColumns(names)
        : null,
    source: source => (source.columns.length === 0 ? null : readIn(lineOf(names), source)),
  }
}

/** The comparison of a JSON document, or of the list of the documents of JSON lines. */
export function ofDocument(document: unknown, fileName: string): Comparison {
  const valueAt = valueIn(document)
  const record: unknown = Array.isArray(document) ? document[0] : document
  const names = columnsIn(record)
  return {
    kinds: ['json', 'ndjson'],
    names,
    layout(_, layout: Layout) {
      if (layout.file.kind !== 'json') return null
      const table = jsonTable(document, layout)
      if (table === null || table.records.length === 0) return null
      const facts = { names: table.names, fileName, first: table.first, firstRow: rowIn(table), valueAt }
      if (lackingFor(layout, facts)?.length !== 0) return null
      return hasColumns(table.names.filter(name => !isAdded(name)))
    },
    source(source, format) {
      const inside = format.name === ANSWERS ? shownIn(document) : []
      for (const each of [record, ...inside]) {
        const read =
          source.columns.length === 0 ? recordHas(each, source) : readIn(lineOf(columnsIn(each)), source)
        if (read !== null) return read
      }
      return null
    },
  }
}

/** The format of responses of this API, whose records are within a body. */
const ANSWERS = 'answers'

/** The objects within the body of a response: its member `data`, or the first one of this list, which may have one again. */
function shownIn(document: unknown): unknown[] {
  const data = isObject(document) ? Reflect.get(document, 'data') : undefined
  if (Array.isArray(data)) return data.slice(0, 1)
  return isObject(data) ? [data, ...shownIn(data)] : []
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The members of a record that may be values of columns: those that are not objects. */
const columnsIn = (record: unknown) =>
  Object.entries(isObject(record) ? record : {}).flatMap(([name, value]) =>
    isObject(value) && !Array.isArray(value) ? [] : [name],
  )

/** The comparison of the first record of an XML file. */
export function ofRecord(record: unknown): Comparison {
  return { kinds: ['xml'], names: [], layout: () => null, source: source => recordHas(record, source) }
}

/** The members by which a record is recognised; null if it lacks one, or if the source names none. */
function recordHas(record: unknown, { has, roots }: Source): readonly string[] | null {
  const root = roots.filter(name => valuesAt(record, `document.${name}`).length > 0)
  const isFit =
    has.every(path => valuesAt(record, path).length > 0) && (roots.length === 0 || root.length > 0)
  return isFit && has.length + root.length > 0 ? [...has, ...root] : null
}

const lineOf = (names: readonly string[]) => names.map(name => `"${name.replaceAll('"', '""')}"`).join(',')
