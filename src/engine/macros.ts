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

/** The macros that a SQL text calls, directly or through other macros, in the order of their definition. */
export function macrosUsed(sql: string): readonly Macro[] {
  const used = new Set<string>()
  for (const { name, sql: definition } of macros().toReversed()) {
    const calls = new RegExp(`\\b${name}\\(`)
    const callers = macros().filter(macro => used.has(macro.name) && macro.sql !== definition)
    if ([sql, ...callers.map(macro => macro.sql)].some(text => calls.test(text))) used.add(name)
  }
  return macros().filter(({ name }) => used.has(name))
}
