import { type Bindings, literal } from './bind.ts'
import { readingSql } from './file-lists.ts'
import { macrosUsed } from './macros.ts'
import { resources } from './resources.ts'

/** One SELECT statement as written in its file, without the closing semicolon. */
export interface Template {
  readonly name: string
  readonly sql: string
  /** Distinct names of its parameters, without the `$`, in order of appearance. */
  readonly parameters: readonly string[]
}

// A string, a comment or a parameter. The first two are matched so that a `$` inside them is not taken as a parameter.
const TOKEN = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|\$([a-z_][a-z0-9_]*)/g

/** Reads the template `sql/<folder>/<name>.sql`. Throws if the file does not exist. */
export function readTemplate(name: string, folder: 'endpoints' | 'stream' = 'endpoints'): Template {
  const sql = resources.read(`sql/${folder}/${name}.sql`).trimEnd().replace(/;$/, '')
  const parameters = new Set<string>()
  for (const [, parameter] of sql.matchAll(TOKEN)) if (parameter) parameters.add(parameter)
  return { name, sql, parameters: [...parameters] }
}

/**
 * The macros that a template uses, then the template with literals in place of its parameters, to paste into any DuckDB
 * client. tapehouse itself never runs this text.
 */
export function fillTemplate({ sql }: Template, bindings: Bindings): string {
  const select = replaceParameters(readingSql(sql, bindings), name => literal(bindings[name]))
  return [...macrosUsed(sql).map(macro => macro.sql), select].join('\n\n')
}

/** The SQL with another text in place of each parameter, which is at `place`. */
export const replaceParameters = (sql: string, text: (name: string, place: number) => string): string =>
  sql.replace(TOKEN, (token, parameter: string | undefined, place: number) =>
    parameter ? text(parameter, place) : token,
  )
