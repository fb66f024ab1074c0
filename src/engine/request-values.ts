import { DuckDBTypeId } from '@duckdb/node-api'
import { type Bindings, type Bound, literal } from './bind.ts'
import { replaceParameters } from './template.ts'

/** The only variable of a connection: the texts of the values of its request, as a JSON array. */
const VALUES = 'request_values'

/**
 * Sets the texts of the values of the connection's next statement, as a JSON array. DuckDB plans the statement at each run if it does
 * not know the type of its parameter.
 */
export const SET_VALUES = `SET VARIABLE ${VALUES} = $1::VARCHAR`

/** Rows to return at most: DuckDB keeps only so many while it sorts, if the number is a literal. */
const LIMITS: ReadonlySet<string> = new Set(['limit', 'offset', 'page_rows'])

/** Values of one statement; each is read by a subquery, which costs a fraction of a millisecond. */
const VALUES_MAX = 12

/** A query without parameters, and the texts of the values that it reads from the variable; null if there are too many. */
export function fill(sql: string, bindings: Bindings, names: ReadonlySet<string>) {
  const values: string[] = []
  const places = new Map<string, string>()
  const text = replaceParameters(sql, name => {
    const bound = bindings[name]
    if (bound === undefined || bound.value === null) return 'NULL'
    if (LIMITS.has(name)) return literal(bound)
    if (isPlain(bound) && !isOfMany(bound, names.has(name))) return literal(bound)
    const place = places.get(name) ?? subquery(values.length, bound)
    if (!places.has(name)) values.push(textOf(bound))
    places.set(name, place)
    return place
  })
  return values.length > VALUES_MAX ? null : { sql: text, values }
}

/** Texts that may become literals. Any other text, which only a client can have sent, never becomes SQL. */
const PLAIN = /^[\w .:+-]*$/

const isPlain = ({ value }: Bound) =>
  (isList(value) ? value.items : [value]).every(item => PLAIN.test(String(item)))

/** The text of a value, which a cast to its type reads. */
const textOf = ({ value }: Bound) =>
  isList(value) ? `[${value.items.map(itemText).join(',')}]` : String(value)

const itemText = (item: unknown) =>
  item === null ? 'NULL' : `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`

/**
 * Reads a value when the statement runs. DuckDB writes what `getvariable` returns into a plan, as it does with what it knows
 * of a column, such as its least value, and does not plan again when that changes. A table function is called at each run.
 * A list is read from its text outside of the subquery, whose single value is chosen by an aggregate: of a list, that is one with
 * a hash table of 2 MiB. A text is read once for all rows that are compared with it, but as JSON it would be read for each of them.
 */
const subquery = (index: number, { type, value }: Bound) =>
  isList(value)
    ? `((SELECT value::JSON->>${index} FROM duckdb_variables())::${type})`
    : `(SELECT (value::JSON->>${index})::${type} FROM duckdb_variables())`

/** Whether requests have many values like this one. Of dates and truths they have few. A parameter that `differs` is no choice. */
const isOfMany = ({ type, value, isOfFew = false }: Bound, differs: boolean) =>
  isList(value)
    ? !isOfFew && value.items.length > 0
    : differs && type.typeId !== DuckDBTypeId.DATE && type.typeId !== DuckDBTypeId.BOOLEAN

const isList = (value: Bound['value']): value is Extract<Bound['value'], { items: unknown }> =>
  typeof value === 'object' && value !== null && 'items' in value
