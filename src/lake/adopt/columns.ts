import { literal, text } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import type { Column, Dataset } from '../store/datasets.ts'
import { identifier } from '../store/sorted-files.ts'

/** The source of the values of one of the dataset's columns. */
export interface ColumnSource {
  readonly column: Column
  /** SQL over the file's rows, of the type `type`. */
  readonly expression: string
  readonly type: string
}

/** NULL in a folder name, as written by Hive and Spark. */
const HIVE_NULL = '__HIVE_DEFAULT_PARTITION__'

/**
 * Matches the columns of a foreign file with those of the dataset. A column that the file lacks may be in a folder name
 * (`date=2024-01-03`). Throws input_refused with file, column, expected and found.
 */
export function matchColumns(
  dataset: Dataset,
  name: string,
  found: readonly { name: string; type: string }[],
): ColumnSource[] {
  const inFolders = new Map(
    name
      .split('/')
      .flatMap(part => [/^([^=]+)=(.*)$/.exec(part)])
      .flatMap(match => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']])),
  )
  const sources = dataset.columns.map((column): ColumnSource => {
    const own = found.find(each => each.name.toLowerCase() === column.name)
    if (own !== undefined) return { column, expression: identifier(own.name), type: own.type }
    const inFolder = inFolders.get(column.name)
    if (inFolder === undefined)
      throw new Failure(
        'input_refused',
        `${name}: column ${column.name}: expected ${column.type}, found none`,
      )
    const value = inFolder === HIVE_NULL ? 'NULL::VARCHAR' : literal(text(unescaped(inFolder)))
    return { column, expression: value, type: 'VARCHAR' }
  })
  const stray = found.find(each => !dataset.columns.some(({ name }) => name === each.name.toLowerCase()))
  if (stray !== undefined)
    throw new Failure(
      'input_refused',
      `${name}: column ${stray.name}: ${dataset.name} has no such column, found ${stray.type}`,
    )
  return sources
}

/** Decodes the `%XX` of special characters in a folder name. Invalid escapes are taken literally. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Whether the file can be served in place: it has every column of the dataset with the same name and type. */
export const isCanonical = (sources: readonly ColumnSource[]) =>
  sources.every(
    ({ column, expression, type }) => type === column.type && expression === identifier(column.name),
  )

/** A SELECT list that converts a foreign file's columns to those of the dataset. */
export const converted = (sources: readonly ColumnSource[]) =>
  sources
    .map(
      ({ column, expression }) => `TRY_CAST(${expression} AS ${column.type}) AS ${identifier(column.name)}`,
    )
    .join(', ')

/** Aggregates, one per column to convert, that count the values which a round trip through its type changes. */
export const losses = (sources: readonly ColumnSource[]) =>
  sources
    .filter(({ column, type }) => type !== column.type)
    .map(
      ({ column, expression, type }) =>
        `count(*) FILTER (TRY_CAST(TRY_CAST(${expression} AS ${column.type}) AS ${type}) IS DISTINCT FROM ${expression}) AS ${identifier(column.name)}`,
    )
