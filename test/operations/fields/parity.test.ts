import { describe, expect, test } from 'vitest'
import { openApi } from '../../../src/api/http/openapi.ts'
import { operations } from '../../../src/operations/index.ts'
import { FIELD_VALUES } from './parity-fields.ts'
import { TOLD, type Told } from './parity-parameters.ts'

/** The OpenAPI document against the tables of the specification, both ways: nothing missing, nothing beyond. */

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}
interface Documented {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly example: unknown
  readonly schema: Schema
}

const { paths } = openApi(operations, 'http://localhost')
const documented = Object.entries(paths).map(([path, { get }]) => ({
  path,
  id: get.operationId,
  parameters: get.parameters as unknown as readonly Documented[],
}))
const parametersOf = (id: string) => documented.find(each => each.id === id)?.parameters ?? []

/** What a document says of a parameter, in the notation of the table. */
function notation({ schema, required }: Documented): Told {
  const inner = schema.items ?? schema
  const type = inner.enum ? inner.enum.join('|') : inner.format === 'date' ? 'date' : inner.type
  const parts = [
    `${schema.items ? '[]' : ''}${type}`,
    ...(inner.minimum === undefined ? [] : [`>=${inner.minimum}`]),
    ...(inner.maximum === undefined ? [] : [`<=${inner.maximum}`]),
    ...(schema.default === undefined ? [] : [`=${schema.default}`]),
  ]
  return `${parts.join(' ')}${required ? (inner.enum ? ' !' : '!') : ''}`
}

interface Answered {
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Answered[]
  readonly items?: Answered
  readonly properties?: Readonly<Record<string, Answered>>
}

/** Closed values by the path of their field. */
function valuesOf(schema: Answered, at = ''): [string, string][] {
  const own: [string, string][] = schema.enum ? [[at, schema.enum.join('|')]] : []
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    valuesOf(property, at === '' ? name : `${at}.${name}`),
  )
  const items = schema.items ? valuesOf(schema.items, `${at}[]`) : []
  return [...own, ...inner, ...items, ...(schema.anyOf ?? []).flatMap(each => valuesOf(each, at))]
}

describe('the document', () => {
  test('has the operations of the specification under their ids and paths', () => {
    const told = Object.entries(TOLD).map(([id, { path }]) => ({ id, path }))
    expect(documented.map(({ id, path }) => ({ id, path }))).toEqual(told)
    expect(told).toHaveLength(29)
  })

  test.each(Object.keys(TOLD))('has the parameters of %s, with their types, bounds and defaults', id => {
    const found = Object.fromEntries(parametersOf(id).map(each => [each.name, notation(each)]))
    expect(found).toEqual(TOLD[id]?.parameters)
  })

  test.each(Object.keys(TOLD))('has the path parameters of %s in the path', id => {
    const names = [...(TOLD[id]?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = parametersOf(id).filter(each => each.in === 'path')
    expect(inPath.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })

  test.each(Object.keys(TOLD))('has the closed values of the fields of %s, and closes no others', id => {
    const [path = ''] = Object.keys(paths).filter(each => paths[each]?.get.operationId === id)
    const schema = paths[path]?.get.responses[200].content['application/json']?.schema as Answered
    expect(Object.fromEntries(valuesOf(schema))).toEqual(FIELD_VALUES[id] ?? {})
  })

  test.each(operations)(
    'gives each parameter of $id a description, and an example that is valid',
    operation => {
      for (const [name, parameter] of Object.entries(operation.parameters)) {
        expect(parameter.description.length, name).toBeGreaterThanOrEqual('The ETF.'.length)
        expect(parameter.parse([parameter.example]), name).toHaveProperty('value')
      }
    },
  )
})
