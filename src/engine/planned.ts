import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Bindings, bindAll } from './bind.ts'
import { onceForText } from './cut.ts'
import { overAnyTable } from './native-table.ts'
import { fill, SET_VALUES } from './request-values.ts'
import { emptyHere, runHere } from './running/here.ts'
import { prepareOwn, prepareSelect } from './sandbox/gate.ts'

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
  /** Says how long the statement took with its values as parameters. */
  ran(sql: string, ms: number): void
  /** Whether a statement that was made from this text is kept. */
  keeps(text: string): boolean
  /** The number of statements that are kept. */
  readonly size: number
  /** Drops the statements whose SQL contains this text. */
  forget(text: string): void
  /**
   * Frees what is left of the last runs of statements that have not run since then, in milliseconds of `performance.now`, and keeps
   * their plans. Nothing may be running on the connection, and the engine must have one thread. Whether something is left of later runs.
   */
  empty(sinceMs: number): boolean
  close(): void
}

/**
 * Statements that a connection keeps. Until it is emptied, each one also keeps what its last run had in memory, such as sorted rows:
 * half a MiB for a small answer, some MiB for 50 wide rows.
 */
const PLANNED_MAX = 16
/** SQL texts whose uses are counted. */
const TEXTS_MAX = 1024
/** A statement is planned when its text comes for the second time: most texts with a rare literal come once. */
const USES_BEFORE = 2

/** How often a statement is timed either way, in turns: any time may be longer. The least counts. */
const TIMES = 5
/** A plan that is kept takes memory, too, so that it must save at least a twentieth of the time. */
const WORTH = 0.95
/**
 * A statement that took longer when its text came for the first time is planned once without being timed, since a request waits for
 * that. So is one that takes longer when it is timed, because other requests wait for it: it runs in the process's own thread.
 */
const LONG_MS = { first: 50, timed: 12 } as const

/** What connections know together, by text. */
export interface Known {
  /** How often texts were prepared: one connection runs a text for the second time that another has run first. */
  readonly uses: LRUCache<string, number>
  /** Whether a statement with values is better planned once, of a text and of all that differ from it in their tables only. */
  readonly once: LRUCache<string, boolean>
}

export const nothingKnown = (): Known => ({
  uses: new LRUCache({ max: TEXTS_MAX }),
  once: new LRUCache({ max: TEXTS_MAX }),
})

interface Kept {
  readonly statement: DuckDBPreparedStatement
  readonly text: string
  /** When it was made ready for its last run, in milliseconds of `performance.now`; null if nothing is left of that. */
  readyMs: number | null
}

/** The planned statements of one connection. */
export function openPlanned(
  connection: DuckDBConnection,
  { uses, once } = nothingKnown(),
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
  /** Whether a statement was emptied, which the connection's next one ends. */
  let isEmptied = false

  async function plan(sql: string): Promise<DuckDBPreparedStatement | null> {
    try {
      return await prepareSelect(connection, sql)
    } catch {
      // Not every place of a parameter can hold a subquery.
      return null
    }
  }

  /**
   * Whether a statement takes less time if it is planned once: its values are then set and read, which costs more the more of
   * them there are and the more rows are compared with them. One that is planned anew at each run has them as literals.
   */
  async function isFaster(
    planned: DuckDBPreparedStatement,
    values: readonly string[],
    sql: string,
    bindings: Bindings,
  ): Promise<boolean> {
    const anew = await prepareSelect(connection, sql)
    try {
      bindAll(anew, bindings)
      // The first time is the longest.
      await anew.run()
      if ((await msOf(() => anew.run())) > LONG_MS.timed) return true
      let anewMs = Number.POSITIVE_INFINITY
      let onceMs = Number.POSITIVE_INFINITY
      for (let time = 0; time < TIMES; time += 1) {
        anewMs = Math.min(anewMs, await msOf(() => runHere(anew)))
        onceMs = Math.min(onceMs, await msOf(() => set(values).then(() => runHere(planned))))
      }
      return onceMs < WORTH * anewMs
    } finally {
      anew.destroySync()
    }
  }

  /** What is known of a statement, or of one that differs from it in its tables only: each published day has tables of its own. */
  function isKnownBetter(sql: string): boolean | undefined {
    const known = once.get(sql)
    if (known !== undefined) return known
    const ofOthers = once.get(overAnyTable(sql))
    if (ofOthers !== undefined) once.set(sql, ofOthers)
    return ofOthers
  }

  /** Times a statement of which nothing is known, and remembers whether it is better planned once; false if it failed. */
  async function isFoundBetter(
    planned: DuckDBPreparedStatement,
    values: readonly string[],
    sql: string,
    bindings: Bindings,
  ): Promise<boolean> {
    // What fails here fails again where the statement itself runs, unless its request was canceled: nothing is known then.
    const isBetter = await isFaster(planned, values, sql, bindings).catch(() => null)
    if (isBetter === null) return false
    for (const text of [sql, overAnyTable(sql)]) once.set(text, isBetter)
    return isBetter
  }

  async function set(values: readonly string[]): Promise<void> {
    setting ??= await prepareOwn(connection, 'values', SET_VALUES)
    setting.bindVarchar(1, JSON.stringify(values))
    await runHere(setting)
  }

  /** Ends the statement that was emptied last, so that it holds no tables. */
  function endEmptied(): void {
    if (!isEmptied) return
    isEmptied = false
    set([]).catch(() => {})
  }

  return {
    async prepare(sql, bindings, names, { text = sql, ofFewRows = false } = {}) {
      const query = fill(ofFewRows ? withoutHashJoins(sql) : sql, bindings, names)
      if (query === null) return null
      const used = (uses.get(query.sql) ?? 0) + 1
      uses.set(query.sql, used)
      if (used < USES_BEFORE) return null
      // Without values there is no variable to set.
      const hasValues = query.values.length > 0
      const isBetter = hasValues ? isKnownBetter(sql) : true
      if (isBetter === false) return null
      const known = kept.get(query.sql)
      const statement = known?.statement ?? (await plan(query.sql))
      if (statement === null) {
        uses.set(query.sql, Number.NEGATIVE_INFINITY)
        return null
      }
      if (known === undefined) {
        if (!(isBetter ?? (await isFoundBetter(statement, query.values, sql, bindings)))) {
          statement.destroySync()
          return null
        }
        // The statement that ends an emptied one is there before any is emptied: a table is dropped without waiting.
        setting ??= await prepareOwn(connection, 'values', SET_VALUES)
        kept.set(query.sql, { statement, text, readyMs: null })
        keptOf.set(text, (keptOf.get(text) ?? 0) + 1)
      }
      if (hasValues) await set(query.values)
      const ready = kept.get(query.sql)
      if (ready !== undefined) ready.readyMs = performance.now()
      return statement
    },
    empty(sinceMs) {
      let areLeft = false
      for (const each of kept.values()) {
        if (each.readyMs === null) continue
        if (each.readyMs > sinceMs) areLeft = true
        else {
          emptyHere(connection, each.statement)
          isEmptied = true
          each.readyMs = null
        }
      }
      return areLeft
    },
    ran(sql, ms) {
      if (ms > LONG_MS.first && isKnownBetter(sql) === undefined) once.set(sql, true)
    },
    keeps: text => keptOf.has(text),
    get size() {
      return kept.size
    },
    forget(text) {
      endEmptied()
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
