import { resources } from './resources.ts'

/** A SQL macro that templates share. */
export interface Macro {
  readonly name: string
  /** Its definition, with the comment in front of it and the closing semicolon. */
  readonly sql: string
}

let known: readonly Macro[] | undefined

/** The macros of `sql/macros.sql`, in an order in which each can be defined. */
export function macros(): readonly Macro[] {
  known ??= [
    ...resources.read('sql/macros.sql').matchAll(/(?:^--.*\n)*^CREATE OR REPLACE MACRO (\w+)[^;]*;/gm),
  ].map(([sql, name = '']) => ({ name, sql }))
  return known
}

/** The macros that a SQL text calls, and those that they call, in the order of their definition. */
export function macrosUsed(sql: string): readonly Macro[] {
  const used = new Set<string>()
  for (const { name, sql: definition } of macros().toReversed()) {
    const calls = new RegExp(`\\b${name}\\(`)
    const callers = macros().filter(macro => used.has(macro.name) && macro.sql !== definition)
    if ([sql, ...callers.map(macro => macro.sql)].some(text => calls.test(text))) used.add(name)
  }
  return macros().filter(({ name }) => used.has(name))
}
