/** How the tables of `record-fields-*.ts` say where a field of an answer comes from. */

/** Types as the specification writes them; `us` and `ms` are the digits of a second that are always shown. */
export type FieldType =
  | 'string'
  | 'string(dec)'
  | 'string(UUID)'
  | 'string(URL)'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'ts'
  | 'ts(ms)'
  | 'ts(us)'
  | 'object'
  | 'array of string'
  | 'array of string(URL)'
  | 'array of integer'
  | 'array of object'

/** No column: what the client asked for, what the program itself knows, or fields of its own in a part below. */
export type Origin = 'request' | 'constant' | 'nested'

export interface Field {
  readonly name: string
  readonly type: FieldType
  /** `dataset.column` references, the deciding one first. */
  readonly from: readonly string[] | Origin
  /** What is made of the columns; null where the field is the column itself. */
  readonly rule: string | null
  /** When the field is null; null where it never is. */
  readonly nullWhen: string | null
  /** The only values there are, where they are closed by the program or the schema of the dataset. */
  readonly values?: readonly string[]
}

/** Fields that stand together: the answer's own (`at` is empty), or those of an object or array within it. */
export interface Part {
  /** Path within the answer, `[]` behind arrays, e.g. `data[]` or `data.bids[]`. */
  readonly at: string
  readonly fields: readonly Field[]
}

/** One operation's answer, and what its parameters look at beyond the fields shown. */
export interface OperationFields {
  readonly id: string
  /** The datasets whose last date is the operation's "last trading date": one, or one for each kind of request. */
  readonly dating: readonly string[]
  readonly parts: readonly Part[]
  /**
   * Parameters, filters and sort names that are not fields of the record, or mean another thing than the field of
   * that name. A stem stands for its `min_` and `max_`.
   */
  readonly parameters: readonly Field[]
}

const words = (text: string) => text.split(' ')

/** Fields that come from columns of one dataset. */
export function from(dataset: string) {
  return {
    /** Fields that are columns of the same name; `names` are separated by blanks. */
    columns: (type: FieldType, names: string, nullWhen: string | null = null): Field[] =>
      words(names).map(name => ({ name, type, from: [`${dataset}.${name}`], rule: null, nullWhen })),
    /** A field of another name, or made by a rule of one or more columns, separated by blanks. */
    made: (
      name: string,
      type: FieldType,
      columns: string,
      rule: string | null = null,
      nullWhen: string | null = null,
    ): Field => ({ name, type, from: words(columns).map(column => `${dataset}.${column}`), rule, nullWhen }),
  }
}

/** A field made of columns of several datasets: `references` are `dataset.column`, separated by blanks. */
export const joined = (
  name: string,
  type: FieldType,
  references: string,
  rule: string,
  nullWhen: string | null = null,
): Field => ({ name, type, from: words(references), rule, nullWhen })

/** A field that no column holds. */
export const without = (
  origin: Origin,
  name: string,
  type: FieldType,
  rule: string,
  nullWhen: string | null = null,
): Field => ({ name, type, from: origin, rule, nullWhen })

/** Fields of text, or of lists of texts, that hold no other values than these. */
export const among = (values: readonly string[], ...fields: readonly Field[]): Field[] =>
  fields.map(field => ({ ...field, values }))

/** The datasets that an operation's fields and parameters read, in the order they are first named. */
export function datasetsOf({ parts, parameters }: OperationFields): string[] {
  const fields = [...parts.flatMap(part => part.fields), ...parameters]
  const references = fields.flatMap(field => (typeof field.from === 'string' ? [] : field.from))
  return [...new Set(references.map(reference => reference.split('.')[0] ?? ''))]
}
