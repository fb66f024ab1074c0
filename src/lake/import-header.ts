import { Failure } from '../engine/failure.ts'
import type { ImportFormat, RawColumn } from './import-format.ts'
import { oneLine } from './import-inputs.ts'

export type Delimiter = ',' | ';' | '\t'

/** How the columns of one file stand to the raw columns of a format. */
export interface Header {
  readonly delimiter: Delimiter
  /** How many columns the file has. */
  readonly width: number
  /** Raw column → position in the file; a raw column that the file lacks is not in it. */
  readonly positions: ReadonlyMap<string, number>
  /** Names of the file's columns that no raw column takes, as they are written there. */
  readonly unused: readonly string[]
}

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t']
const NAMES_SHOWN = 12
const NAME_CHARACTERS_SHOWN = 40

/**
 * Reads a file's first line. Names match in any case and order, with blanks and quotes around them. Throws Failure
 * `input_refused` if a required column is missing, or if one that is needed stands there twice.
 */
export function readHeader(file: string, line: string, format: ImportFormat): Header {
  const delimiter = delimiterOf(line)
  const names = fieldsOf(line, delimiter)
  const keys = names.map(name => name.toLowerCase().replace(/\s+/g, ' '))
  const positions = new Map<string, number>()
  for (const column of format.columns) {
    const match = column.accepted.find(name => keys.includes(name))
    if (match === undefined) continue
    if (keys.indexOf(match) !== keys.lastIndexOf(match))
      throw new Failure('input_refused', `${file}: the column ${match} stands in the header twice: keep one`)
    positions.set(column.name, keys.indexOf(match))
  }

  const missing = format.columns.filter(column => column.required && !positions.has(column.name))
  if (missing.length > 0)
    throw new Failure(
      'input_refused',
      `${file} lacks the ${missing.length > 1 ? 'columns' : 'column'} ${missing.map(wanted).join(', ')}: its first line must name them, and names ${found(names)}`,
    )
  const used = new Set(positions.values())
  const unused = names.filter((name, position) => name !== '' && !used.has(position))
  return { delimiter, width: names.length, positions, unused }
}

function wanted({ accepted: [name, ...others] }: RawColumn): string {
  return others.length === 0 ? `${name}` : `${name} (or ${others.join(', ')})`
}

function found(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map(name => oneLine(name.slice(0, NAME_CHARACTERS_SHOWN)))
  return `${shown.join(', ')}${names.length > NAMES_SHOWN ? ', …' : ''}`
}

/** The delimiter that the header uses most; the comma if it uses none. */
function delimiterOf(line: string): Delimiter {
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
