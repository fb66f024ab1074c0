import { createHash } from 'node:crypto'
import { macrosUsed } from '../../engine/macros.ts'
import { resources } from '../../engine/resources.ts'
import { type Dataset, dataset } from './datasets.ts'
import { sqlHeader } from './sql-header.ts'

/** Which dates of an input may influence a day of the derived dataset. */
export type Reach =
  | { readonly kind: 'day' }
  /** The last `count` dates before the day that the input holds, and the day itself. */
  | { readonly kind: 'dates'; readonly count: number }
  /** The `count` calendar days before the day, and the day itself. */
  | { readonly kind: 'days'; readonly count: number }
  /** Every date up to and with the day. */
  | { readonly kind: 'before' }
  /** Every date. */
  | { readonly kind: 'all' }

/** One input of a derivation. Of the derived dataset itself the day is never read, only what is before it. */
export interface Input {
  readonly dataset: Dataset
  readonly reach: Reach
}

/** How one dataset is computed from others; the whole of it stands in `sql/derive/<name>.sql`. */
export interface Derivation {
  readonly dataset: Dataset
  readonly summary: string
  /** The datasets of which each date makes a day of this one. */
  readonly days: readonly Dataset[]
  /** How many days one statement computes at most. */
  readonly run: number
  readonly reads: readonly Input[]
  /** One SELECT that answers the dataset's columns for the days from `$from` to `$to`. */
  readonly sql: string
  /** Hash of the SQL, with the macros that it calls, and of the columns that it fills. */
  readonly hash: string
}

const FOLDER = 'sql/derive'
const READS = /^([a-z0-9_]+) (?:(on the day)|(all before)|(all)|(\d+) (date|day)s? before)$/

/**
 * Reads a derivation: `-- name: summary`, `-- days: dataset, dataset`, `-- run: N`, then a line `-- reads:` for each
 * input. Whatever does not fit is an Error that names the file.
 */
export function parseDerivation(name: string, sql: string): Derivation {
  const { values, only, wrong } = sqlHeader(`${FOLDER}/${name}.sql`, sql)
  const run = Number(only('run'))
  if (!Number.isSafeInteger(run) || run < 1) throw wrong('expected a whole number of days in "-- run: …"')
  const reads = values('reads').map((value): Input => {
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
  const twice = reads.find((each, index) => reads.findIndex(other => other.dataset === each.dataset) < index)
  if (reads.length === 0 || twice) throw wrong('expected one line "-- reads: …" for each input')
  const own = dataset(name)
  return {
    dataset: own,
    summary: only(name),
    days: only('days').split(', ').map(dataset),
    run,
    reads,
    sql,
    hash: createHash('sha256')
      .update([...macrosUsed(sql).map(macro => macro.sql), sql].join('\n\n'))
      .update(own.schemaHash)
      .digest('hex'),
  }
}

let known: ReadonlyMap<string, Derivation> | undefined

/** Every derivation by its dataset's name, in an order in which each stands behind those that it reads. */
export function derivations(): ReadonlyMap<string, Derivation> {
  known ??= inOrder(
    resources
      .list(FOLDER)
      .filter(name => name.endsWith('.sql'))
      .map(name => name.slice(0, -'.sql'.length))
      .map(name => parseDerivation(name, resources.read(`${FOLDER}/${name}.sql`))),
  )
  return known
}

/** Sorts derivations so that inputs come first. Throws an Error where they need each other. */
export function inOrder(all: readonly Derivation[]): ReadonlyMap<string, Derivation> {
  const sorted = new Map<string, Derivation>()
  const waiting = new Map(all.map(each => [each.dataset.name, each]))
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(each =>
      inputsOf(each).every(({ name }) => name === each.dataset.name || !waiting.has(name)),
    )
    if (ready.length === 0) throw new Error(`${FOLDER}: ${[...waiting.keys()].join(', ')} need each other`)
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
