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
