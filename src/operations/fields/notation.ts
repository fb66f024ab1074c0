/** How an operation's file documents where each field of its answer comes from: its lineage. */

/** Types of fields. `us` and `ms` are the digits of a second that are always shown. */
export const FIELD_TYPES = [
  'string',
  'string(dec)',
  'string(UUID)',
  'string(URL)',
  'integer',
  'number',
  'boolean',
  'date',
  'ts',
  'ts(ms)',
  'ts(us)',
  'object',
  'array of string',
  'array of string(URL)',
  'array of integer',
  'array of object',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/**
 * Not from a column: from the request, from the program itself, or an object with fields of its own in another part.
 */
export type Origin = 'request' | 'constant' | 'nested'

export interface Field {
  readonly name: string
  readonly type: FieldType
  /** `dataset.column` references, the decisive one first. */
  readonly from: readonly string[] | Origin
  /** How the field is computed from the columns; null where the field is the column itself. */
  readonly rule: string | null
  /** When the field is null; null where it never is. */
  readonly nullWhen: string | null
  /** All possible values, where the program or the schema of the dataset limits them. */
  readonly values?: readonly string[]
}

/** The fields of one object: the answer's own (`at` is empty), or those of an object or array within it. */
export interface Part {
  /** Path within the answer, `[]` after arrays, e.g. `data[]` or `data.bids[]`. */
  readonly at: string
  /** The name of the object's type in clients. Default: made of the operation's id and the path. */
  readonly record?: string
  readonly fields: readonly Field[]
}

/** The fields of an operation's answer, and the columns that its parameters compare with. */
export interface OperationFields {
  /** The datasets whose rows have the default date of the operation: one, or one per kind of request. */
  readonly dating: readonly string[]
  readonly parts: readonly Part[]
  /**
   * Parameters, filters and sort names that are not fields of the record, or differ from the field of that name. A stem
   * means its `min_` and `max_`.
   */
  readonly parameters: readonly Field[]
}

const words = (text: string) => text.split(' ')

/** Fields from columns of one dataset. */
export function from(dataset: string) {
  return {
    /** Fields that are columns of the same name. `names` are separated by blanks. */
    columns: (type: FieldType, names: string, nullWhen: string | null = null): Field[] =>
      words(names).map(name => ({ name, type, from: [`${dataset}.${name}`], rule: null, nullWhen })),
    /** A field of another name, or computed by a rule from columns, which are separated by blanks. */
    made: (
      name: string,
      type: FieldType,
      columns: string,
      rule: string | null = null,
      nullWhen: string | null = null,
    ): Field => ({ name, type, from: words(columns).map(column => `${dataset}.${column}`), rule, nullWhen }),
  }
}

/** A field computed from columns of several datasets: `references` are `dataset.column`, separated by blanks. */
export const joined = (
  name: string,
  type: FieldType,
  references: string,
  rule: string,
  nullWhen: string | null = null,
): Field => ({ name, type, from: words(references), rule, nullWhen })

/** A field that comes from no column. */
export const without = (
  origin: Origin,
  name: string,
  type: FieldType,
  rule: string,
  nullWhen: string | null = null,
): Field => ({ name, type, from: origin, rule, nullWhen })

/** Fields of text, or of lists of texts, that have no values but these. */
export const among = (values: readonly string[], ...fields: readonly Field[]): Field[] =>
  fields.map(field => ({ ...field, values }))

/** The datasets that an operation's fields and parameters read, in the order of their first appearance. */
export function datasetsOf({ parts, parameters }: OperationFields): string[] {
  const fields = [...parts.flatMap(part => part.fields), ...parameters]
  const references = fields.flatMap(field => (typeof field.from === 'string' ? [] : field.from))
  return [...new Set(references.map(reference => reference.split('.')[0] ?? ''))]
}
