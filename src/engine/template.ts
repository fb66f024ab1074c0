import { LRUCache } from 'lru-cache'
import { type Bindings, literal } from './bind.ts'
import { cutterAt, filled, onceForText } from './cut.ts'
import type { TableSchema } from './empty-files.ts'
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

const FOLDERS = ['endpoints', 'stream'] as const
type Folder = (typeof FOLDERS)[number]

// A string, a quoted name, a comment or a parameter. The others are matched so that a `$` inside them is not a parameter. A string
// with a doubled quote is matched as two: a loop over quotes or other characters fails for strings of some megabytes.
const TOKEN = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([a-z_][a-z0-9_]*)/g

const cutAtParameters = cutterAt(TOKEN)

/** Reads the template `sql/<folder>/<name>.sql`. Throws if the file does not exist. */
export function readTemplate(name: string, folder: Folder = 'endpoints'): Template {
  const sql = resources.read(`sql/${folder}/${name}.sql`).trimEnd().replace(/;$/, '')
  return { name, sql, parameters: [...parametersOf(sql)] }
}

/** Distinct names of the parameters of a SQL text, without the `$`, in order of appearance. */
export function parametersOf(sql: string): ReadonlySet<string> {
  return new Set(cutAtParameters(sql).names)
}

/**
 * The macros that a template uses, then the template with literals in place of its parameters, to paste into any DuckDB
 * client. tapehouse itself never runs this text.
 */
export function fillTemplate({ sql }: Template, bindings: Bindings): string {
  const select = replaceParameters(readingSql(sql, bindings), name => literal(bindings[name]))
  return [...macrosUsed(sql).map(macro => macro.sql), select].join('\n\n')
}

/** Whether a SQL text is one statement: after its first semicolon, there are only blanks and comments. */
export const isSingle = (sql: string): boolean =>
  !/;\s*[^\s;]/.test(sql.replace(TOKEN, token => (/^(--|\/\*)/.test(token) ? ' ' : '?')))

/** The SQL with another text in place of each parameter. */
export const replaceParameters = (sql: string, text: (name: string) => string): string =>
  filled(cutAtParameters(sql), text)

// What stands for itself as in `TOKEN`, the beginning of a condition of an optional parameter, or a parenthesis.
const CONDITION =
  /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\bAND\s+)?\(\s*\$([a-z_][a-z0-9_]*) IS NULL\s+OR\s+|[()]/g

/**
 * The SQL without the conditions of absent parameters. A template has them as `($name IS NULL OR condition)`: what remains of
 * one is `(condition)` if the parameter is present, and nothing if it is absent. DuckDB would come to the same result, but it
 * binds all of them first, and cannot tell that a value that a subquery returns is not NULL.
 */
export function presentConditions(sql: string, bindings: Bindings): string {
  const isPresent = (name: string) => (bindings[name]?.value ?? null) !== null
  const { names, texts } = shortenedOf(sql)
  const present = names.map(name => (isPresent(name) ? '1' : '0')).join('')
  const before = texts.get(present)
  if (before !== undefined) return before
  const text = withConditions(sql, isPresent)
  texts.set(present, text)
  return text
}

/** Texts that are kept of each template: most requests for an operation have the same optional parameters. */
const TEXTS_MAX = 8

const shortenedOf = onceForText(sql => ({
  names: Array.from(sql.matchAll(CONDITION), ([, , name]) => name).filter(name => name !== undefined),
  /** By which of these parameters are present. */
  texts: new LRUCache<string, string>({ max: TEXTS_MAX }),
}))

function withConditions(sql: string, isPresent: (name: string) => boolean): string {
  const open: { readonly before: string; readonly end: (inside: string) => string }[] = []
  let text = ''
  let from = 0
  for (const { 0: token, 1: and = '', 2: name, index } of sql.matchAll(CONDITION)) {
    text += sql.slice(from, index)
    from = index + token.length
    if (name !== undefined) {
      const whole = isPresent(name)
      const absent = and === '' ? 'true' : ''
      open.push({ before: text, end: inside => (whole ? `${and}(${inside})` : absent) })
      text = ''
    } else if (token === '(') {
      open.push({ before: text, end: inside => `(${inside})` })
      text = ''
    } else if (token === ')') {
      const { before, end } = open.pop() ?? { before: '', end: inside => `${inside})` }
      text = before + end(text)
    } else text += token
  }
  return text + sql.slice(from)
}

/**
 * Columns of a dataset that are named in no template which reads it. Copies in memory leave them out: of contract days they
 * are a sixth of the time of a copy. A dataset that no template reads has none.
 */
export function unreadColumns(schema: TableSchema): ReadonlySet<string> {
  const known = unread.get(schema) ?? findUnread(schema)
  unread.set(schema, known)
  return known
}

const unread = new WeakMap<TableSchema, ReadonlySet<string>>()

function findUnread({ name, columns = [] }: TableSchema): ReadonlySet<string> {
  const reading = templates().filter(sql => sql.includes(`read_parquet($${name},`))
  // A macro can name columns of the template that calls it.
  const named = wordsOf([resources.read('sql/macros.sql'), ...reading].join('\n'))
  return new Set(
    reading.length === 0 ? [] : columns.map(column => column.name).filter(column => !named.has(column)),
  )
}

let cached: readonly string[] | undefined

function templates(): readonly string[] {
  cached ??= FOLDERS.flatMap(folder =>
    resources.list(`sql/${folder}`).map(file => resources.read(`sql/${folder}/${file}`)),
  )
  return cached
}

const wordsOf = (sql: string) => new Set(sql.match(/\w+/g))
