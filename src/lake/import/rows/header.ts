import { Failure } from '../../../engine/failure.ts'
import type { RawColumn, Source } from '../format/format.ts'
import { oneLine } from '../input/inputs.ts'

export type Delimiter = ',' | ';' | '\t' | '|'

/** How the columns of one file stand to the raw columns of a format. */
export interface Header {
  readonly delimiter: Delimiter
  /** How many columns the file has. */
  readonly width: number
  /** Raw column → position in the file; a raw column that the file lacks is not in it. */
  readonly positions: ReadonlyMap<string, number>
  /** Names of the file's columns that no raw column takes, as they are written there. */
  readonly unused: readonly string[]
  /** Names of all its columns, as they are written there; none where it has no header. */
  readonly names: readonly string[]
}

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|']
const NAMES_SHOWN = 12
const NAME_CHARACTERS_SHOWN = 40

/**
 * Reads a file's header line. Names match in any case and order, with blanks and quotes around them. Throws Failure
 * `input_refused` if a required column is missing, or if one that is needed stands there twice.
 */
export function readHeader(file: string, line: string, source: Pick<Source, 'columns'>): Header {
  const header = matchHeader(line, source)
  const { missing, twice, names } = header
  if (twice !== undefined)
    throw new Failure('input_refused', `${file}: the column ${twice} stands in the header twice: keep one`)
  if (missing.length > 0)
    throw new Failure(
      'input_refused',
      `${file} lacks the ${missing.length > 1 ? 'columns' : 'column'} ${missing.map(wanted).join(', ')}: its first line must name them, and names ${found(names)}`,
    )
  return header
}

/** A header line as far as it fits: the required columns that are missing, and one that is needed and not unique. */
export interface Match extends Header {
  readonly missing: readonly RawColumn[]
  readonly twice?: string
}

export function matchHeader(line: string, { columns }: Pick<Source, 'columns'>): Match {
  const delimiter = delimiterOf(line)
  const names = fieldsOf(line, delimiter)
  const keys = names.map(name => name.toLowerCase().replace(/\s+/g, ' '))
  const positions = new Map<string, number>()
  let twice: string | undefined
  for (const column of columns) {
    const [match, place] = firstOf(column.accepted, name => placeOf(name, keys)) ?? []
    if (match === undefined || place === undefined) continue
    if (!match.includes('#') && keys.indexOf(match) !== keys.lastIndexOf(match)) twice ??= match
    positions.set(column.name, place)
  }
  const used = new Set(positions.values())
  const rest = names.flatMap((name, place) => (name === '' || used.has(place) ? [] : [place]))
  for (const { name, accepted } of columns) {
    const [only] = rest
    if (positions.has(name) || !accepted.includes('*') || rest.length !== 1 || only === undefined) continue
    positions.set(name, only)
    rest.pop()
  }
  const missing = columns.filter(column => column.required && !positions.has(column.name))
  const unused = rest.map(place => names[place] ?? '')
  return { delimiter, width: names.length, positions, unused, names, missing, ...(twice && { twice }) }
}

/** The first value that there is, with what it is of. */
function firstOf<T, U>(all: readonly T[], value: (each: T) => U | undefined): [T, U] | undefined {
  for (const each of all) {
    const found = value(each)
    if (found !== undefined) return [each, found]
  }
  return undefined
}

/** Where a column stands: the first of that name, or the one of them that `#2` counts to. */
function placeOf(name: string, keys: readonly string[]): number | undefined {
  const [, bare = name, number = '1'] = /^(.+)#(\d+)$/.exec(name) ?? []
  return keys.flatMap((key, place) => (key === bare ? [place] : []))[Number(number) - 1]
}

function wanted({ accepted: [name, ...others] }: RawColumn): string {
  return others.length === 0 ? `${name}` : `${name} (or ${others.join(', ')})`
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

/** The fields of a header line, without blanks and quotes around them. */
function fieldsOf(line: string, delimiter: Delimiter): string[] {
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
