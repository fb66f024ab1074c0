import { type DuckDBConnection, type DuckDBPreparedStatement, DuckDBTypeId } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Bindings, type Bound, literal } from './bind.ts'
import { prepareOwn, prepareSelect, runOwn } from './sandbox/gate.ts'
import { replaceParameters } from './template.ts'

/**
 * Statements that DuckDB plans once. It plans a statement with a parameter anew at every run, even a prepared one, and for
 * many templates planning takes most of the time. Here the values that differ from request to request come from a row of
 * a temporary table, as do all texts that are not plain words, and all others are literals, so that the statement has no parameters.
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
const STATEMENTS_MAX = 16
/** SQL texts whose uses are counted. */
const TEXTS_MAX = 1024
/** A statement is planned when its text comes for the second time: most texts with a rare literal come once. */
const USES_BEFORE = 2
/** Values of one statement; each is read by a subquery, which costs a fraction of a millisecond. */
const VALUES_MAX = 12
/** A table keeps the long texts of all its updates until it is made anew. */
const UPDATES_MAX = 4096

interface Planned {
  readonly statement: DuckDBPreparedStatement
  /** Writes the values of a request; null if there are none. */
  readonly update: DuckDBPreparedStatement | null
}

/** The planned statements of one connection. */
export function openPlanned(connection: DuckDBConnection): PlannedStatements {
  const uses = new LRUCache<string, number>({ max: TEXTS_MAX })
  const kept = new LRUCache<string, Planned>({
    max: STATEMENTS_MAX,
    dispose: ({ statement, update }) => {
      statement.destroySync()
      update?.destroySync()
    },
  })
  let updates = UPDATES_MAX

  /** Makes the table of values anew now and then. DuckDB then plans the statements once more by itself. */
  async function makeRow(): Promise<void> {
    const columns = Array.from({ length: VALUES_MAX }, (_, index) => `${columnOf(index)} VARCHAR`)
    await runOwn(
      connection,
      'valuesTable',
      `CREATE OR REPLACE TEMP TABLE request_values (${columns.join(', ')})`,
    )
    await runOwn(connection, 'valuesRow', 'INSERT INTO request_values DEFAULT VALUES')
    updates = 0
  }

  async function plan(sql: string, count: number): Promise<Planned | null> {
    if (updates >= UPDATES_MAX) await makeRow()
    try {
      const statement = await prepareSelect(connection, sql)
      const set = Array.from({ length: count }, (_, index) => `${columnOf(index)} = $${index + 1}`)
      const update =
        count === 0
          ? null
          : await prepareOwn(connection, 'values', `UPDATE request_values SET ${set.join(', ')}`)
      return { statement, update }
    } catch {
      // Not every place of a parameter can hold a subquery.
      return null
    }
  }

  return {
    async prepare(sql, bindings, names) {
      const filled = fill(sql, bindings, names)
      if (filled === null) return null
      const used = (uses.get(filled.sql) ?? 0) + 1
      uses.set(filled.sql, used)
      if (used < USES_BEFORE) return null
      const planned = kept.get(filled.sql) ?? (await plan(filled.sql, filled.values.length))
      if (planned === null) {
        uses.set(filled.sql, Number.NEGATIVE_INFINITY)
        return null
      }
      kept.set(filled.sql, planned)
      if (planned.update !== null) {
        if (updates >= UPDATES_MAX) await makeRow()
        updates += 1
        for (const [index, value] of filled.values.entries()) planned.update.bindVarchar(index + 1, value)
        await planned.update.run()
      }
      return planned.statement
    },
    forget(text) {
      for (const sql of [...kept.keys()]) if (sql.includes(text)) kept.delete(sql)
    },
    close: () => kept.clear(),
  }
}

const columnOf = (index: number) => `v${index}`

/** Rows to return at most: DuckDB keeps only so many while it sorts, if the number is a literal. */
const LIMITS: ReadonlySet<string> = new Set(['limit', 'offset', 'page_rows'])

/** A query without parameters, and the texts of the values that it reads from the table; null if there are too many. */
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
 * Reads a value. DuckDB folds what it knows of a column, such as its least value, into a plan, and does not plan again when
 * the column changes: it does not know what `concat` returns.
 */
const subquery = (index: number, { type, value }: Bound) =>
  `(SELECT concat(${columnOf(index)})${isList(value) ? '::JSON' : ''}::${type} FROM request_values)`

/** Whether requests have many values of this type. Of dates and truths they have few. */
const isOfMany = ({ type }: Bound) =>
  type.typeId !== DuckDBTypeId.DATE && type.typeId !== DuckDBTypeId.BOOLEAN

const isList = (value: Bound['value']): value is Extract<Bound['value'], { items: unknown }> =>
  typeof value === 'object' && value !== null && 'items' in value
