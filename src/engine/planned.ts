import {
  type DuckDBConnection,
  DuckDBPendingResultState,
  type DuckDBPreparedStatement,
  DuckDBTypeId,
} from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Bindings, type Bound, literal } from './bind.ts'
import { prepareOwn, prepareSelect } from './sandbox/gate.ts'
import { replaceParameters } from './template.ts'

/**
 * Statements that DuckDB plans once. It plans a statement with a parameter anew at every run, even a prepared one, and for
 * many templates planning takes most of the time. Here the values that differ from request to request come from a variable of
 * the connection, as do all texts that are not plain words, and all others are literals, so that the statement has no parameters.
 *
 * The statement must read native tables only: one that reads Parquet files is planned at every run in any case.
 */
export interface PlannedStatements {
  /** The statement, ready to run; null if the query must be prepared with parameters. */
  prepare(
    sql: string,
    bindings: Bindings,
    values: ReadonlySet<string>,
  ): Promise<DuckDBPreparedStatement | null>
  /** Drops the statements whose SQL contains this text. */
  forget(text: string): void
  close(): void
}

/**
 * Statements that a connection keeps. Each one also keeps what its last run had in memory, such as sorted rows: half a MiB
 * for a small answer, some MiB for 50 wide rows.
 */
export const PLANNED_MAX = 16
/** SQL texts whose uses are counted. */
const TEXTS_MAX = 1024
/** A statement is planned when its text comes for the second time: most texts with a rare literal come once. */
const USES_BEFORE = 2
/** Values of one statement; each is read by a subquery, which costs a fraction of a millisecond. */
const VALUES_MAX = 12

/** So many steps to set a variable at most; it takes nine. */
const TASKS_MAX = 64

/** How often texts were prepared. Connections count together: one of them runs a text for the second time. */
export type Uses = LRUCache<string, number>

export const countUses = (): Uses => new LRUCache({ max: TEXTS_MAX })

/** The planned statements of one connection. */
export function openPlanned(connection: DuckDBConnection, uses = countUses()): PlannedStatements {
  const kept = new LRUCache<string, DuckDBPreparedStatement>({
    max: PLANNED_MAX,
    dispose: statement => statement.destroySync(),
  })
  let setting: DuckDBPreparedStatement | null = null

  async function plan(sql: string): Promise<DuckDBPreparedStatement | null> {
    try {
      return await prepareSelect(connection, sql)
    } catch {
      // Not every place of a parameter can hold a subquery.
      return null
    }
  }

  async function set(values: readonly string[]): Promise<void> {
    setting ??= await prepareOwn(connection, 'values', `SET VARIABLE ${VALUES} = $1`)
    setting.bindVarchar(1, JSON.stringify(values))
    await runHere(setting)
  }

  return {
    async prepare(sql, bindings, names) {
      const filled = fill(sql, bindings, names)
      if (filled === null) return null
      const used = (uses.get(filled.sql) ?? 0) + 1
      uses.set(filled.sql, used)
      if (used < USES_BEFORE) return null
      const statement = kept.get(filled.sql) ?? (await plan(filled.sql))
      if (statement === null) {
        uses.set(filled.sql, Number.NEGATIVE_INFINITY)
        return null
      }
      kept.set(filled.sql, statement)
      if (filled.values.length > 0) await set(filled.values)
      return statement
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

/**
 * Runs a statement that takes a fraction of a millisecond in this thread: to wake another thread for it, and to be woken by
 * that, takes longer, the more so if all processors are busy. The connection's next statement ends it.
 */
async function runHere(statement: DuckDBPreparedStatement): Promise<void> {
  const pending = statement.start()
  for (let task = 0; task < TASKS_MAX; task += 1)
    if (pending.runTask() === DuckDBPendingResultState.RESULT_READY) return
  // Some of it waits for another thread.
  await pending.getResult()
}

/** The variable of a connection with the texts of the values of its request, as a JSON array. */
const VALUES = 'request_values'

/** Rows to return at most: DuckDB keeps only so many while it sorts, if the number is a literal. */
const LIMITS: ReadonlySet<string> = new Set(['limit', 'offset', 'page_rows'])

/** A query without parameters, and the texts of the values that it reads from the variable; null if there are too many. */
function fill(sql: string, bindings: Bindings, names: ReadonlySet<string>) {
  const values: string[] = []
  const places = new Map<string, string>()
  const filled = replaceParameters(sql, name => {
    const bound = bindings[name]
    if (bound === undefined || bound.value === null) return 'NULL'
    if (LIMITS.has(name)) return literal(bound)
    const text = textOf(bound)
    if (PLAIN.test(text) && !(names.has(name) && isOfMany(bound))) return literal(bound)
    const place = places.get(name) ?? subquery(values.length, bound)
    if (!places.has(name)) values.push(text)
    places.set(name, place)
    return place
  })
  return values.length > VALUES_MAX ? null : { sql: filled, values }
}

/** Texts that may become literals. Any other text, which only a client can have sent, never becomes SQL. */
const PLAIN = /^[\w .:+-]*$/

/** The text of a value, which a cast to its type reads; of a list, as JSON. */
const textOf = ({ value }: Bound) =>
  isList(value)
    ? JSON.stringify(value.items.map(item => (item === null ? null : String(item))))
    : String(value)

/**
 * Reads a value when the statement runs. DuckDB writes what `getvariable` returns into a plan, as it does with what it knows
 * of a column, such as its least value, and does not plan again when that changes. A table function is called at each run.
 */
const subquery = (index: number, { type, value }: Bound) =>
  `(SELECT (value::JSON->>${index})${isList(value) ? '::JSON' : ''}::${type} FROM duckdb_variables() WHERE name = '${VALUES}')`

/** Whether requests have many values of this type. Of dates and truths they have few. */
const isOfMany = ({ type }: Bound) =>
  type.typeId !== DuckDBTypeId.DATE && type.typeId !== DuckDBTypeId.BOOLEAN

const isList = (value: Bound['value']): value is Extract<Bound['value'], { items: unknown }> =>
  typeof value === 'object' && value !== null && 'items' in value
