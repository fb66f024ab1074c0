import type { DuckDBInstance } from '@duckdb/node-api'
import { type Macro, macros, macrosUsed } from './macros.ts'

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
