import { ScalarType } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { ENUMERATIONS } from '../../src/market/enumerations.ts'
import { read } from '../house/source.ts'
import {
  enumerationNotes,
  present,
  specifiedAnswer,
  specifiedEnumerations,
} from '../operations/specification/documents.ts'
import { specifiedChainFragFields } from './chain-frag-fields.ts'
import { enumerations, fieldsOf, messageNamed, typeOf } from './descriptors.ts'

const numbersOf = () =>
  Object.fromEntries(
    [...enumerations].map(([name, { values }]) => [
      name,
      Object.fromEntries(values.map(value => [value.name, value.number])),
    ]),
  )

/** Names on the wire of the values that an enumeration of src/market calls deprecated. */
const deprecatedOf = ({ prefix = '', deprecated = {} }: { prefix?: string; deprecated?: object }) =>
  Object.keys(deprecated).map(name => `${prefix}${name}`)

/** Whether each column of a dataset may be NULL, by its name, as its schema says. */
const nullable = (dataset: string): Record<string, boolean> =>
  Object.fromEntries(
    [...read(`sql/schema/${dataset}.sql`).matchAll(/^ {2}(\w+) (.*?) +--/gm)].map(
      ([, name = '', type = '']) => [name, !type.includes('NOT NULL')],
    ),
  )

/** Names of a message's optional fields. */
const optionals = (message: string) =>
  messageNamed(message)
    .fields.filter(field => typeOf(field).startsWith('optional '))
    .map(({ name }) => name)

describe('the enumerations of the proto', () => {
  test('have the names and numbers of src/market, each value of a prefix with it', () => {
    const expected = Object.entries(ENUMERATIONS).map(([name, { values, prefix = '' }]) => [
      name,
      Object.fromEntries(Object.entries(values).map(([each, number]) => [`${prefix}${each}`, number])),
    ])
    expect(numbersOf()).toEqual(Object.fromEntries(expected))
  })

  test('call the values deprecated that src/market does, and no other', () => {
    for (const [name, { values }] of enumerations) {
      const deprecated = values.filter(value => value.deprecated).map(value => value.name)
      expect(deprecated, name).toEqual(deprecatedOf(ENUMERATIONS[name] ?? {}))
    }
  })

  test('give no number to two names', () => {
    for (const [name, { proto, values }] of enumerations) {
      expect(proto.options?.allowAlias ?? false, name).toBe(false)
      expect(new Set(values.map(({ number }) => number)).size, name).toBe(values.length)
    }
  })
})

describe('the messages of the proto', () => {
  test('ChainFrag reserves every number after gamma', () => {
    const { proto, fields } = messageNamed('ChainFrag')
    expect(fields.map(({ number }) => number)).toEqual(Array.from({ length: 33 }, (_, index) => index + 1))
    // The end is exclusive: 2^29 - 1 is the greatest number of a field.
    expect(proto.reservedRange.map(({ start, end }) => [start, end])).toEqual([[34, 2 ** 29]])
  })

  test.each([
    ['ChainFrag', 'chain_frags'],
    ['OptionTrade', 'option_trades'],
    ['FlowAlert', 'flow_alerts'],
  ])('%s tells unknown from zero in the fields that the lake may not know', (message, dataset) => {
    const columns = nullable(dataset)
    const stored = messageNamed(message).fields.filter(({ name }) => name in columns)
    expect(stored.length).toBeGreaterThan(20)
    const unknown = stored.map(({ name }) => name).filter(name => columns[name])
    expect(optionals(message).filter(name => name in columns)).toEqual(unknown)
  })

  test('OptionTrade has an optional alert and optional fields of the underlying', () => {
    const columns = nullable('option_trades')
    const joined = messageNamed('OptionTrade').fields.filter(({ name }) => !(name in columns))
    expect(joined.map(field => [field.name, typeOf(field)])).toEqual(
      [
        'flow_alert_id',
        'rule_id',
        'full_name',
        'industry_type',
        'issue_type',
        'sector',
        'marketcap',
        'er_time',
        'next_earnings_date',
      ].map(name => [name, 'optional string']),
    )
  })

  test('Frame is an envelope of one message', () => {
    expect(fieldsOf('Frame')).toEqual({
      1: ['channel', 'string'],
      2: ['chain_frag', 'ChainFrag'],
      3: ['option_trade', 'OptionTrade'],
      4: ['flow_alert', 'FlowAlert'],
      5: ['response', 'Response'],
      6: ['heartbeat', 'Heartbeat'],
    })
    expect(messageNamed('Frame').oneofs.map(({ name, fields }) => [name, fields.length])).toEqual([
      ['payload', 5],
    ])
    expect(fieldsOf('Response')).toEqual({
      1: ['status', 'string'],
      2: ['reason', 'optional string'],
      3: ['warning', 'optional string'],
    })
    expect(fieldsOf('Heartbeat')).toEqual({ 1: ['tape_time', 'optional int64'] })
  })

  test('explain every field and every message', () => {
    const proto = read('src/stream/tapehouse.proto')
    const fields = [...proto.matchAll(/^ {2}(?:optional |repeated )?(?:string|int32|int64|bool) .*$/gm)]
    expect(fields.length).toBeGreaterThan(100)
    for (const [line] of fields) expect(line).toMatch(/; \/\/ \S{2,}/)
    for (const [block] of proto.matchAll(/[^\n]*\n *(?:message|enum) \w+ \{/g))
      expect(block).toMatch(/^ *\/\/ /)
  })

  test('hold neither floating point, nor numbers that a sign makes costly, nor maps', () => {
    const scalars = ['ChainFrag', 'OptionTrade', 'FlowAlert', 'Response', 'Heartbeat']
      .flatMap(name => messageNamed(name).fields)
      .map(field => (field.fieldKind === 'scalar' ? field.scalar : ScalarType.STRING))
    const { STRING, INT32, INT64, BOOL } = ScalarType
    expect([...new Set(scalars)].toSorted((one, other) => one - other)).toEqual([INT64, INT32, BOOL, STRING])
  })
})

/** The types of a field on the wire, by its type in the specification's tables of records. */
const ON_THE_WIRE: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  'string(UUID)': ['string'],
  'string(dec)': ['string'],
  date: ['string'],
  integer: ['int32', 'int64'],
  boolean: ['bool'],
  ts: ['int64'],
  'ts(us)': ['int64'],
  array: ['repeated string'],
  'array of string': ['repeated string'],
}

describe.skipIf(!present)('the specification in ../shared', () => {
  test('has the same enumerations, names and numbers', () => {
    expect(numbersOf()).toEqual(specifiedEnumerations())
  })

  test('calls the same values deprecated', () => {
    const specified = enumerationNotes()
    for (const [name, { values }] of enumerations) {
      const expected = specified.deprecated(name).map(([value]) => value)
      const ours = values.filter(value => value.deprecated).map(value => value.name)
      expect(
        ours.map(value => value.replace(/^STRATEGY_/, '')),
        name,
      ).toEqual(expected)
    }
  })

  test('numbers and types the fields of ChainFrag so, and the decisions add the 33rd', () => {
    const ours = Object.entries(fieldsOf('ChainFrag')).map(([number, [name, type]]) => [
      Number(number),
      name,
      type.replace('optional ', ''),
    ])
    const specified = specifiedChainFragFields()
    expect(specified).toHaveLength(33)
    expect(ours).toEqual(specified)
  })

  test.each([
    ['OptionTrade', 'contract-flow'],
    ['FlowAlert', 'flow-alerts'],
  ])('has the fields of the record of %s, in its order', (message, operation) => {
    const specified = specifiedAnswer(operation).get('data[]') ?? []
    const { fields } = messageNamed(message)
    expect(fields.map(({ name }) => name)).toEqual(specified.map(({ name }) => name))
    expect(fields.map(({ number }) => number)).toEqual(specified.map((_, index) => index + 1))
    for (const [index, field] of fields.entries())
      expect(ON_THE_WIRE[specified[index]?.type ?? ''], field.name).toContain(
        typeOf(field).replace('optional ', ''),
      )
  })
})
