import { Errors } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { readExample } from '../../../src/api/openapi/examples.ts'
import { PROBLEMS } from '../../../src/api/service/problem-codes.ts'
import { inputFor } from '../../../src/cli/smoke/requests.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import { type Document, document, documented, sent } from '../../fixtures/document.ts'
import { recordsOf } from '../../golden/cases.ts'

/** As it is sent, with references. */
const raw = sent()
const described = documented.map(get => ({ path: get.path, get }))
const faultsOf = (schema: unknown, value: unknown) => Errors(schema as Parameters<typeof Errors>[0], value)[1]

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
    const references = [...within(raw)].flatMap(each =>
      '$ref' in each && typeof each.$ref === 'string' ? [each.$ref] : [],
    )
    expect(references.length).toBeGreaterThan(100)
    const { components } = raw as { components: Readonly<Record<string, object>> }
    for (const reference of new Set(references)) {
      const [, kind = '', name] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(reference) ?? []
      expect(Object.keys(components[kind] ?? {}), reference).toContain(name)
    }
  })

  test('has enumerations of texts with a type, of which generators can make different names', () => {
    const enumerations = [...within(document)].filter(
      (each): each is { enum: string[] } => 'enum' in each && Array.isArray(each.enum),
    )
    expect(enumerations.length).toBeGreaterThan(60)
    for (const each of enumerations) {
      expect(each).toHaveProperty('type', 'string')
      const names = each.enum.map(value => value.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_'))
      expect(names.length).toBeGreaterThan(0)
      expect(new Set(names).size, each.enum.join()).toBe(names.length)
    }
  })

  test('has a component for each object of a response, with the names of the specification', () => {
    const names = Object.keys(document.components.schemas)
    for (const name of [
      'ScreenerContract',
      'InstitutionHolding',
      'CongressTradeRecord',
      'AnalyticsWindow',
      'OptionStanceResponse',
      'DarkpoolPriceLevels',
      'EconomySeries',
      'OptionTradeFlowRecord',
      'PredictionLiquidity',
      'FxRate',
    ])
      expect(names).toContain(name)
    const responses = (raw as Document).paths
    const inline = [...within(responses)].filter(each => 'properties' in each)
    expect(inline).toEqual([])
  })

  test('has the same type for a response in all formats, and says what the others are', () => {
    for (const { get, path } of described) {
      const { 'application/json': json, ...others } = get.responses['200']?.content ?? {}
      const { description: _, ...plain } = (json?.schema ?? {}) as { description?: string }
      expect(Object.keys(others), path).toHaveLength(4)
      for (const { schema } of Object.values(others)) {
        const { description, ...same } = schema as { description?: string }
        expect(same).toEqual(plain)
        expect(description).toMatch(/^The rows of `data`: .{10,}\.$/)
      }
    }
  })

  test('describes each tag that an operation has', () => {
    const tags = document.tags.map(({ name }) => name)
    expect([...new Set(Object.values(document.paths).flatMap(({ get }) => get.tags))].toSorted()).toEqual(
      tags.toSorted(),
    )
  })

  test('bounds each number, text and list that the validator bounds', () => {
    for (const { get, path } of described)
      for (const { name, schema } of get.parameters) {
        const { type, format, enum: values, pattern, ...inner } = schema.items ?? schema
        const bounds = {
          integer: () => [inner.minimum ?? inner.exclusiveMinimum, inner.maximum ?? inner.exclusiveMaximum],
          number: () => [inner.minimum ?? inner.exclusiveMinimum, inner.maximum ?? inner.exclusiveMaximum],
          string: () => [format ?? values ?? pattern],
          boolean: () => [],
        }[String(type)]
        for (const bound of bounds?.() ?? [undefined]) expect(bound, `${path} ${name}`).toBeDefined()
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

  test('has a 404 only for an order book, and every other response that a server can send for every operation', () => {
    const elsewhere = [404, 426]
    const statuses = [...new Set(Object.values(PROBLEMS).map(({ status }) => status))]
      .filter(status => !elsewhere.includes(status))
      .map(String)
    const everywhere = ['200', '304', ...statuses]
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
