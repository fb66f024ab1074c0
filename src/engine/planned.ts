import { type DuckDBConnection, type DuckDBPreparedStatement, DuckDBTypeId } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Bindings, type Bound, bindAll, literal } from './bind.ts'
import { onceForText } from './cut.ts'
import { overAnyTable } from './native-table.ts'
import { runHere } from './running/here.ts'
import { prepareExplain, prepareOwn, prepareSelect } from './sandbox/gate.ts'
import { replaceParameters } from './template.ts'

/**
 * Statements that DuckDB plans once. It plans a statement with a parameter anew at every run, even a prepared one, and for
 * many templates planning takes most of the time. Here the values that differ from request to request come from a variable of
 * the connection, as do all texts that are not plain words, and all others are literals, so that the statement has no parameters.
 *
 * The statement must read native tables only: one that reads Parquet files is planned at every run in any case.
 */
export interface PlannedStatements {
  /**
   * The statement, ready to run; null if the query is better prepared with parameters. `text` is what the SQL was made
   * from, before the names of tables and the values. If the tables have few rows (`ofFewRows`), no value is joined by a hash table.
   */
  prepare(
    sql: string,
    bindings: Bindings,
    values: ReadonlySet<string>,
    options?: { readonly text?: string; readonly ofFewRows?: boolean },
  ): Promise<DuckDBPreparedStatement | null>
  /** Whether a statement that was made from this text is kept. */
  keeps(text: string): boolean
  /** The number of statements that are kept. */
  readonly size: number
  /** Drops the statements whose SQL contains this text. */
  forget(text: string): void
  close(): void
}

/**
 * Statements that a connection keeps. Each one also keeps what its last run had in memory, such as sorted rows: half a MiB
 * for a small answer, some MiB for 50 wide rows.
 */
const PLANNED_MAX = 16
/** SQL texts whose uses are counted. */
const TEXTS_MAX = 1024
/** A statement is planned when its text comes for the second time: most texts with a rare literal come once. */
const USES_BEFORE = 2
/** Values of one statement; each is read by a subquery, which costs a fraction of a millisecond. */
const VALUES_MAX = 12

/**
 * To set the variable and to read so many values takes longer than to plan a statement anew whose EXPLAIN takes less than this.
 * The unit is the time of setting the variable, so that it is the same on a slow machine. An EXPLAIN also writes its text.
 */
const shortPlanning = (values: number) => 3 + 1.5 * values
/** How often either is measured: any time may be longer. The least counts. */
const TIMES = 3
/** An EXPLAIN that takes longer for the first time, which is always the longest, is measured in another thread: others would wait in this one. */
const LONG_MS = 4

/** What connections know together, by text. */
export interface Known {
  /** How often texts were prepared: one connection runs a text for the second time that another has run first. */
  readonly uses: LRUCache<string, number>
  /**
   * The time of the EXPLAIN of statements with parameters, of a text, and of all that differ from it in their tables only. The
   * unit is the time of setting the variable.
   */
  readonly planning: LRUCache<string, number>
}

export const nothingKnown = (): Known => ({
  uses: new LRUCache({ max: TEXTS_MAX }),
  planning: new LRUCache({ max: TEXTS_MAX }),
})

interface Kept {
  readonly statement: DuckDBPreparedStatement
  readonly text: string
}

/** The planned statements of one connection. */
export function openPlanned(
  connection: DuckDBConnection,
  { uses, planning } = nothingKnown(),
): PlannedStatements {
  const kept = new LRUCache<string, Kept>({
    max: PLANNED_MAX,
    dispose: ({ statement, text }) => {
      statement.destroySync()
      keptOf.set(text, (keptOf.get(text) ?? 0) - 1)
      if (keptOf.get(text) === 0) keptOf.delete(text)
    },
  })
  /** The number of statements that are kept of each text. */
  const keptOf = new Map<string, number>()
  let setting: DuckDBPreparedStatement | null = null

  async function plan(sql: string): Promise<DuckDBPreparedStatement | null> {
    try {
      return await prepareSelect(connection, sql)
    } catch {
      // Not every place of a parameter can hold a subquery.
      return null
    }
  }

  /** The time of planning, in times of setting the variable: of a statement with parameters, which is planned again when it runs. */
  async function measure(sql: string, bindings: Bindings): Promise<number> {
    const statement = await prepareExplain(connection, sql)
    try {
      bindAll(statement, bindings)
      const elsewhere = () => statement.run()
      const isLong = (await msOf(elsewhere)) > LONG_MS
      const explainMs = await leastMs(isLong ? elsewhere : () => runHere(statement))
      return explainMs / (await leastMs(() => set([])))
    } finally {
      statement.destroySync()
    }
  }

  /** Whether a statement is planned in less time than it takes to set and to read so many values. */
  async function isPlannedFast(sql: string, bindings: Bindings, values: number): Promise<boolean> {
    const known = planning.get(sql)
    if (known !== undefined) return known < shortPlanning(values)
    // Each published day has tables of its own.
    const overAny = overAnyTable(sql)
    const measured = planning.get(overAny) ?? (await measure(sql, bindings).catch(() => null))
    // What fails here fails again where the statement itself is prepared, unless its request was canceled: nothing is known then.
    if (measured === null) return true
    planning.set(overAny, measured)
    planning.set(sql, measured)
    return measured < shortPlanning(values)
  }

  async function set(values: readonly string[]): Promise<void> {
    setting ??= await prepareOwn(connection, 'values', `SET VARIABLE ${VALUES} = $1`)
    setting.bindVarchar(1, JSON.stringify(values))
    await runHere(setting)
  }

  return {
    async prepare(sql, bindings, names, { text = sql, ofFewRows = false } = {}) {
      const query = fill(ofFewRows ? withoutHashJoins(sql) : sql, bindings, names)
      if (query === null) return null
      const used = (uses.get(query.sql) ?? 0) + 1
      uses.set(query.sql, used)
      if (used < USES_BEFORE) return null
      // Without values there is no variable to set.
      if (query.values.length > 0 && (await isPlannedFast(sql, bindings, query.values.length))) return null
      const statement = kept.get(query.sql)?.statement ?? (await plan(query.sql))
      if (statement === null) {
        uses.set(query.sql, Number.NEGATIVE_INFINITY)
        return null
      }
      if (!kept.has(query.sql)) {
        kept.set(query.sql, { statement, text })
        keptOf.set(text, (keptOf.get(text) ?? 0) + 1)
      }
      if (query.values.length > 0) await set(query.values)
      return statement
    },
    keeps: text => keptOf.has(text),
    get size() {
      return kept.size
    },
    forget(text) {
      for (const sql of [...kept.keys()]) if (sql.includes(text)) kept.delete(sql)
    },
    close() {
      kept.clear()
      setting?.destroySync()
    },
  }
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

async function leastMs(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES; time += 1) least = Math.min(least, await msOf(run))
  return least
}

// A condition that a column equals a parameter. It stands alone between the words around it: `a + b = $c` is none.
const EQUALITY =
  /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(?<=\b(?:WHERE|AND|OR)\s+|\()[a-z_]+(?:\.[a-z_]+)? = \$([a-z_]+)(?=\s+(?:AND|OR|GROUP|ORDER|LIMIT)\b|\s*(?:\)|$))/g

/**
 * A statement whose values are compared and not joined. DuckDB joins a column to the value that it equals by a hash table, unless
 * the comparison is a part of another one. Over few rows, it takes longer to make the hash table than to compare all rows.
 */
export const withoutHashJoins = (sql: string): string => compared(sql).sql

const compared = onceForText(sql => ({
  sql: sql.replace(EQUALITY, (matched: string, name?: string) =>
    name === undefined ? matched : `((${matched}) = true)`,
  ),
}))

/** The only variable of a connection: the texts of the values of its request, as a JSON array. */
const VALUES = 'request_values'

/** Rows to return at most: DuckDB keeps only so many while it sorts, if the number is a literal. */
const LIMITS: ReadonlySet<string> = new Set(['limit', 'offset', 'page_rows'])

/** A query without parameters, and the texts of the values that it reads from the variable; null if there are too many. */
function fill(sql: string, bindings: Bindings, names: ReadonlySet<string>) {
  const values: string[] = []
  const places = new Map<string, string>()
  const text = replaceParameters(sql, name => {
    const bound = bindings[name]
    if (bound === undefined || bound.value === null) return 'NULL'
    if (LIMITS.has(name)) return literal(bound)
    if (isPlain(bound) && !isOfMany(bound, names.has(name))) return literal(bound)
    const place = places.get(name) ?? subquery(values.length, bound)
    if (!places.has(name)) values.push(textOf(bound))
    places.set(name, place)
    return place
  })
  return values.length > VALUES_MAX ? null : { sql: text, values }
}

/** Texts that may become literals. Any other text, which only a client can have sent, never becomes SQL. */
const PLAIN = /^[\w .:+-]*$/

const isPlain = ({ value }: Bound) =>
  (isList(value) ? value.items : [value]).every(item => PLAIN.test(String(item)))

/** The text of a value, which a cast to its type reads. */
const textOf = ({ value }: Bound) =>
  isList(value) ? `[${value.items.map(itemText).join(',')}]` : String(value)

const itemText = (item: unknown) =>
  item === null ? 'NULL' : `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`

/**
 * Reads a value when the statement runs. DuckDB writes what `getvariable` returns into a plan, as it does with what it knows
 * of a column, such as its least value, and does not plan again when that changes. A table function is called at each run.
 * A list is read from its text outside of the subquery, whose single value is chosen by an aggregate: of a list, that is one with
 * a hash table of 2 MiB. A text is read once for all rows that are compared with it, but as JSON it would be read for each of them.
 */
const subquery = (index: number, { type, value }: Bound) =>
  isList(value)
    ? `((SELECT value::JSON->>${index} FROM duckdb_variables())::${type})`
    : `(SELECT (value::JSON->>${index})::${type} FROM duckdb_variables())`

/** Whether requests have many values like this one. Of dates and truths they have few. A parameter that `differs` is no choice. */
const isOfMany = ({ type, value, isOfFew = false }: Bound, differs: boolean) =>
  isList(value)
    ? !isOfFew && value.items.length > 0
    : differs && type.typeId !== DuckDBTypeId.DATE && type.typeId !== DuckDBTypeId.BOOLEAN

const isList = (value: Bound['value']): value is Extract<Bound['value'], { items: unknown }> =>
  typeof value === 'object' && value !== null && 'items' in value
