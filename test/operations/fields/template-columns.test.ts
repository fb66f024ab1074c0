import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { readTemplate, type Template } from '../../../src/engine/template.ts'
import { figureBindings } from '../../../src/operations/analytics/rows.ts'
import { pin, queryOf } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { FieldType, Part } from '../../../src/operations/fields/notation.ts'
import { operations } from '../../../src/operations/index.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'
import { snapshotWith } from '../../fixtures/snapshot.ts'
import { filesBelow } from '../../house/source.ts'
import { isShaped } from '../shaped.ts'
import { fieldsOfSchema, jsonTypeOf } from './response-schema.ts'

/** The columns that the engine returns for each template, against the documented fields of its operation. */

const folder = temporaryFolder()
let engine: Engine
beforeAll(async () => {
  engine = await engineFor(folder)
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A lake of one day without any file: a template's columns do not depend on rows. */
const EMPTY = snapshotWith({ lastDate: () => '2024-12-31' })

/** Templates that an operation shares with the one that they are named after. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'institution-sectors': ['institution-holdings-name'],
}

const fieldsAt = (parts: readonly Part[], at: string) => parts.find(part => part.at === at)?.fields ?? []

/** The path of the records in an answer. */
function recordsAt(parts: readonly Part[]): string {
  return ['data.data[]', 'data[]', 'data'].find(at => fieldsAt(parts, at).length > 0) ?? ''
}

/** The templates of an operation: its own, and those whose names begin with its id but with no longer one's. */
const templatesOf = (id: string): Template[] =>
  filesBelow('sql/endpoints', '.sql')
    .map(path => path.replace(/^.*\/|\.sql$/g, ''))
    .filter(name => {
      if (SHARED[id]?.includes(name)) return true
      const owners = operations.filter(each => name === each.id || name.startsWith(`${each.id}-`))
      return owners.toSorted((one, other) => other.id.length - one.id.length)[0]?.id === id
    })
    .map(name => readTemplate(name))

/** A request of the required parameters, over no files. */
function queryFor(operation: Operation) {
  const values = Object.entries(operation.parameters).map(([name, parameter]) => {
    const parsed = parameter.required ? parameter.parse([parameter.example]) : { value: parameter.absent }
    return [name, 'value' in parsed ? parsed.value : null]
  })
  const pinned = pin(operation, Object.fromEntries(values), EMPTY, { owner: null, admin: false })
  return { query: queryOf(pinned, engine), plan: pinned.plan }
}

/** The type of a column, and what is in it if it is a list or a struct. */
interface ColumnType {
  /** The name of a type that is kept as another. */
  readonly alias?: string
  readonly valueType?: ColumnType
  readonly entryNames?: readonly string[]
  readonly entryTypes?: readonly ColumnType[]
  toString(): string
}

const TIMES = /^TIMESTAMP$/
/** The types of columns that JSON shows as each type of the table. */
const SHOWS: Readonly<Record<FieldType, RegExp>> = {
  string: /^(VARCHAR|UUID)$/,
  'string(dec)': /^DECIMAL\(/,
  'string(UUID)': /^UUID$/,
  'string(URL)': /^VARCHAR$/,
  integer: /^(INTEGER|BIGINT)$/,
  number: /^DOUBLE$/,
  boolean: /^BOOLEAN$/,
  date: /^DATE$/,
  ts: TIMES,
  'ts(ms)': TIMES,
  'ts(us)': TIMES,
  object: /^(JSON|STRUCT\()/,
  'array of string': /^VARCHAR\[\]$/,
  'array of string(URL)': /^VARCHAR\[\]$/,
  'array of integer': /^(INTEGER|BIGINT)\[\]$/,
  'array of object': /^STRUCT\(.*\)\[\]$/,
}

/** Compares columns, or the members of a struct, with the fields of a part and of the parts within. */
function expectFields(
  columns: readonly { name: string; type: ColumnType }[],
  operation: Operation,
  at: string,
) {
  const { parts } = operation.fields
  const place = `src/operations/catalog/${operation.id}.ts`
  const fields = fieldsAt(parts, at)
  expect(
    columns.map(({ name }) => name),
    `${place}: the columns (received) are the fields at "${at}" (expected) in their order: list each column as a field`,
  ).toEqual(fields.map(({ name }) => name))
  for (const [index, { name, type }] of columns.entries()) {
    expect(type.alias ?? String(type), `${at}.${name}`).toMatch(SHOWS[fields[index]?.type ?? 'string'])
    const inner = type.valueType ?? type
    const members = (inner.entryNames ?? []).map((member, place) => ({
      name: member,
      type: inner.entryTypes?.[place] as ColumnType,
    }))
    const path = [at, name].filter(part => part !== '').join('.')
    if (members.length > 0) expectFields(members, operation, type.valueType ? `${path}[]` : path)
  }
}

test.each(operations.filter(operation => !isShaped(operation)))(
  '$id has the columns of its records in their order and types',
  async operation => {
    const { query } = queryFor(operation)
    const columns = await engine.columns(query, new AbortController().signal)
    expectFields(columns, operation, recordsAt(operation.fields.parts))
  },
)

describe.each(operations)('$id', operation => {
  const { id } = operation
  const { parts } = operation.fields

  test('binds every parameter of its templates', () => {
    const { query } = queryFor(operation)
    const bound = new Set([...Object.keys(query.bindings), ...Object.keys(figureBindings(new Map()))])
    for (const { name, parameters } of templatesOf(id))
      expect(
        parameters.filter(parameter => !bound.has(parameter)),
        `sql/endpoints/${name}.sql: parameters that src/operations/catalog/${id}.ts does not bind`,
      ).toEqual([])
  })

  test('reads its datasets and no others', () => {
    const read = templatesOf(id).flatMap(({ sql }) =>
      [...sql.matchAll(/read_parquet\(\$(\w+)/g)].map(([, name]) => name),
    )
    expect(
      [...new Set(read)].toSorted(),
      `the datasets that its templates read (received) are those of the fields of src/operations/catalog/${id}.ts (expected)`,
    ).toEqual(operation.datasets.toSorted())
  })

  test('has the fields around its records in their order', () => {
    const { envelope } = queryFor(operation).plan
    if (envelope === undefined) return
    const around = JSON.parse(envelope.join('')) as Record<string, unknown>
    const inner = recordsAt(parts) === 'data.data[]'
    const names = Object.keys(inner ? (around.data as object) : around).filter(name => name !== 'data')
    const at = inner ? 'data' : ''
    expect(names.toSorted()).toEqual(
      fieldsAt(parts, at)
        .map(({ name }) => name)
        .toSorted(),
    )
  })
})

test('the stance has its context in the order and types of the table', async () => {
  const operation = operations.find(({ id }) => id === 'option-stance') as Operation
  const { query } = queryFor(operation)
  const template = readTemplate('option-stance-context')
  const columns = await engine.columns({ ...query, template }, new AbortController().signal)
  expectFields(columns, operation, '')
})

test.each(operations.filter(isShaped))(
  'the schema of $id, which is written by hand, has its fields',
  ({ fields, response }) => {
    const expected = fields.parts
      .filter(({ fields }) => fields.length > 0)
      .map(({ at, fields }): [string, unknown] => [
        at,
        fields.map(({ name, type, nullWhen }) => ({
          name,
          type: jsonTypeOf(type),
          nullable: nullWhen !== null,
        })),
      ])
    expect(fieldsOfSchema(response)).toEqual(new Map(expected))
  },
)
