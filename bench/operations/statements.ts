import type { DuckDBConnection } from '@duckdb/node-api'
import { bindAll } from '../../src/engine/bind.ts'
import { encodedIn } from '../../src/engine/encode/encoded.ts'
import { jsonRowsSql } from '../../src/engine/encode/sql.ts'
import type { Engine, Query } from '../../src/engine/engine.ts'
import { readingSql } from '../../src/engine/file-lists.ts'
import type { Snapshot } from '../../src/lake/store/snapshot.ts'
import { answer, pin } from '../../src/operations/answering/answer.ts'
import { validate } from '../../src/operations/answering/validate.ts'
import { operations } from '../../src/operations/index.ts'
import type { Parameters } from '../measure/lake-rows.ts'

/** A statement of an answer, and whether its rows are written as JSON. */
export interface Asked {
  readonly query: Query
  readonly isEncoded: boolean
}

/** The statements that the program runs for an answer: each one once, and of those that are encoded only the last. */
export async function statementsOf(
  id: string,
  parameters: Parameters,
  snapshot: Snapshot,
  engine: Engine,
): Promise<readonly Asked[]> {
  const operation = operations.find(each => each.id === id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  const inPath = (name: string) => operation.path.includes(`{${name}}`)
  const validated = validate(operation, {
    path: Object.fromEntries(Object.entries(parameters).filter(([name]) => inPath(name))),
    query: Object.entries(parameters).filter(([name]) => !inPath(name)),
  })
  if ('faults' in validated) throw new Error(`${id}: ${JSON.stringify(validated.faults)}`)
  const tables = new Map<string, Query>()
  let encoded: Query | null = null
  const observing: Engine = {
    ...engine,
    table(query, signal) {
      tables.set(query.template.sql, query)
      return engine.table(query, signal)
    },
    encode(query, encoding, signal) {
      encoded = query
      return engine.encode(query, encoding, signal)
    },
  }
  const pinned = pin(operation, validated.values, snapshot, { owner: null, admin: true })
  await answer(pinned, observing, 'json', new AbortController().signal)
  return [
    ...[...tables.values()].map(query => ({ query, isEncoded: false })),
    ...(encoded === null ? [] : [{ query: encoded, isEncoded: true }]),
  ]
}

/** Runs these statements as kept prepared statements, with the encoder of the answers. */
export async function bareRun(
  asked: readonly Asked[],
  engine: Engine,
  connection: DuckDBConnection,
): Promise<() => Promise<void>> {
  const runs = await Promise.all(
    asked.map(async ({ query, isEncoded }) => {
      const { template, digits, page = null, bindings } = query
      const types = isEncoded ? await engine.columns(query, new AbortController().signal) : []
      const sql = isEncoded ? jsonRowsSql(template.sql, types, { digits, page }) : template.sql
      const statement = await connection.prepare(readingSql(sql, bindings))
      return async () => {
        bindAll(statement, bindings)
        const result = await statement.run()
        if (isEncoded) encodedIn(result, page)
      }
    }),
  )
  return async () => {
    for (const run of runs) await run()
  }
}
