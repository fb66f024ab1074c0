import { isDeepStrictEqual } from 'node:util'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Schemas by their names. */
export type Components = Map<string, JsonSchema>

/**
 * A schema in which each object that has a title is a reference to a component of that name, which is added to
 * `components`: generators of clients make one type of each. Throws an Error if two different objects have one title.
 */
export function withReferences(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map(each => withReferences(each, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const own = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withReferences(value, components)]),
  )
  const { title, description, ...rest } = own
  if (typeof title !== 'string' || own.type !== 'object') return own
  const known = components.get(title)
  const component = { title, ...rest }
  if (known !== undefined && !isDeepStrictEqual(known, component))
    throw new Error(`two objects of responses have the title ${title}: give one of them another`)
  components.set(title, component)
  return { $ref: `#/components/schemas/${title}`, ...(description ? { description } : {}) }
}
