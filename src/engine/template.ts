import { LRUCache } from 'lru-cache'
import { type Bindings, type Bound, literal } from './bind.ts'
import { cutterAt, filled, onceForText } from './cut.ts'
import type { TableSchema } from './empty-files.ts'
import { readingSql, schemaOfList } from './file-lists.ts'
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
  /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\bAND\s+)?\(\s*\$([a-z_][a-z0-9_]*) IS (NULL|NOT TRUE)\s+OR\s+|[()]/g

/**
 * The SQL without the conditions of absent parameters. A template has them as `($name IS NULL OR condition)`, or as
 * `($name IS NOT TRUE OR condition)` of a flag, which is absent if it is false: what remains of one is `(condition)` if the parameter
 * is present, and nothing if it is absent. DuckDB would come to the same result, but it binds all of them first, and cannot tell that
 * a value that a subquery returns is not NULL.
 */
export function presentConditions(sql: string, bindings: Bindings): string {
  const isPresent: IsPresent = (name, isFlag) => {
    const value = bindings[name]?.value ?? null
    return isFlag ? value === true : value !== null
  }
  const { conditions, texts } = shortenedOf(sql)
  const present = conditions.map(({ name, isFlag }) => (isPresent(name, isFlag) ? '1' : '0')).join('')
  const before = texts.get(present)
  if (before !== undefined) return before
  const text = withConditions(sql, isPresent)
  texts.set(present, text)
  return text
}

type IsPresent = (name: string, isFlag: boolean) => boolean

const isOfFlag = (absent: string | undefined) => absent === 'NOT TRUE'

/** Texts that are kept of each template: most requests for an operation have the same optional parameters. */
const TEXTS_MAX = 8

const shortenedOf = onceForText(sql => ({
  conditions: Array.from(sql.matchAll(CONDITION)).flatMap(([, , name, absent]) =>
    name === undefined ? [] : [{ name, isFlag: isOfFlag(absent) }],
  ),
  /** By which of the parameters of these are present. */
  texts: new LRUCache<string, string>({ max: TEXTS_MAX }),
}))

function withConditions(sql: string, isPresent: IsPresent): string {
  const open: { readonly before: string; readonly end: (inside: string) => string }[] = []
  let text = ''
  let from = 0
  for (const { 0: token, 1: and = '', 2: name, 3: absence, index } of sql.matchAll(CONDITION)) {
    text += sql.slice(from, index)
    from = index + token.length
    if (name !== undefined) {
      const whole = isPresent(name, isOfFlag(absence))
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

/** Columns of a dataset that few requests read. */
export interface RareColumns {
  readonly names: readonly string[]
  /** Those that a statement names. */
  namedIn(sql: string): readonly string[]
}

/**
 * Columns of a dataset that the templates which read it name in conditions of optional parameters only, or nowhere: a request can
 * still sort by them. Copies in memory leave them out until requests name them: of contract days they are a third of the time of a
 * copy. A dataset that no template reads has none.
 */
export function rareColumns(schema: TableSchema): RareColumns {
  const known = rare.get(schema) ?? findRare(schema)
  rare.set(schema, known)
  return known
}

const rare = new WeakMap<TableSchema, RareColumns>()

function findRare({ name, columns = [] }: TableSchema): RareColumns {
  const reading = templates().filter(sql => sql.includes(`read_parquet($${name},`))
  // A macro can name columns of the template that calls it.
  const always = [resources.read('sql/macros.sql'), ...reading.map(sql => presentConditions(sql, {}))]
  const named = new Set(code(always.join('\n')).match(/\w+/g))
  const names =
    reading.length === 0 ? [] : columns.map(column => column.name).filter(column => !named.has(column))
  if (names.length === 0) return { names, namedIn: () => names }
  const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g')
  return { names, namedIn: onceForText(sql => [...new Set(code(sql).match(pattern))]) }
}

/** A SQL text without its strings and comments. */
const code = (sql: string) => sql.replace(TOKEN, token => (/^['\-/]/.test(token) ? ' ' : token))

/** The rare columns that queries have named, by dataset: tables of the dataset that are made from then on have them. */
export function wantedColumns() {
  const wanted = new Map<TableSchema | undefined, ReadonlySet<string>>()
  const refused = new Set<TableSchema | undefined>()
  const of = (list: Bound): ReadonlySet<string> => wanted.get(schemaOfList(list)) ?? new Set()
  return {
    /** Those of the dataset of a list. */
    of,
    /** Adds those that a query of the list names. Whether a table that is made now has them. */
    add(list: Bound, sql: string): boolean {
      const schema = schemaOfList(list)
      if (refused.has(schema)) return false
      if (schema) wanted.set(schema, new Set([...of(list), ...rareColumns(schema).namedIn(sql)]))
      return true
    },
    /** Wants none of the dataset of a list from now on: its tables would be too large with them. */
    refuse(list: Bound): void {
      wanted.delete(schemaOfList(list))
      refused.add(schemaOfList(list))
    },
  }
}

let cached: readonly string[] | undefined

function templates(): readonly string[] {
  cached ??= FOLDERS.flatMap(folder =>
    resources.list(`sql/${folder}`).map(file => resources.read(`sql/${folder}/${file}`)),
  )
  return cached
}
