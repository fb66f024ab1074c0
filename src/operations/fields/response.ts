import { type TSchema, Type } from 'typebox'
import type { DigitsShown } from '../../engine/encode/sql.ts'
import { datasets } from '../../lake/store/datasets.ts'
import type { Field, FieldType, OperationFields, Part } from './notation.ts'

/** The JSON schema of an answer and the format of its times, both made from its fields. */

const ISO_SECOND = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}`
const dateTime = (fraction: string) =>
  Type.String({ format: 'date-time', pattern: `${ISO_SECOND}${fraction}Z$` })
const url = Type.String({ format: 'uri' })

/** The JSON schema of each type. */
const SCHEMAS: Readonly<Record<FieldType, TSchema>> = {
  string: Type.String(),
  'string(dec)': Type.String({ pattern: String.raw`^-?\d+(\.\d+)?$` }),
  'string(UUID)': Type.String({ format: 'uuid', pattern: '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' }),
  'string(URL)': url,
  integer: Type.Integer(),
  number: Type.Number(),
  boolean: Type.Boolean(),
  date: Type.String({ format: 'date', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }),
  ts: dateTime(String.raw`(\.\d{3}|\.\d{6})?`),
  'ts(ms)': dateTime(String.raw`\.\d{3}`),
  'ts(us)': dateTime(String.raw`\.\d{6}`),
  object: Type.Object({}, { additionalProperties: true }),
  'array of string': Type.Array(Type.String()),
  'array of string(URL)': Type.Array(url),
  'array of integer': Type.Array(Type.Integer()),
  'array of object': Type.Array(Type.Object({}, { additionalProperties: true })),
}

/**
 * The whole JSON answer of an operation: every field is required, and there are no others. The title of each object is
 * the name of its type in clients.
 */
export function responseSchema(id: string, { parts }: OperationFields): TSchema {
  return objectAt({ id, parts }, '')
}

interface Answer {
  readonly id: string
  readonly parts: readonly Part[]
}

function objectAt(answer: Answer, at: string): TSchema {
  const { parts } = answer
  const inner = (name: string) => (at === '' ? name : `${at}.${name}`)
  const has = (path: string) => parts.some(part => part.at === path || part.at.startsWith(`${path}.`))
  const own = parts.find(part => part.at === at)?.fields ?? []
  const nestedAt = (path: string) =>
    has(`${path}[]`)
      ? Type.Array(objectAt(answer, `${path}[]`))
      : has(path)
        ? objectAt(answer, path)
        : undefined
  const properties: Record<string, TSchema> = {}
  for (const field of own) {
    const description = descriptionOf(field)
    const schema = nestedAt(inner(field.name)) ?? schemaOf(field)
    const nullable = field.nullWhen === null ? schema : Type.Union([schema, Type.Null()])
    properties[field.name] = description === '' ? nullable : { ...nullable, description }
  }
  const data = nestedAt(inner('data'))
  if (data !== undefined) properties.data = data
  return Type.Object(properties, { title: titleOf(answer, at), additionalProperties: false })
}

/** The name of the type of the object at a path. */
function titleOf({ id, parts }: Answer, at: string): string {
  const named = parts.find(part => part.at === at)?.record
  if (named !== undefined) return named
  const words = [...id.split('-'), ...(at === '' ? ['response'] : at.replaceAll('[]', '').split(/[._]/))]
  return words.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
}

/** The schema of a field without fields of its own. */
function schemaOf({ type, values }: Field): TSchema {
  const schema: TSchema & { readonly items?: TSchema } = SCHEMAS[type]
  if (values === undefined) return schema
  return schema.items ? Type.Array({ ...schema.items, enum: values }) : { ...schema, enum: values }
}

/** Meaning and unit of the field: the comment of its column in the schema of its dataset, and its rule. */
function descriptionOf({ from, rule, nullWhen }: Field): string {
  const [dataset = '', column] = (typeof from === 'string' ? '' : (from[0] ?? '')).split('.')
  const comment = datasets()
    .get(dataset)
    ?.columns.find(({ name }) => name === column)?.comment
  const meaning = [comment, rule].filter(text => text).join('; ')
  return nullWhen === null ? meaning : `${meaning}. Null: ${nullWhen}.`
}

/** Columns whose times always have a fixed number of digits after the second. */
export function digitsShown({ parts }: OperationFields): DigitsShown {
  const digits = { 'ts(ms)': 'millis', 'ts(us)': 'micros' } as const
  return Object.fromEntries(
    parts.flatMap(({ fields }) =>
      fields.flatMap(({ name, type }) =>
        type === 'ts(ms)' || type === 'ts(us)' ? [[name, digits[type]] as const] : [],
      ),
    ),
  )
}
