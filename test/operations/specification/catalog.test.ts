import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { type Documented, documented, type Schema } from '../../fixtures/document.ts'
import { allFacts } from './answer-facts.ts'
import { SPECIFIED_FIELDS } from './fields.ts'
import { type ParameterFacts, SPECIFIED } from './parameters.ts'
import { SPECIFIED_VALUES } from './values.ts'

/**
 * The catalog, and the OpenAPI document that is made from it, against the tables of the specification's facts. Each
 * specified operation is in the catalog, with nothing missing and nothing added. The catalog may have further
 * operations.
 */

const parametersOf = (id: string) => documented.find(each => each.id === id)?.parameters ?? []
const ids = Object.keys(SPECIFIED)

/** A documented parameter in the notation of the table. */
function notation({ schema, required }: Documented): ParameterFacts {
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

/** The table with one of the values that differ in case only: generators of clients make names of them. */
const inOneCase = (parameters: Readonly<Record<string, ParameterFacts>>) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, facts]) => {
      const values = facts.split('|')
      const first = values.filter(
        (value, at) => values.findIndex(each => each.toLowerCase() === value.toLowerCase()) === at,
      )
      return [name, first.join('|')]
    }),
  )

/** Closed values by the path of their field. */
function valuesOf(schema: Schema, at = ''): [string, string][] {
  const own: [string, string][] = schema.enum ? [[at, schema.enum.join('|')]] : []
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    valuesOf(property, at === '' ? name : `${at}.${name}`),
  )
  const items = schema.items ? valuesOf(schema.items, `${at}[]`) : []
  return [...own, ...inner, ...items, ...(schema.anyOf ?? []).flatMap(each => valuesOf(each, at))]
}

describe('the catalog', () => {
  test('has every specified operation under its id and path', () => {
    const specified = Object.entries(SPECIFIED).map(([id, { path }]) => ({ id, path }))
    expect(documented.map(({ id, path }) => ({ id, path }))).toEqual(expect.arrayContaining(specified))
    expect(ids).toHaveLength(29)
    expect(Object.keys(SPECIFIED_FIELDS)).toEqual(ids)
    expect(ids).toEqual(expect.arrayContaining(Object.keys(SPECIFIED_VALUES)))
  })

  test.each(ids)('has the parameters of %s, with their types, bounds and defaults', id => {
    const found = Object.fromEntries(parametersOf(id).map(each => [each.name, notation(each)]))
    expect(found).toEqual(inOneCase(SPECIFIED[id]?.parameters ?? {}))
  })

  test.each(ids)('has the fields of %s in their order, with their types, and null where specified', id => {
    const { parts = [] } = operations.find(each => each.id === id)?.fields ?? {}
    const found = parts.map(({ at, fields }) => [
      at,
      fields.map(({ name, type, nullWhen }) => ({ name, type, nullable: nullWhen !== null })),
    ])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(allFacts(id)))
  })

  test.each(ids)('has the closed values of the fields of %s, and closes no others', id => {
    const { content } = documented.find(each => each.id === id)?.responses['200'] ?? {}
    const { schema = {} } = content?.['application/json'] ?? {}
    expect(Object.fromEntries(valuesOf(schema))).toEqual(SPECIFIED_VALUES[id] ?? {})
  })
})

describe('every operation of the catalog, specified or not,', () => {
  test('has a path of its own', () => {
    const all = operations.map(({ path }) => path)
    expect(all.filter((path, index) => all.indexOf(path) !== index)).toEqual([])
  })

  test.each(operations)('has the path parameters of $id in the path', ({ id, path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = parametersOf(id).filter(each => each.in === 'path')
    expect(inPath.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })

  test.each(operations)(
    'has a description of each parameter of $id, and an example that is valid',
    operation => {
      for (const [name, parameter] of Object.entries(operation.parameters)) {
        expect(parameter.description.length, name).toBeGreaterThanOrEqual('The ETF.'.length)
        expect(parameter.parse([parameter.example]), name).toHaveProperty('value')
      }
    },
  )
})
