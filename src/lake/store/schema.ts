import type { ComputedColumns } from '../../engine/computed-columns.ts'
import { contentHash } from './content.ts'

export type Unit = 'day' | 'month' | 'year'

export interface Column {
  readonly name: string
  /** As DuckDB writes it but without spaces after commas: `DECIMAL(18,6)`. */
  readonly type: string
  readonly nullable: boolean
  /** Meaning and unit. */
  readonly comment: string
  /** The version that added it to the dataset: files of earlier versions lack it. Null if it was always there. */
  readonly since: string | null
}

/** The schema of one dataset, defined in `sql/schema/<name>.sql`. */
export interface Dataset {
  readonly name: string
  readonly summary: string
  readonly columns: readonly Column[]
  /** The columns that identify a row. A later row with the same key replaces an earlier one. */
  readonly key: readonly string[]
  /** Order of the rows within a partition. */
  readonly sort: readonly string[]
  /** VARCHAR and UUID columns whose least and greatest value is recorded per file, so that lookups can skip files. */
  readonly ranges: readonly string[]
  /** Units from fine to coarse, none if one partition holds all rows, and the DATE column that partitions them. */
  readonly partition: { readonly units: readonly Unit[]; readonly column: string }
  /** When a row became known: SQL for a DATE, known by 20:00 New York on that day, or a TIMESTAMP in UTC; NULL: never. */
  readonly known: { readonly sql: string; readonly exactness: string }
  readonly createSql: string
  /** The columns that are computed from the others of their row, defined in `sql/columns/<name>.sql`; null if there are none. */
  readonly computed: ComputedColumns | null
  /** Hash of the columns' names and types, without comments and nullability. Files with the same hash read alike. */
  readonly schemaHash: string
  /** The columns of this and of all earlier versions, by their hash: manifests of format 1 state only the hash. */
  readonly versions: ReadonlyMap<string, readonly Column[]>
}

const UNITS: readonly Unit[] = ['day', 'month', 'year']
const COLUMN =
  /^ {2}([a-z][a-z0-9_]*) ([A-Z]+(?:\(\d+, \d+\))?(?:\[\])*)( NOT NULL)?(,?) +-- (?:since (\d+\.\d+\.\d+): )?(\S.*)$/

/**
 * Parses a schema file: six header lines (`-- name: summary`, `-- partition:`, `-- key:`, `-- sort:`, `-- ranges:`,
 * `-- known:`), `CREATE TABLE name (`, one column with a comment per line, `);`. Throws an Error that names file and line for any
 * other line.
 */
export function parseSchema(file: string, sql: string, computed: ComputedColumns | null = null): Dataset {
  const lines = sql.replace(/\n$/, '').split('\n')
  const wrong = (index: number, problem: string) => new Error(`${file}:${index + 1}: ${problem}`)
  const header = (index: number, label: string) => {
    const line = lines[index] ?? ''
    const start = `-- ${label}: `
    if (!line.startsWith(start) || line === start) throw wrong(index, `expected "${start}…", found "${line}"`)
    return line.slice(start.length)
  }

  const name = file.replace(/^.*\//, '').replace(/\.sql$/, '')
  const summary = header(0, name)
  const [units = '', column = '', ...rest] = header(1, 'partition').split(' by ')
  const partition = { units: units === 'none' ? [] : (units.split(', ') as Unit[]), column }
  const known = UNITS.filter(unit => partition.units.includes(unit))
  if (rest.length > 0 || known.join() !== partition.units.join())
    throw wrong(
      1,
      'expected "none", or units of day, month, year from fine to coarse, then "by" and a column',
    )

  const key = header(2, 'key').split(', ')
  const sort = header(3, 'sort').split(', ')
  const ranges = header(4, 'ranges').split(', ')
  const [rule = '', ...exactness] = header(5, 'known').split('; ')
  if (exactness.length === 0) throw wrong(5, 'expected SQL, then "; " and how exact it is')

  if (lines[6] !== `CREATE TABLE ${name} (`) throw wrong(6, `expected "CREATE TABLE ${name} ("`)
  const last = lines.length - 1
  if (lines[last] !== ');') throw wrong(last, 'expected ");" as the last line')
  const columns = lines.slice(7, last).map((line, offset): Column => {
    const [, column, type, required, comma, since = null, comment] = COLUMN.exec(line) ?? []
    if (column === undefined || type === undefined || comment === undefined)
      throw wrong(7 + offset, 'expected "  name TYPE [NOT NULL],  -- [since X.Y.Z: ]comment"')
    if (since !== null && required !== undefined)
      throw wrong(7 + offset, `files written before ${since} lack "${column}", so it cannot be NOT NULL`)
    if ((comma === ',') === (7 + offset === last - 1))
      throw wrong(7 + offset, 'a comma belongs after every column but the last')
    return {
      name: column,
      type: type.replaceAll(', ', ','),
      nullable: required === undefined,
      comment,
      since,
    }
  })

  const named = new Map(columns.map(each => [each.name, each]))
  if (named.size !== columns.length) throw wrong(6, 'a column is defined twice')
  const check = (index: number, names: readonly string[], fits: (column: Column) => boolean, be: string) => {
    const stray = names.find(each => {
      const found = named.get(each)
      return found === undefined || !fits(found)
    })
    if (stray !== undefined) throw wrong(index, `"${stray}" must be a column${be}`)
  }
  check(1, [partition.column], each => each.type === 'DATE' && !each.nullable, ', a DATE NOT NULL')
  check(2, key, each => !each.nullable, ' that is NOT NULL')
  check(3, sort, () => true, '')
  check(0, computed?.names ?? [], each => each.nullable, ' that can be NULL')
  check(4, ranges, each => each.type === 'VARCHAR' || each.type === 'UUID', ', a VARCHAR or a UUID')

  let schemaHash: string | undefined
  let versions: ReadonlyMap<string, readonly Column[]> | undefined
  return {
    name,
    summary,
    columns,
    key,
    sort,
    ranges,
    partition,
    known: { sql: rule, exactness: exactness.join('; ') },
    createSql: lines.slice(6).join('\n'),
    computed,
    get schemaHash() {
      schemaHash ??= hashOf(columns)
      return schemaHash
    },
    get versions() {
      versions ??= new Map(versionsOf(columns).map(each => [hashOf(each), each]))
      return versions
    },
  }
}

const hashOf = (columns: readonly Column[]) =>
  contentHash(columns.map(({ name, type }) => `${name} ${type}`).join('\n'))

/** The columns of each version of a dataset: without those that were added later. */
function versionsOf(columns: readonly Column[]): Column[][] {
  const added = [...new Set(columns.map(({ since }) => since ?? ''))].toSorted(compareVersions)
  return added.map(version => columns.filter(({ since }) => compareVersions(since ?? '', version) <= 0))
}

/** Orders versions such as 0.10.0 by their numbers; the empty text comes first. */
function compareVersions(one: string, other: string): number {
  const numbers = (version: string) => (version === '' ? [-1, -1, -1] : version.split('.').map(Number))
  const right = numbers(other)
  return numbers(one).reduce((found, number, place) => found || number - (right[place] ?? 0), 0)
}
