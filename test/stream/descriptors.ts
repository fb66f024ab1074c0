import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { file_tapehouse } from '../../src/stream/tapehouse_pb.ts'

/** The compiled proto as plain names, numbers and types. */

export function messageNamed(name: string): DescMessage {
  const found = file_tapehouse.messages.find(message => message.name === name)
  if (!found) throw new Error(`src/stream/tapehouse.proto has no message ${name}`)
  return found
}

const TYPES: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.INT32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.BOOL]: 'bool',
}

/** As the proto writes it: `int64`, `optional string`, `repeated string`, or the name of a message. */
export function typeOf(field: DescField): string {
  if (field.fieldKind === 'message') return field.message.name
  if (field.fieldKind === 'list' && field.listKind === 'scalar') return `repeated ${TYPES[field.scalar]}`
  if (field.fieldKind === 'scalar')
    return `${field.proto.proto3Optional ? 'optional ' : ''}${TYPES[field.scalar]}`
  throw new Error(`${field.toString()}: such a field is not expected here`)
}

/** Name and type of each field by its number. */
export const fieldsOf = (name: string): Record<number, [name: string, type: string]> =>
  Object.fromEntries(messageNamed(name).fields.map(field => [field.number, [field.name, typeOf(field)]]))

/** Every enumeration by its name in the package, those within messages among them. */
export const enumerations: ReadonlyMap<string, DescEnum> = new Map(
  [...file_tapehouse.enums, ...file_tapehouse.messages.flatMap(message => message.nestedEnums)].map(each => [
    each.typeName.replace('tapehouse.', ''),
    each,
  ]),
)
