import { Errors } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { readExample } from '../../../src/api/http/examples.ts'
import { openApi } from '../../../src/api/http/openapi.ts'
import { inputFor } from '../../../src/cli/smoke/requests.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import { recordsOf } from '../../golden/cases.ts'

/** The document as a client parses it: plain JSON. */
interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly style?: string
    readonly explode?: boolean
    readonly schema: { readonly type?: string; readonly enum?: readonly unknown[] }
    readonly example: unknown
  }[]
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >
}
interface Content {
  readonly schema: { readonly $ref?: string }
  readonly example?: unknown
}
interface Document {
  readonly openapi: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly paths: Readonly<Record<string, { readonly get: Described }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}
type Schema = Parameters<typeof Errors>[0]

const document: Document = JSON.parse(JSON.stringify(openApi(operations, 'http://localhost')))
const described = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }))
const faultsOf = (schema: unknown, value: unknown) => Errors(schema as Schema, value)[1]

/** Every object and array within a value. */
function* within(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const inner of Object.values(value)) yield* within(inner)
}

describe('the OpenAPI document', () => {
  test('has version 3.1, a unique id for each operation and an existing security scheme', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(new Set(described.map(({ get }) => get.operationId)).size).toBe(operations.length)
    for (const scheme of document.security.flatMap(each => Object.keys(each)))
      expect(Object.keys(document.components.securitySchemes)).toContain(scheme)
  })

  test('contains no broken reference', () => {
    const references = [...within(document)].flatMap(each =>
      '$ref' in each && typeof each.$ref === 'string' ? [each.$ref] : [],
    )
    expect(references.length).toBeGreaterThan(100)
    for (const reference of new Set(references)) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1]
      expect(Object.keys(document.components.schemas), reference).toContain(name)
    }
  })

  test('has no empty enumeration and none with a duplicate value', () => {
    for (const each of within(document))
      if ('enum' in each && Array.isArray(each.enum)) {
        expect(each.enum.length).toBeGreaterThan(0)
        expect(new Set(each.enum).size).toBe(each.enum.length)
      }
  })

  test.each(described)('names the parameters of $path once each', ({ get }) => {
    const names = get.parameters.map(each => `${each.in} ${each.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(described)('has a style for arrays, and only for arrays: $path', ({ get }) => {
    for (const { name, schema, style, explode } of get.parameters) {
      const isArray = schema.type === 'array'
      expect({ name, style, explode }).toEqual(
        isArray ? { name, style: 'form', explode: true } : { name, style: undefined, explode: undefined },
      )
      if (name.endsWith('[]')) expect(isArray, name).toBe(true)
    }
  })

  test.each(described)('has an example that matches the schema for each parameter of $path', ({ get }) => {
    for (const { name, schema, example } of get.parameters)
      expect(faultsOf(schema, example), name).toEqual([])
  })

  test('has a 404 only for an order book, and every other response for every operation', () => {
    const everywhere = ['200', '304', '401', '403', '406', '422', '500', '503']
    for (const { path, get } of described) {
      const further = get.operationId === 'prediction-liquidity' ? ['404'] : []
      expect(Object.keys(get.responses).toSorted(), path).toEqual([...everywhere, ...further].toSorted())
    }
  })
})

describe.each(operations)('the example of $id', (operation: Operation) => {
  const path = operation.path as keyof typeof document.paths
  const content = document.paths[path]?.get.responses['200']?.content?.['application/json']
  const example = readExample(operation.id)

  test('is in the document and matches its schema', () => {
    expect(content?.example).toEqual(example?.answer)
    expect(faultsOf(content?.schema, content?.example)).toEqual([])
  })

  test('has one to three records', () => {
    const records = recordsOf(example?.answer)
    expect(records.length).toBeGreaterThan(0)
    expect(records.length).toBeLessThanOrEqual(3)
  })

  test('has a valid request', () => {
    const { pathname, searchParams } = new URL(example?.request ?? '', 'http://localhost')
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
    const [, ...values] = pattern.exec(pathname) ?? []
    expect(values).toHaveLength(names.length)
    const fromPath = names.map((name, place) => [name, decodeURIComponent(values[place] ?? '')])
    const input = inputFor(operation, Object.fromEntries([...fromPath, ...searchParams]))
    expect(validate(operation, input)).toHaveProperty('values')
  })
})
