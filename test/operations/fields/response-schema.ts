/** The fields of a response's JSON schema, as the table of fields lists them. */

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

export interface Answered {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

/** The type that JSON has for a type of the specification. */
export const jsonTypeOf = (type: string): string =>
  type.startsWith('array') ? 'array' : /^(integer|number|boolean|object)$/.test(type) ? type : 'string'

/** Takes `null` out of a union. */
function present(schema: Schema): { schema: Schema; nullable: boolean } {
  const others = schema.anyOf?.filter(each => each.type !== 'null') ?? []
  return schema.anyOf && others.length < schema.anyOf.length
    ? { schema: others.length === 1 ? (others[0] ?? {}) : { anyOf: others }, nullable: true }
    : { schema, nullable: false }
}

function typeOf(schema: Schema): string {
  const [first] = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return schema.type ?? schema.anyOf?.[0]?.type ?? typeof first
}

/** Fields by the path of their object, in order; containers called `data` are the envelope and no field. */
export function fieldsOfSchema(response: unknown): Map<string, Answered[]> {
  const parts = new Map<string, Answered[]>()
  const visit = (at: string, object: Schema) => {
    for (const [name, property] of Object.entries(object.properties ?? {})) {
      const { schema, nullable } = present(property)
      const inner = schema.items ? present(schema.items).schema : schema
      const path = `${at === '' ? '' : `${at}.`}${name}${schema.items ? '[]' : ''}`
      if (name !== 'data' || inner.properties === undefined)
        parts.set(at, [...(parts.get(at) ?? []), { name, type: typeOf(schema), nullable }])
      if (inner.properties) visit(path, inner)
    }
  }
  visit('', response as Schema)
  return parts
}
