import { type Layout, listed } from './layout.ts'
import { textAt, textOf, valuesAt } from './path.ts'

/** The rows of a JSON document: names of columns, and records of fields. */
export interface JsonTable {
  readonly names: readonly string[]
  readonly records: readonly (readonly (string | null)[])[]
  /** The JSON of the first row. */
  readonly first: string
}

/** Whether a column is not a member of the rows. */
export const isAdded = (name: string) => name === 'key' || name === 'rows' || name.startsWith('*.')

export type Row = ReadonlyMap<string, string | null>

/**
 * The rows of a document as a layout describes them; null if the document has none there. Members of members have names with
 * dots (`mid.o`, `quote[0].open`), lists within a row are JSON text. Each row also has `key`, the name of the member that it
 * is, or that `*` in the path stands for, `rows`, the last name of the path, and `*.name` for each scalar member `name` of
 * what `*` stands for.
 */
export function jsonTable(document: unknown, { file }: Layout): JsonTable | null {
  const rows: Row[] = []
  let first: string | undefined
  for (const path of file.rows === undefined ? ['$'] : listed(file.rows))
    for (const { value, key, member } of valuesAt(document, path)) {
      const found = rowsIn(value, file.shape ?? 'objects', file.names ?? [])
      if (found === null) continue
      first ??= JSON.stringify(Object.values(value as object)[0] ?? null)
      const last = lastName(path)
      const around = scalarsOf(member)
      for (const row of found) rows.push(new Map([['key', key], ['rows', last], ...around, ...row]))
    }
  if (first === undefined) return null
  const names = [...new Set(rows.flatMap(row => [...row.keys()]))]
  return { names, records: rows.map(row => names.map(name => row.get(name) ?? null)), first }
}

/** The row of one element or member; null if it has another shape. */
export function rowOf(value: unknown, { file }: Layout): Row | null {
  const isList = Array.isArray(value)
  if (file.shape === 'keyed') return new Map(leavesOf(value))
  if (isList !== (file.shape === 'arrays') || isScalar(value)) return null
  return new Map(isList ? listOf(value, file.names ?? []) : leavesOf(value))
}

const listOf = (row: readonly unknown[], names: readonly string[]) =>
  names.map((name, place): [string, string | null] => [name, textOf(row[place])])

/** The last name of a path. */
export const lastName = (path: string) => /([^.[\]"]+)["\]]*$/.exec(path)?.[1] ?? null

function rowsIn(value: unknown, shape: string, names: readonly string[]): Row[] | null {
  if (typeof value !== 'object' || value === null) return null
  if (shape === 'columns') return columnRows(value)
  if (shape === 'keyed')
    return Array.isArray(value)
      ? null
      : Object.entries(value).map(([key, member]) => new Map([['key', key], ...leavesOf(member)]))
  if (!Array.isArray(value)) return null
  if (shape === 'arrays')
    return value.every(Array.isArray) ? value.map(row => new Map(listOf(row, names))) : null
  return value.every(row => typeof row === 'object' && row !== null && !Array.isArray(row))
    ? value.map(row => new Map(leavesOf(row)))
    : null
}

/** The rows of an object whose members are the columns: its arrays of the most frequent length. */
function columnRows(value: object): Row[] | null {
  const columns = arraysOf(value)
  const lengths = columns.map(([, each]) => each.length)
  const often = (length: number) => lengths.filter(each => each === length).length
  const [length = 0] = lengths.toSorted((one, other) => often(other) - often(one) || other - one)
  const whole = columns.filter(([, each]) => each.length === length && each.every(isScalar))
  if (whole.length === 0) return null
  return Array.from(
    { length },
    (_, place) => new Map(whole.map(([name, each]) => [name, textOf(each[place])])),
  )
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null

/** The scalar members of the object that `*` stands for, by their names after `*`. */
const scalarsOf = (member: unknown): [string, string | null][] =>
  isScalar(member) || Array.isArray(member)
    ? []
    : Object.entries(member as object).flatMap(([name, each]) =>
        isScalar(each) ? [[`*.${name}`, textOf(each)]] : [],
      )

/** The members of an object that are not objects, by their path. A value that is none has the name `value`. */
function leavesOf(value: unknown, path = ''): [string, string | null][] {
  if (isScalar(value) || Array.isArray(value)) return [[path === '' ? 'value' : path, textOf(value)]]
  return Object.entries(value as object).flatMap(([name, member]) =>
    leavesOf(member, path === '' ? name : `${path}.${name}`),
  )
}

/** The arrays of scalars within a value, by their path. */
function arraysOf(value: unknown, path = ''): [string, readonly unknown[]][] {
  if (isScalar(value)) return []
  if (Array.isArray(value) && value.every(isScalar)) return [[path, value]]
  return Object.entries(value as object).flatMap(([name, member]) => {
    const step = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`
    return arraysOf(member, `${path}${step}`)
  })
}

/** The values of the first row, by column. */
export const rowIn =
  ({ names, records: [first = []] }: JsonTable) =>
  (name: string) =>
    first[names.indexOf(name)] ?? null

/** The values of a document outside its rows, for the paths of rules. */
export const valueIn = (document: unknown) => (path: string) => textAt(document, path)
