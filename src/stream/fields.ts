import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { ChainFragSchema, FlowAlertSchema, OptionTradeSchema } from './tapehouse_pb.ts'

/** What a message of each kind is, and the field that says which contract it is about. */
const KINDS = {
  chain_frags: { schema: ChainFragSchema, contract: 'option_symbol' },
  option_trades: { schema: OptionTradeSchema, contract: 'option_chain_id' },
  flow_alerts: { schema: FlowAlertSchema, contract: 'option_chain' },
} as const satisfies Record<string, { schema: DescMessage; contract: string }>

export type MessageKind = keyof typeof KINDS

/** A field of a message as its forms need it. */
export interface Field {
  /** As the proto names it: the name of its column and its name on the socket. */
  readonly name: string
  /** Its name in ProtoJSON. */
  readonly jsonName: string
  readonly number: number
  readonly type: FieldType
  /** Whether an unknown value is told from zero and from empty text: the proto's `optional`. */
  readonly optional: boolean
}

export type FieldType = 'string' | 'int32' | 'int64' | 'bool' | 'strings'

const SCALARS: Readonly<Partial<Record<ScalarType, FieldType>>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.INT32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.BOOL]: 'bool',
}

/** proto3: the `optional` fields have a presence of their own. */
const EXPLICIT = 1

function typeOf(field: DescField): FieldType {
  const type =
    field.fieldKind === 'list' && field.listKind === 'scalar' && field.scalar === ScalarType.STRING
      ? 'strings'
      : field.fieldKind === 'scalar' && SCALARS[field.scalar]
  if (!type) throw new Error(`${field.toString()}: its type has no form on the wire here`)
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

/** Name of the field that says which contract a message is about. */
export const contractField = (kind: MessageKind): string => KINDS[kind].contract
