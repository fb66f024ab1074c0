import { literal, text } from '../../../engine/bind.ts'
import { Failure } from '../../../engine/failure.ts'
import { guess } from '../../../engine/nearest-name.ts'
import { identifier } from '../../store/sorted-files.ts'
import type { ImportFormat, Source } from '../format/format.ts'
import { lackingOf } from '../format/lacking.ts'
import { isRejectColumn } from '../format/reject-columns.ts'
import { firstRowFits, type ValueAt } from './first-row.ts'
import { isAdded } from './json-table.ts'
import { type ColumnRule, columnsOf, type Layout } from './layout.ts'
import { type Origins, ruleSql } from './rule.ts'

/** A file's columns, and what else a layout reads of it. */
export interface FileFacts extends Omit<Origins, 'column'> {
  /** Names of the columns of each row. */
  readonly names: readonly string[]
  /** The first line of a file of lines, or the JSON of the first row of a document. */
  readonly first: string
  /** A value of a JSON document outside its rows, by path; null if it has none. */
  valueAt(path: string): string | null
  /** The values of the first row by column, where it is known. */
  readonly firstRow?: ValueAt
}

/** A layout for the columns of one file. */
export interface BoundLayout {
  readonly layout: Layout
  /** SQL of each raw column that the file fills, over `field0`, `field1` … and `cell`. */
  readonly values: ReadonlyMap<string, string>
  /** Columns that the values read, by level: each level reads those before it. */
  readonly levels: readonly (readonly string[])[]
  /** SQL of the list of rows that each record becomes, each a struct; null if it stays one row. */
  readonly cells: string | null
  /** SQL of the condition that a row is data; null if all are. */
  readonly isData: string | null
  /** The file's columns that no rule reads. */
  readonly unused: readonly string[]
}

/** A name of a column as names are compared. */
export const keyOf = (name: string) => name.trim().toLowerCase().replace(/\s+/g, ' ')

/**
 * The position of a column: the first of that name, or with `name#2` the second; of `/pattern/` the first that matches.
 */
function placeOf(name: string, names: readonly string[]): number | undefined {
  const [, pattern] = /^\/(.+)\/$/.exec(name) ?? []
  if (pattern !== undefined) {
    const place = names.findIndex(each => new RegExp(pattern, 'i').test(each))
    return place === -1 ? undefined : place
  }
  // Answers of APIs have names that differ only in case.
  const same = names.indexOf(name)
  if (same !== -1) return same
  const keys = names.map(keyOf)
  const whole = keys.indexOf(keyOf(name))
  if (whole !== -1) return whole
  const [, bare, number] = /^(.+)#(\d+)$/.exec(name) ?? []
  if (bare === undefined) return undefined
  return keys.flatMap((key, place) => (key === keyOf(bare) ? [place] : []))[Number(number) - 1]
}

/**
 * A text without blanks around it, NULL if there is no more. The test costs a tenth of the trimming, which most texts do
 * not need; blanks outside of ASCII are left to it.
 */
export const trimmed = (x: string) =>
  `if(starts_with(${x}, ' ') OR ends_with(${x}, ' ') OR ${x} = '' OR strlen(${x}) <> length(${x}), nullif(trim(${x}), ''), ${x})`

const field = (place: number) => trimmed(`field${place}`)

/** The columns that a file must have for a layout. */
function neededBy({ recognise, skip, columns }: Layout): string[][] {
  const ofRules = Object.values(columns).flatMap(rule => {
    if (typeof rule !== 'string' && (rule.or !== undefined || rule.optional)) return []
    if (typeof rule !== 'string' && rule.join !== undefined) return rule.join.map(name => [name])
    const names = columnsOf(rule)
    return names.length === 0 ? [] : [[...names]]
  })
  return [...ofRules, ...[...(recognise?.columns ?? []), ...Object.keys(skip ?? {})].map(name => [name])]
}

const isOptional = (rule: string | ColumnRule | undefined) =>
  typeof rule === 'object' && rule.optional === true

/** The source of a format that a layout fills. */
export const sourceFor = ({ source }: Layout, { sources }: ImportFormat) =>
  sources.find(({ name, columns }) => (source === undefined ? columns.length > 0 : name === source))

/** Throws Failure `usage` for a layout with a source or a raw column that its format does not have. */
export function checkLayout(
  { name, source, columns }: Layout,
  { name: format, sources }: ImportFormat,
): void {
  const fillable = sources.filter(each => each.columns.length > 0)
  const filled = fillable.find(each => source === undefined || each.name === source)
  if (filled === undefined)
    throw new Failure(
      'usage',
      fillable.length === 0
        ? `${name}: files of ${format} have records, which no layout describes: import them as ${format}`
        : `${name}: ${format} has no source ${JSON.stringify(source)}: use ${fillable.map(each => each.name).join(' or ')}`,
    )
  const known = filled.columns.map(each => each.name)
  const strange = Object.keys(columns).find(each => !known.includes(each))
  if (strange !== undefined)
    throw new Failure(
      'usage',
      `${name} has a rule for ${JSON.stringify(strange)}, which is not a column of ${format}${guess(strange, known, JSON.stringify) || '.'} Its columns are ${known.join(', ')}`,
    )
  const missing = filled.columns.find(each => each.required && columns[each.name] === undefined)
  if (missing !== undefined)
    throw new Failure(
      'usage',
      `${name} has no rule for ${JSON.stringify(missing.name)}, which ${format} needs: add one`,
    )
  const [unmet] = lackingOf({ columns: [], needs: filled.needs }, each => columns[each] !== undefined)
  if (unmet !== undefined)
    throw new Failure('usage', `${name} has no rules for ${unmet.name}, which ${format} needs: add them`)
}

/** What a column of an unpivoted file stands for. */
interface Unpivoted {
  /** The value's column. */
  readonly field: string
  /** The other groups of the pattern. */
  readonly groups: Readonly<Record<string, string>>
}

function unpivotedIn(layout: Layout, names: readonly string[]): ReadonlyMap<number, Unpivoted> {
  if (layout.unpivot === undefined) return new Map()
  const pattern = new RegExp(layout.unpivot)
  return new Map(
    names.flatMap((name, place): [number, Unpivoted][] => {
      const match = pattern.exec(name)
      if (match === null) return []
      const { field = 'value', ...groups } = match.groups ?? {}
      return [[place, { field, groups }]]
    }),
  )
}

/**
 * Whether a layout fits a file with these columns: the columns that it lacks, or null if it has a column or a property that
 * excludes the layout. An empty list means that it fits.
 */
export function lackingFor(
  layout: Layout,
  facts: Omit<FileFacts, 'options' | 'above'>,
): readonly string[] | null {
  const { names, fileName, first, valueAt } = facts
  const { recognise = {} } = layout
  const unpivoted = unpivotedIn(layout, names)
  const rowNames = new Set([...unpivoted.values()].flatMap(each => [each.field, ...Object.keys(each.groups)]))
  const all = [...names, ...rowNames]
  const has = (name: string) =>
    name.startsWith('$') ? valueAt(name) !== null : placeOf(name, all) !== undefined
  if (recognise.without?.some(has)) return null
  if (recognise.name !== undefined && !new RegExp(recognise.name).test(fileName)) return null
  if (recognise.first !== undefined && !new RegExp(recognise.first).test(first)) return null
  if (recognise.has?.some(path => valueAt(path) === null)) return null
  const ofRow = facts.firstRow
  if (ofRow !== undefined && !firstRowFits(layout, name => (name.startsWith('$') ? valueAt : ofRow)(name)))
    return null
  if (layout.unpivot !== undefined && unpivoted.size === 0) return null
  const needed = neededBy(layout)
  if (recognise.only) {
    const known = new Set(
      [...needed.flat(), ...Object.values(layout.columns).flatMap(allColumnsOf)].map(keyOf),
    )
    const isKnown = (name: string, place: number) =>
      name === '' || isAdded(name) || isRejectColumn(name) || unpivoted.has(place) || known.has(keyOf(name))
    if (!names.every(isKnown)) return null
  }
  return needed.filter(accepted => !accepted.some(has)).map(([first = '']) => first)
}

const allColumnsOf = (rule: string | ColumnRule): readonly string[] =>
  typeof rule === 'string'
    ? [rule]
    : [...columnsOf(rule), ...(rule.join ?? []), ...(rule.or === undefined ? [] : allColumnsOf(rule.or))]

/**
 * Binds a layout that fits to the columns of a file. Throws Failure `input_refused` if a required raw column needs a flag
 * that is not given, or a name or a line that the file does not have.
 */
export function bindLayout(file: string, layout: Layout, source: Source, facts: FileFacts): BoundLayout {
  const used = new Set<number>()
  const unpivoted = unpivotedIn(layout, facts.names)
  const rows = [...unpivoted.values()]
  const members = [...new Set(rows.flatMap(each => [...Object.keys(each.groups), each.field]))]
  const column = (name: string) => {
    if (name.startsWith('$')) {
      const found = facts.valueAt(name)
      return found === null ? undefined : literal(text(found))
    }
    const member = members.find(each => keyOf(each) === keyOf(name))
    if (member !== undefined) return `nullif(trim(cell.${identifier(`of ${member}`)}), '')`
    const place = placeOf(name, facts.names)
    if (place === undefined || unpivoted.has(place)) return undefined
    used.add(place)
    return field(place)
  }
  const levels: string[][] = []
  const origins: Origins = { ...facts, column, levels }
  const values = new Map<string, string>()
  for (const raw of source.columns) {
    const rule = layout.columns[raw.name]
    const sql = rule === undefined ? undefined : ruleSql(rule, origins)
    if (sql !== undefined) values.set(raw.name, sql)
    else if (raw.required && !isOptional(rule)) throw lacking(file, layout, raw.name, rule)
  }
  const skips = Object.entries(layout.skip ?? {}).map(
    ([name, pattern]) => `regexp_matches(coalesce(${column(name) ?? "''"}, ''), ${literal(text(pattern))})`,
  )
  return {
    layout,
    values,
    levels,
    cells: rows.length === 0 ? null : cellsSql(unpivoted, members),
    isData: skips.length === 0 ? null : `NOT (${skips.join(' OR ')})`,
    unused: facts.names.filter((name, place) => name !== '' && !used.has(place) && !unpivoted.has(place)),
  }
}

/** A list of structs: one for each combination of the groups, with its values. */
function cellsSql(unpivoted: ReadonlyMap<number, Unpivoted>, members: readonly string[]): string {
  const cells = new Map<string, Map<string, string>>()
  for (const [place, { field: name, groups }] of unpivoted) {
    const key = JSON.stringify(groups)
    const cell =
      cells.get(key) ?? new Map(Object.entries(groups).map(([group, value]) => [group, literal(text(value))]))
    if (!cell.has(name)) cell.set(name, field(place))
    cells.set(key, cell)
  }
  const structs = [...cells.values()].map(cell => {
    const entries = members.map(name => `${identifier(`of ${name}`)}: ${cell.get(name) ?? 'NULL::VARCHAR'}`)
    return `{${entries.join(', ')}}`
  })
  const fields = [...new Set([...unpivoted.values()].map(each => each.field))]
  const anyValue = fields.map(name => `each.${identifier(`of ${name}`)}`).join(', ')
  return `list_filter([${structs.join(', ')}], lambda each: coalesce(${anyValue}, NULL) IS NOT NULL)`
}

function lacking(file: string, layout: Layout, name: string, rule: string | ColumnRule | undefined): Failure {
  for (let each = rule; each !== undefined && typeof each !== 'string'; each = each.or)
    if (each.option !== undefined)
      return new Failure(
        'input_refused',
        `${file} does not contain the ${name}: specify it with --${each.option}`,
      )
  return new Failure(
    'input_refused',
    `${file} does not contain the ${name}, which the layout ${layout.name} takes from ${rule === undefined ? 'nowhere: add a rule for it' : "the file's name or the lines above the header: rename the file, or specify a layout with --map whose rule has a value or an option"}`,
  )
}
