import type { DuckDBInstance } from '@duckdb/node-api'
import { resources } from './resources.ts'

/** A SQL macro for use in several templates. */
export interface Macro {
  readonly name: string
  /** Its definition with the preceding comment and the closing semicolon. */
  readonly sql: string
}

let cached: readonly Macro[] | undefined

/** The macros of `sql/macros.sql`. Each one comes after the macros that it calls. */
export function macros(): readonly Macro[] {
  cached ??= [
    ...resources.read('sql/macros.sql').matchAll(/(?:^--.*\n)*^CREATE OR REPLACE MACRO (\w+)[^;]*;/gm),
  ].map(([sql, name = '']) => ({ name, sql }))
  return cached
}

/** Those of `all` macros that a SQL text calls, directly or through other macros, in the order of their definition. */
export function macrosUsed(sql: string, all: readonly Macro[] = macros()): readonly Macro[] {
  const used = new Set<Macro>()
  for (const macro of all.toReversed()) {
    const calls = new RegExp(`\\b${macro.name}\\(`)
    if (calls.test(sql) || [...used].some(caller => calls.test(caller.sql))) used.add(macro)
  }
  return all.filter(macro => used.has(macro))
}

/** The macros of `sql/macros.sql` in an instance that is opened without them. */
export interface CreatedMacros {
  /** Resolves once the macros that a template calls exist. */
  ready(template: string): Promise<void>
}

/**
 * Creates a macro when the first template calls it: creating all of them takes as long as opening the instance, and most
 * templates call none.
 */
export function openMacros(instance: DuckDBInstance): CreatedMacros {
  const missing = new Set(macros())
  /** Templates whose macros exist. */
  const prepared = new Set<string>()
  /** One at a time, since two changes of the catalog at once would conflict. */
  let last = Promise.resolve()

  async function create(used: readonly Macro[]): Promise<void> {
    const wanted = used.filter(macro => missing.has(macro))
    if (wanted.length === 0) return
    const connection = await instance.connect()
    try {
      await connection.run(wanted.map(({ sql }) => sql).join('\n'))
    } finally {
      connection.closeSync()
    }
    for (const macro of wanted) missing.delete(macro)
  }

  return {
    async ready(template) {
      if (prepared.has(template)) return
      const used = macrosUsed(template)
      const created = last.then(() => create(used))
      // The next statement tries again.
      last = created.catch(() => {})
      await created
      prepared.add(template)
    },
  }
}
