import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Parameter } from '../../../src/operations/parameters/parameter.ts'

/**
 * What a parameter does to the records of an answer:
 * - `subject`: what the request is about. Another value is another question.
 * - `bound`: `min_X` or `max_X`. `flag`: true or false. `list`: any of several values. `choice`: one of a few values.
 * - `tickers`: tickers to keep or to exclude. `value`: one value to keep.
 * - `day`, `moment`: a bound in time. `months`: how far back. `text`: a part of a text.
 * - `page`, `order`: which of the records, and their order.
 */
export type Kind =
  | 'subject'
  | 'bound'
  | 'flag'
  | 'list'
  | 'choice'
  | 'tickers'
  | 'value'
  | 'day'
  | 'moment'
  | 'months'
  | 'text'
  | 'page'
  | 'order'

/** Optional parameters that are about another answer, and not about fewer records of the same one, each with the reason. */
const SUBJECTS: Readonly<Record<string, string>> = {
  'analytics-window range_end': 'the end of a window, from which figures are computed',
  'analytics-window interval': 'the distance of prices, from which figures are computed',
  'analytics-window ohlc': 'which price figures are computed from',
  'economy interval': 'another series',
  'economy maturity': 'another series',
  'fec-companies cycle': 'another cycle',
}

/** What of a parameter's schema the laws use. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
}

/** The kinds, each with how its schema and its name show it; the first that fits counts. */
const RECOGNISED: readonly (readonly [
  Kind,
  (name: string, schema: Schema, parameter: Parameter) => boolean,
])[] = [
  ['subject', (_name, _schema, parameter) => parameter.in === 'path' || parameter.required],
  ['page', name => name === 'limit' || name === 'page'],
  ['order', name => name === 'order' || name === 'order_direction'],
  ['bound', (name, { type }) => /^m(in|ax)_/.test(name) && (type === 'number' || type === 'integer')],
  ['flag', (_, { type }) => type === 'boolean'],
  ['list', (_name, _schema, { repeatable }) => repeatable],
  ['choice', (_, schema) => schema.enum !== undefined],
  ['day', (_, { format }) => format === 'date'],
  ['tickers', (_, { pattern }) => pattern?.startsWith('^-?[') ?? false],
  ['moment', name => name.endsWith('_than')],
  ['value', (_, { pattern }) => pattern !== undefined],
  ['months', name => name.endsWith('_months')],
  ['text', (_, { maxLength }) => maxLength !== undefined],
]

/** What a parameter of an operation does. Throws for a kind that no law is about. */
export function kindOf({ id, parameters }: Operation, name: string): Kind {
  if (`${id} ${name}` in SUBJECTS) return 'subject'
  const parameter = parameters[name]
  const found = parameter && RECOGNISED.find(([, is]) => is(name, parameter.schema as Schema, parameter))
  if (found === undefined)
    throw new Error(
      `${id}: no law is about parameters such as ${name}: add its kind to test/operations/laws/parameter-kinds.ts`,
    )
  return found[0]
}

/** The parameters of some kinds, in the order of the operation. */
export const parametersOf = (operation: Operation, ...kinds: readonly Kind[]): string[] =>
  Object.keys(operation.parameters).filter(name => kinds.includes(kindOf(operation, name)))

export const schemaOf = ({ parameters }: Operation, name: string): Schema =>
  (parameters[name]?.schema ?? {}) as Schema

/** The values of a parameter's schema: of an enumeration, or of the items of a list of them. */
export function valuesOf(operation: Operation, name: string): readonly string[] {
  const { items, enum: values } = schemaOf(operation, name)
  return items?.enum ?? values ?? []
}

/** The name of what a bound or a list is about: `min_volume` and `volume`, `sectors[]` and `sectors`. */
export const stemOf = (name: string) => name.replace(/^m(in|ax)_/, '').replace('[]', '')
