import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf'
import { reflect } from '@bufbuild/protobuf/reflect'

/** Messages with a value in each field, and the same values as plain text. */

/** Fields by name: integers as text, null where absent. */
export type Plain = { readonly [name: string]: string | boolean | null | readonly string[] | Plain }

export interface Sample {
  readonly message: Message
  readonly plain: Plain
}

type Value = string | number | bigint | boolean
type ByScalar = Readonly<Partial<Record<ScalarType, readonly Value[]>>>

/** Values at the ends of each type, of which a field takes one after its number. */
const FULL: ByScalar = {
  [ScalarType.STRING]: [
    '0.0000000001',
    'AAPL240119C00190000',
    'Société Générale – 株式 📈',
    '-12.5',
    'a\0b"\\\n',
  ],
  [ScalarType.INT32]: [1, 127, 128, 2 ** 31 - 1, -1, -(2 ** 31)],
  [ScalarType.INT64]: [1n, 1705674600123n, 2n ** 53n + 1n, 2n ** 63n - 1n, -1n, -(2n ** 63n)],
  [ScalarType.BOOL]: [true],
}

const ZERO: ByScalar = {
  [ScalarType.STRING]: [''],
  [ScalarType.INT32]: [0],
  [ScalarType.INT64]: [0n],
  [ScalarType.BOOL]: [false],
}

const isOptional = (field: DescField) => field.fieldKind === 'scalar' && field.proto.proto3Optional
const plainOf = (value: Value) => (typeof value === 'boolean' ? value : String(value))

function valueFor(values: ByScalar, scalar: ScalarType, number: number): Value {
  const choice = values[scalar] ?? []
  const value = choice[number % choice.length]
  if (value === undefined) throw new Error(`no sample is known of the type ${ScalarType[scalar]}`)
  return value
}

/** Takes values for the fields that are not optional from the one, for those that are from the other: null, absent. */
function sample(schema: DescMessage, always: ByScalar, optional: ByScalar | null, list: number): Sample {
  const message = create(schema)
  const fields = reflect(schema, message)
  const plain: Record<string, Plain[string]> = {}
  for (const field of schema.fields) {
    const { name, number } = field
    if (field.fieldKind === 'list' && field.listKind === 'scalar') {
      const items = Array.from({ length: list }, (_, at) => valueFor(FULL, field.scalar, number + at))
      for (const item of items) fields.get(field).add(item)
      plain[name] = items.map(String)
      continue
    }
    if (field.fieldKind !== 'scalar') throw new Error(`no sample is known of ${field.toString()}`)
    const values = isOptional(field) ? optional : always
    if (values === null) plain[name] = null
    else {
      const value = valueFor(values, field.scalar, number)
      fields.set(field, value)
      plain[name] = plainOf(value)
    }
  }
  return { message, plain }
}

/** A message that is full, one of zeros and empty text that are known, one of which nothing optional is known. */
export const samplesOf = (schema: DescMessage): Readonly<Record<string, Sample>> => ({
  full: sample(schema, FULL, FULL, 3),
  zero: sample(schema, ZERO, ZERO, 0),
  unknown: sample(schema, ZERO, null, 1),
})
