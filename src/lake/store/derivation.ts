import { createHash } from 'node:crypto'
import { macrosUsed } from '../../engine/macros.ts'
import { type Dataset, dataset } from './datasets.ts'
import { sqlFiles } from './sql-files.ts'
import { type SqlHeader, sqlHeader } from './sql-header.ts'

/** The dates of an input that may influence a day of the derived dataset. */
export type Reach =
  | { readonly kind: 'day' }
  /** The last `count` dates of the input before the day, and the day itself. */
  | { readonly kind: 'dates'; readonly count: number }
  /** The `count` calendar days before the day, and the day itself. */
  | { readonly kind: 'days'; readonly count: number }
  /** Every date up to and including the day. */
  | { readonly kind: 'before' }
  /** Every date. */
  | { readonly kind: 'all' }

/** One input of a derivation. If it is the derived dataset itself, only earlier days are read. */
export interface Input {
  readonly dataset: Dataset
  readonly reach: Reach
}

/** How one dataset is computed from others, defined in `sql/derive/<name>.sql`. */
export interface Derivation {
  readonly dataset: Dataset
  readonly summary: string
  /** The datasets whose dates are the days of this one. */
  readonly days: readonly Dataset[]
  /** How many days one statement computes, or more if they have few rows. 1: each day needs the rows of the day before. */
  readonly run: number
  readonly reads: readonly Input[]
  /** One SELECT of the dataset's columns, but for computed ones, for the days from `$from` to `$to`. */
  readonly sql: string
  /** Hash of the SQL, of that of computed columns, of the macros that they call, and of the dataset's columns. */
  readonly hash: string
}

const FOLDER = 'sql/derive'
const READS = /^([a-z0-9_]+) (?:(on the day)|(all before)|(all)|(\d+) (date|day)s? before)$/

/**
 * Parses a derivation: `-- name: summary`, `-- days: dataset, dataset`, `-- run: N`, then one line `-- reads:` per
 * input. Throws an Error that names the file if a line is wrong.
 */
export function parseDerivation(name: string, sql: string): Derivation {
  const { values, only, wrong } = sqlHeader(`${FOLDER}/${name}.sql`, sql)
  const run = Number(only('run'))
  if (!Number.isSafeInteger(run) || run < 1) throw wrong('expected a whole number of days in "-- run: …"')
  const reads = parseReads({ values, wrong })
  const twice = reads.find((each, index) => reads.findIndex(other => other.dataset === each.dataset) < index)
  if (reads.length === 0 || twice) throw wrong('expected one line "-- reads: …" for each input')
  const own = dataset(name)
  const whole = own.computed === null ? sql : `${sql}\n${own.computed.sql}`
  let hash: string | undefined
  return {
    dataset: own,
    summary: only(name),
    days: only('days').split(', ').map(dataset),
    run,
    reads,
    sql,
    get hash() {
      hash ??= createHash('sha256')
        .update([...macrosUsed(whole).map(macro => macro.sql), whole].join('\n\n'))
        .update(own.schemaHash)
        .digest('hex')
      return hash
    },
  }
}

/** Parses the lines `-- reads:` of a header: an input and its window per line. Throws an Error that names the file. */
export function parseReads({ values, wrong }: Pick<SqlHeader, 'values' | 'wrong'>): Input[] {
  return values('reads').map(value => {
    const [, input, day, before, all, count, unit] = READS.exec(value) ?? []
    if (input === undefined)
      throw wrong(
        `expected "on the day", "N dates before", "N days before", "all before" or "all", found "${value}"`,
      )
    const reach: Reach = day
      ? { kind: 'day' }
      : before
        ? { kind: 'before' }
        : all
          ? { kind: 'all' }
          : { kind: unit === 'date' ? 'dates' : 'days', count: Number(count) }
    return { dataset: dataset(input), reach }
  })
}

const files = sqlFiles(FOLDER, (file, sql) =>
  parseDerivation(file.slice(FOLDER.length + 1, -'.sql'.length), sql),
)
let known: ReadonlyMap<string, Derivation> | undefined

/** Every derivation by its dataset's name, each after those that it reads. */
export function derivations(): ReadonlyMap<string, Derivation> {
  known ??= inOrder([...files.names()].flatMap(name => findDerivation(name) ?? []))
  return known
}

/** The derivation of a dataset; undefined if the dataset is not derived. */
export const findDerivation = (name: string): Derivation | undefined => files.find(name)

/** Sorts derivations so that each is after its inputs. Throws an Error if they form a circle. */
export function inOrder(all: readonly Derivation[]): ReadonlyMap<string, Derivation> {
  const sorted = new Map<string, Derivation>()
  const waiting = new Map(all.map(each => [each.dataset.name, each]))
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(each =>
      inputsOf(each).every(({ name }) => name === each.dataset.name || !waiting.has(name)),
    )
    if (ready.length === 0)
      throw new Error(`${FOLDER}: ${[...waiting.keys()].join(', ')} depend on each other`)
    for (const each of ready) {
      sorted.set(each.dataset.name, each)
      waiting.delete(each.dataset.name)
    }
  }
  return sorted
}

/** All datasets that a derivation depends on, each once. */
export const inputsOf = ({ days, reads }: Derivation): Dataset[] => [
  ...new Set([...days, ...reads.map(each => each.dataset)]),
]

/**
 * The datasets whose rows of a day show whether a dataset is complete for it. For an imported dataset, itself. For a
 * derived one, whose rows may be carried over from earlier days, what it is computed from on the day. Where several
 * datasets supply the days of a derived one that carries no rows over, a row comes from one of them, so that its own
 * rows count.
 */
export function sourcesOfDay(name: string): readonly string[] {
  const derivation = findDerivation(name)
  if (derivation === undefined) return [name]
  const carriesRows = derivation.reads.some(each => each.dataset.name === name && each.reach.kind === 'dates')
  if (derivation.days.length > 1 && !carriesRows) return [name]
  const onTheDay = derivation.reads.filter(({ reach }) => reach.kind === 'day').map(each => each.dataset)
  const inputs = new Set([...derivation.days, ...onTheDay].map(each => each.name))
  return [...new Set([...inputs].flatMap(sourcesOfDay))]
}
