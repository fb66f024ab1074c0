import { type Bindings, literal } from './bind.ts'
import { macrosUsed } from './macros.ts'
import { resources } from './resources.ts'

/** One SELECT of ours, as it stands in its file, without a closing semicolon. */
export interface Template {
  readonly name: string
  readonly sql: string
  /** Names of its parameters, without the `$`, each once, in order of appearance. */
  readonly parameters: readonly string[]
}

// A string, a comment or a parameter: whichever starts first, so that a `$` inside the first two is left alone.
const TOKEN = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|\$([a-z_][a-z0-9_]*)/g

/** Reads the template `sql/<folder>/<name>.sql`. Throws if there is none. */
export function readTemplate(name: string, folder: 'endpoints' | 'stream' = 'endpoints'): Template {
  const sql = resources.read(`sql/${folder}/${name}.sql`).trimEnd().replace(/;$/, '')
  const parameters = new Set<string>()
  for (const [, parameter] of sql.matchAll(TOKEN)) if (parameter) parameters.add(parameter)
  return { name, sql, parameters: [...parameters] }
}

/**
 * The template with literals in place of its parameters, behind the macros that it uses, to paste into any DuckDB
 * client. Never run by tapehouse.
 */
export function fillTemplate({ sql }: Template, bindings: Bindings): string {
  const select = sql.replace(TOKEN, (whole, parameter?: string) =>
    parameter ? literal(bindings[parameter]) : whole,
  )
  return [...macrosUsed(sql).map(macro => macro.sql), select].join('\n\n')
}
