import { resources } from '../engine/resources.ts'
import type { Template } from '../engine/template.ts'

// A string, a comment or a parameter, so that a `$` inside the first two is left alone.
const TOKEN = /'(?:[^']|'')*'|--[^\n]*|\$([a-z_][a-z0-9_]*)/g

const known = new Map<string, Template>()

/** Reads the template `sql/stream/<name>.sql`. Throws if there is none. */
export function streamTemplate(name: string): Template {
  const found = known.get(name)
  if (found !== undefined) return found
  const sql = resources.read(`sql/stream/${name}.sql`).trimEnd()
  const parameters = new Set([...sql.matchAll(TOKEN)].flatMap(([, parameter]) => parameter ?? []))
  const template = { name, sql, parameters: [...parameters] }
  known.set(name, template)
  return template
}
