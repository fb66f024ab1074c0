import { ADDED_FIELDS, SPECIFIED_FIELDS } from './fields.ts'

export interface FieldFacts {
  readonly name: string
  /** In the notation of the catalog's fields. */
  readonly type: string
  readonly nullable: boolean
}

const ARRAYS: Readonly<Record<string, string>> = {
  'string[]': 'array of string',
  'string(URL)[]': 'array of string(URL)',
  'integer[]': 'array of integer',
  'object[]': 'array of object',
}

/**
 * The fields of an operation's answer by the path of their object, from the table. Throws if it lacks the operation.
 */
export function answerFacts(id: string): ReadonlyMap<string, readonly FieldFacts[]> {
  const objects = SPECIFIED_FIELDS[id]
  if (objects === undefined) throw new Error(`test/operations/specification/fields.ts lacks ${id}`)
  return new Map(Object.entries(objects).map(([at, text]) => [at, text.split(';').flatMap(fieldsOfOneType)]))
}

/** The same, with the fields that answers have beyond the specification after those that it has. */
export function allFacts(id: string): ReadonlyMap<string, readonly FieldFacts[]> {
  const facts = new Map(answerFacts(id))
  for (const [at, text] of Object.entries(ADDED_FIELDS[id] ?? {}))
    facts.set(at, [...(facts.get(at) ?? []), ...text.split(';').flatMap(fieldsOfOneType)])
  return facts
}

/** `integer? open_interest prev_oi` */
function fieldsOfOneType(text: string): FieldFacts[] {
  const [written = '', ...names] = text.trim().split(/\s+/)
  const type = written.replace(/\?$/, '')
  return names.map(name => ({ name, type: ARRAYS[type] ?? type, nullable: written.endsWith('?') }))
}
