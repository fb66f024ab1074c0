import { FIELD_TYPES, type Field, type FieldType } from './notation.ts'

/** Fields of a record that are documented in its template, for operations with many columns. */

interface Commented {
  readonly name: string
  readonly sql: string
}

const COLUMN = /^ {2}(?! )(.*?)(,?)(?: +-- (.*))?$/
const NAME = /(?:^|\.| AS )(\w+)$/
const COMMENT = /^([^:;]*?)(?: from ([\w. ]+))?(?:: ([^;]+))?(?:; null: (.+))?$/

/**
 * The fields of the last SELECT of a template, from the comment after each column:
 *
 *     <expression> AS <name>, -- <type> from <column> <column>: <rule>; null: <reason>
 *
 * Only the type is required. `from` has columns of `dataset`, or `dataset.column` of others. Default: the column of the
 * field's name. The rule says how the field is computed, and `null:` when it is null. `values` are the closed values of
 * fields by name. Throws an Error that names the file and the line.
 */
export function columnFields(
  { name: template, sql }: Commented,
  dataset: string,
  values: Readonly<Record<string, readonly string[]>> = {},
): Field[] {
  const file = `sql/endpoints/${template}.sql`
  const lines = sql.split('\n')
  const start = lines.lastIndexOf('SELECT') + 1
  const end = lines.findIndex((line, index) => index >= start && line.startsWith('FROM '))
  const fields: Field[] = []
  for (const [index, line] of lines.slice(start, end).entries()) {
    const [, expression = '', comma, comment] = COLUMN.exec(line) ?? []
    const isLast = start + index === end - 1
    // The first lines of an expression of several lines.
    if (expression === '' || (comma === '' && !isLast)) continue
    const problem = (text: string) => new Error(`${file}:${start + index + 1}: ${text}`)
    const [, name] = NAME.exec(expression) ?? []
    if (name === undefined) throw problem(`the column "${expression}" has no name: add AS <name>`)
    if (comment === undefined) throw problem(`the column ${name} has no comment: add "-- <type>"`)
    const [, type = '', from, rule = null, nullWhen = null] = COMMENT.exec(comment) ?? []
    if (!isFieldType(type))
      throw problem(`"${type || comment}" is not a type of a field; use one of ${FIELD_TYPES.join(', ')}`)
    const columns = (from ?? name).trim().split(/ +/)
    const closed = values[name]
    fields.push({
      name,
      type,
      from: columns.map(column => (column.includes('.') ? column : `${dataset}.${column}`)),
      rule,
      nullWhen,
      ...(closed ? { values: closed } : {}),
    })
  }
  const unknown = Object.keys(values).find(name => !fields.some(field => field.name === name))
  if (unknown !== undefined)
    throw new Error(`${file}: there is no column ${unknown}, which has closed values`)
  return fields
}

const isFieldType = (text: string): text is FieldType => FIELD_TYPES.some(type => type === text)
