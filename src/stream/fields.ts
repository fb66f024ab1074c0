import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { ChainFragSchema, FlowAlertSchema, OptionTradeSchema } from './tapehouse_pb.ts'

/** The schema of each kind of message, and the field with its contract. */
const KINDS = {
  chain_frags: { schema: ChainFragSchema, contract: 'option_symbol' },
  option_trades: { schema: OptionTradeSchema, contract: 'option_chain_id' },
  flow_alerts: { schema: FlowAlertSchema, contract: 'option_chain' },
} as const satisfies Record<string, { schema: DescMessage; contract: string }>

export type MessageKind = keyof typeof KINDS

/** A field of a message. */
export interface Field {
  /** Its name in the proto, which is also the name of its column and its name on the socket. */
  readonly name: string
  /** Its name in ProtoJSON. */
  readonly jsonName: string
  readonly number: number
  readonly type: FieldType
  /** Whether an unknown value differs from zero and from empty text: `optional` in the proto. */
  readonly optional: boolean
}

export type FieldType = 'string' | 'int32' | 'int64' | 'bool' | 'strings'

const SCALARS: Readonly<Partial<Record<ScalarType, FieldType>>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.INT32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.BOOL]: 'bool',
}

/** The presence of `optional` fields in proto3. */
const EXPLICIT = 1

function typeOf(field: DescField): FieldType {
  const type =
    field.fieldKind === 'list' && field.listKind === 'scalar' && field.scalar === ScalarType.STRING
      ? 'strings'
      : field.fieldKind === 'scalar' && SCALARS[field.scalar]
  if (!type) throw new Error(`${field.toString()}: its type is not supported`)
  return type
}

/** The fields of a kind of message by number, which is the order in which they are written. */
export function fieldsOf(kind: MessageKind): readonly Field[] {
  return KINDS[kind].schema.fields
    .map(field => ({
      name: field.name,
      jsonName: field.jsonName,
      number: field.number,
      type: typeOf(field),
      optional: field.presence === EXPLICIT,
    }))
    .toSorted((one, other) => one.number - other.number)
}

/** The name of the field with a message's contract. */
export const contractField = (kind: MessageKind): string => KINDS[kind].contract
