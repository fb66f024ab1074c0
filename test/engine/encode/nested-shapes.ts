import fc from 'fast-check'
import { type Sample, SCALARS, type Shape, TEXT } from './scalar-shapes.ts'

const nullOf = ({ type }: Shape): Sample => ({ sql: `NULL::${type}`, json: null, typed: null })

/** A value of the shape, every fourth or so null. */
export const nullable = (shape: Shape): fc.Arbitrary<Sample> =>
  fc.option(shape.sample, { nil: nullOf(shape), freq: 3 })

function listOf(shape: Shape): Shape {
  const type = `${shape.type}[]`
  const sample = fc.array(nullable(shape), { maxLength: 4 }).map(items => ({
    sql: `[${items.map(({ sql }) => sql).join(', ')}]::${type}`,
    json: items.map(({ json }) => json),
    typed: items.map(({ typed }) => typed),
  }))
  return { type, sample }
}

function arrayOf(shape: Shape): Shape {
  const type = `${shape.type}[2]`
  const sample = fc.tuple(nullable(shape), nullable(shape)).map(items => ({
    sql: `[${items.map(({ sql }) => sql).join(', ')}]::${type}`,
    json: items.map(({ json }) => json),
    typed: items.map(({ typed }) => typed),
  }))
  return { type, sample }
}

const NAMES = ['a', 'with space', `quo"te'`, 'ключ', '😀', 'select', '$a', 'back\\slash', 'C']
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

function structOf(entries: readonly { readonly name: string; readonly shape: Shape }[]): Shape {
  const type = `STRUCT(${entries.map(({ name, shape }) => `${identifier(name)} ${shape.type}`).join(', ')})`
  const sample = fc.tuple(...entries.map(({ shape }) => nullable(shape))).map(values => {
    const named = entries.map(({ name }, index) => ({ name, value: values[index] }))
    return {
      sql: `struct_pack(${named.map(({ name, value }) => `${identifier(name)} := ${value?.sql}`).join(', ')})::${type}`,
      json: Object.fromEntries(named.map(({ name, value }) => [name, value?.json])),
      typed: values.map(({ typed }) => typed),
    }
  })
  return { type, sample }
}

// Of the types whose values differ whenever their texts do.
const KEYS = [
  TEXT,
  ...SCALARS.filter(({ type }) => /^(INTEGER|BOOLEAN|DECIMAL\(4, 4\)|UUID|TIMESTAMP_MS)$/.test(type)),
]

function mapOf(key: Shape, shape: Shape): Shape {
  const type = `MAP(${key.type}, ${shape.type})`
  const pairs = fc.uniqueArray(fc.tuple(key.sample, nullable(shape)), {
    maxLength: 3,
    selector: ([{ json }]) => String(json),
  })
  const sample = pairs.map(entries => ({
    sql: `MAP {${entries.map(([name, value]) => `${name.sql}: ${value.sql}`).join(', ')}}::${type}`,
    json: Object.fromEntries(entries.map(([name, value]) => [String(name.json), value.json])),
    typed: entries.map(([name, value]) => [name.typed, value.typed]),
  }))
  return { type, sample }
}

const scalars = fc.constantFrom(...SCALARS)

function structs(depth: number): fc.Arbitrary<Shape> {
  return fc
    .uniqueArray(fc.constantFrom(...NAMES), {
      minLength: 1,
      maxLength: 3,
      comparator: (a, b) => a.toLowerCase() === b.toLowerCase(),
    })
    .chain(names =>
      fc
        .tuple(...names.map(name => shapes(depth).map(shape => ({ name, shape }))))
        .map(entries => structOf(entries)),
    )
}

/** Types nested at most `depth` deep: every scalar, LIST, ARRAY, STRUCT and MAP of them. */
export function shapes(depth: number): fc.Arbitrary<Shape> {
  if (depth === 0) return scalars
  return fc.oneof(
    { weight: 3, arbitrary: scalars },
    { weight: 2, arbitrary: shapes(depth - 1).map(listOf) },
    { weight: 1, arbitrary: shapes(depth - 1).map(arrayOf) },
    { weight: 2, arbitrary: structs(depth - 1) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...KEYS), shapes(depth - 1)).map(([key, of]) => mapOf(key, of)),
    },
  )
}

/** Some rows of one random column `c`, as a template and as what must come of it. */
export function columnOf(shape: Shape): fc.Arbitrary<{ template: string; values: Sample[] }> {
  return fc.array(nullable(shape), { maxLength: 6 }).map(values => {
    const rows = values.map(({ sql }, index) => `SELECT ${index} AS n, ${sql} AS c`)
    rows.push(`SELECT ${values.length} AS n, NULL::${shape.type} AS c WHERE false`)
    return { template: `SELECT c FROM (${rows.join(' UNION ALL ')}) ORDER BY n`, values }
  })
}
