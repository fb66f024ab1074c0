import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import { type Bound, literal } from '../../src/engine/bind.ts'
import { encodedIn } from '../../src/engine/encode/encoded.ts'
import { jsonRowsSql } from '../../src/engine/encode/sql.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { pathsOf } from '../../src/engine/file-lists.ts'
import { replaceParameters } from '../../src/engine/template.ts'
import type { Asked } from './statements.ts'

/**
 * The best statements that are known over the best layout: native tables in the order of the files, literals, planned once.
 * A statement that a person wrote for these requests is in `bench/best`, by the name of its template. For all others, no
 * better one is known than the template over such tables.
 */
const BEST = fileURLToPath(new URL('../../../bench/best/', import.meta.url))

/** As in the store: small, so that the rows of one ticker are found without reading those of all. */
const ROW_GROUP_ROWS = 8192
const READ_PARQUET = /\bread_parquet\(\$([a-z_]+), hive_partitioning = false\)/g

export interface BestStatements {
  /** Runs the best statements in place of these. Throws if they answer anything else. */
  prepare(asked: readonly Asked[], engine: Engine): Promise<() => Promise<void>>
}

export async function openBest(connection: DuckDBConnection): Promise<BestStatements> {
  await connection.run(`ATTACH ':memory:' AS best (ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`)
  const tables = new Map<string, string>()

  async function tableOf(list: Bound): Promise<string> {
    const key = pathsOf(list).join(' ')
    const table = tables.get(key) ?? `best.t${tables.size}`
    if (!tables.has(key))
      await connection.run(
        `CREATE TABLE ${table} AS FROM read_parquet(${literal(list)}, hive_partitioning = false)`,
      )
    tables.set(key, table)
    return table
  }

  async function prepared(sql: string, { query, isEncoded }: Asked, engine: Engine) {
    const { digits, page = null, bindings } = query
    const types = isEncoded ? await engine.columns(query, new AbortController().signal) : []
    const whole = isEncoded ? jsonRowsSql(sql, types, { digits, page }) : sql
    const lists = new Map<string, string>()
    for (const [, name = ''] of whole.matchAll(READ_PARQUET))
      lists.set(name, await tableOf(bindings[name] as Bound))
    const native = whole.replace(READ_PARQUET, (_, name: string) => lists.get(name) ?? '')
    return connection.prepare(replaceParameters(native, name => literal(bindings[name])))
  }

  return {
    async prepare(asked, engine) {
      const runs: (() => Promise<void>)[] = []
      for (const each of asked) {
        const { name, sql } = each.query.template
        const path = `${BEST}${name}.sql`
        const known = await prepared(sql, each, engine)
        if (!existsSync(path)) {
          runs.push(() => run(known, each))
          continue
        }
        const best = await prepared(readFileSync(path, 'utf8'), each, engine)
        assertSame(name, await answerOf(best, each), await answerOf(known, each))
        runs.push(() => run(best, each))
      }
      return async () => {
        for (const each of runs) await each()
      }
    },
  }
}

async function run(statement: DuckDBPreparedStatement, { query, isEncoded }: Asked): Promise<void> {
  const result = await statement.run()
  if (isEncoded) encodedIn(result, query.page)
}

/** What a statement answers: columns by name, or the text of its rows. */
async function answerOf(
  statement: DuckDBPreparedStatement,
  { query, isEncoded }: Asked,
): Promise<Record<string, unknown>> {
  const result = await statement.run()
  if (!isEncoded) return { ...(await result.getColumnsObjectJS()) }
  return { bytes: Buffer.from(encodedIn(result, query.page).bytes).toString('utf8') }
}

/** A statement may leave out columns of a table that its answer does not need. */
function assertSame(name: string, best: Record<string, unknown>, known: Record<string, unknown>): void {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
  for (const [column, values] of Object.entries(best))
    if (text(values) !== text(known[column]))
      throw new Error(`bench/best/${name}.sql answers another ${column} than the template of this name`)
}
