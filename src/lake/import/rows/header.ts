import { Failure } from '../../../engine/failure.ts'
import type { Source } from '../format/format.ts'
import { type Lacking, lackingOf } from '../format/lacking.ts'
import { isRejectColumn } from '../format/reject-columns.ts'
import { oneLine } from '../input/inputs.ts'
import type { BoundLayout } from '../layout/bind.ts'

export type Delimiter = ',' | ';' | '\t' | '|'

/** The columns of one file, matched with the raw columns of a format. */
export interface Header {
  readonly delimiter: Delimiter
  /** The number of columns of the file. */
  readonly width: number
  /** The position in the file by raw column, without raw columns that the file lacks. */
  readonly positions: ReadonlyMap<string, number>
  /** Names of the file's columns that no raw column uses, as in the file. */
  readonly unused: readonly string[]
  /** Names of all its columns, as in the file; empty without a header. */
  readonly names: readonly string[]
  /** How a layout fills the raw columns; otherwise these are the columns at `positions`. */
  readonly bound?: BoundLayout
}

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|']
const NAMES_SHOWN = 12
const NAME_CHARACTERS_SHOWN = 40

/**
 * Parses a file's header line. Names match in any case and order, without surrounding spaces and quotes. Throws Failure
 * `input_refused`, which ends with the next step, if a required column is missing or a used column is ambiguous.
 */
export function readHeader(
  file: string,
  line: string,
  source: Pick<Source, 'columns' | 'needs'>,
  nextStep: string,
): Header {
  const header = matchHeader(line, source)
  const { missing, repeated, names } = header
  if (repeated !== undefined)
    throw new Failure('input_refused', `${file}: duplicate column ${repeated} in the header: remove one`)
  if (missing.length > 0)
    throw new Failure(
      'input_refused',
      `${file} lacks the ${missing.length > 1 ? 'columns' : 'column'} ${missing.map(({ accepted }) => accepted).join(', ')}: the first line must be the header, but is ${found(names)}: ${nextStep}`,
    )
  return header
}

/** A matched header line, the required columns that it lacks, and a used column that it has twice. */
export interface Match extends Header {
  readonly missing: readonly Lacking[]
  readonly repeated?: string
}

export function matchHeader(line: string, source: Pick<Source, 'columns' | 'needs'>): Match {
  const { columns } = source
  const delimiter = delimiterOf(line)
  const names = fieldsOf(line, delimiter)
  const keys = names.map(name => name.toLowerCase().replace(/\s+/g, ' '))
  const positions = new Map<string, number>()
  let repeated: string | undefined
  for (const column of columns) {
    const [match, place] = firstOf(column.accepted, name => placeOf(name, keys)) ?? []
    if (match === undefined || place === undefined) continue
    if (!match.includes('#') && keys.indexOf(match) !== keys.lastIndexOf(match)) repeated ??= match
    positions.set(column.name, place)
  }
  const used = new Set(positions.values())
  const rest = names.flatMap((name, place) =>
    name === '' || used.has(place) || isRejectColumn(name) ? [] : [place],
  )
  for (const { name, accepted } of columns) {
    const [only] = rest
    if (positions.has(name) || !accepted.includes('*') || rest.length !== 1 || only === undefined) continue
    positions.set(name, only)
    rest.pop()
  }
  const missing = lackingOf(source, name => positions.has(name))
  const unused = rest.map(place => names[place] ?? '')
  return { delimiter, width: names.length, positions, unused, names, missing, ...(repeated && { repeated }) }
}

/** The first item with a value, and its value. */
function firstOf<T, U>(all: readonly T[], value: (each: T) => U | undefined): [T, U] | undefined {
  for (const each of all) {
    const found = value(each)
    if (found !== undefined) return [each, found]
  }
  return undefined
}

/** The position of a column: the first of that name, or with `name#2` the second. */
function placeOf(name: string, keys: readonly string[]): number | undefined {
  const [, bare = name, number = '1'] = /^(.+)#(\d+)$/.exec(name) ?? []
  return keys.flatMap((key, place) => (key === bare ? [place] : []))[Number(number) - 1]
}

function found(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map(name => oneLine(name.slice(0, NAME_CHARACTERS_SHOWN)))
  return `${shown.join(', ')}${names.length > NAMES_SHOWN ? ', …' : ''}`
}

/** The delimiter that a line uses most; the comma if it uses none. */
export function delimiterOf(line: string): Delimiter {
  const bare = line.replace(/"[^"]*"/g, '')
  const uses = DELIMITERS.map(delimiter => bare.split(delimiter).length - 1)
  return DELIMITERS[uses.indexOf(Math.max(...uses))] ?? ','
}

/** The fields of a header line, without surrounding spaces and quotes. */
export function fieldsOf(line: string, delimiter: Delimiter): string[] {
  const fields: string[] = []
  let field = ''
  let inQuotes = false
  for (const character of line) {
    if (character === '"') inQuotes = !inQuotes
    if (character === delimiter && !inQuotes) {
      fields.push(field)
      field = ''
    } else field += character
  }
  fields.push(field)
  return fields.map(each => {
    const name = each.trim()
    return /^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"').trim() : name
  })
}
