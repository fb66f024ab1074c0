import { resources } from '../../engine/resources.ts'
import { type Input, parseReads } from '../store/derivation.ts'
import { sqlHeader } from '../store/sql-header.ts'

/** A search of a check: one SELECT over the days of a dataset. */
export interface Search {
  /** The dataset whose days are searched, or `held_days`: the number of rows of each day, by dataset. */
  readonly finds: string
  /** Inputs without which there is nothing to search. */
  readonly reads: readonly Input[]
  /** Inputs that may be empty. */
  readonly joins: readonly Input[]
  /**
   * Returns the findings of the days from `$from` to `$to`: date, ticker, value and reason, and for `held_days` also
   * the dataset.
   */
  readonly sql: string
}

/** What `tapehouse audit` looks for, defined in `sql/audit/<name>.sql`. */
export interface Check {
  readonly name: string
  readonly summary: string
  /** What is no finding, and why, in paragraphs. */
  readonly tolerances: readonly string[]
  /** The most days that one statement searches. */
  readonly run: number
  readonly searches: readonly Search[]
}

const FOLDER = 'sql/audit'

/** The dataset name of searches that read the table of days instead of files. */
export const HELD_DAYS = 'held_days'

/**
 * Parses a check: `-- name: summary`, lines `-- tolerance:`, `-- run: N`, then searches, each from a line `-- finds:`
 * on, with a line `-- reads:` or `-- joins:` per input. Throws an Error that names the file if a line is wrong.
 */
export function parseCheck(name: string, sql: string): Check {
  const file = `${FOLDER}/${name}.sql`
  const [head = '', ...parts] = sql.split(/^(?=-- finds: )/m)
  // A line that begins with two blanks after the dashes continues the line above.
  const { values, only, wrong } = sqlHeader(file, head.replaceAll(/\n-- {3}/g, ' '))
  const run = Number(only('run'))
  if (!Number.isSafeInteger(run) || run < 1) throw wrong('expected a whole number of days in "-- run: …"')
  const tolerances = values('tolerance')
  if (tolerances.length === 0) throw wrong('expected "-- tolerance: …": what is no finding, and why')
  if (parts.length === 0) throw wrong('expected "-- finds: …" and a SELECT')
  return { name, summary: only(name), tolerances, run, searches: parts.map(part => parseSearch(file, part)) }
}

function parseSearch(file: string, sql: string): Search {
  const header = sqlHeader(file, sql)
  const finds = header.only('finds')
  const reads = parseReads(header)
  if (finds !== HELD_DAYS && !reads.some(({ dataset }) => dataset.name === finds))
    throw header.wrong(`expected a line "-- reads: ${finds} …" after "-- finds: ${finds}"`)
  const joins = parseReads({ values: () => header.values('joins'), wrong: header.wrong })
  return { finds, reads, joins, sql }
}

/** Every check, by name. */
export const checks = (): Check[] =>
  resources
    .list(FOLDER)
    .filter(name => name.endsWith('.sql'))
    .map(name => parseCheck(name.slice(0, -'.sql'.length), resources.read(`${FOLDER}/${name}`)))
