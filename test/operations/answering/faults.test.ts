import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, type Input, validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import type { Fault, Parameter } from '../../../src/operations/parameters/parameter.ts'

/** Each invalid request names all of its faults at once: driven from the parameters of the 29 operations. */

const entriesOf = ({ parameters }: Operation) => Object.entries(parameters)

/** No parameter takes these, not even free text. They differ by parameter. */
const badTexts = (name: string) => [`~${name}\u0001`, `!${name}\u0002`] as const

/** A request whose path and query have these texts by parameter, and required parameters their examples. */
function inputWith(
  operation: Operation,
  texts: (name: string, parameter: Parameter) => readonly string[],
): Input {
  const path: Record<string, string> = {}
  const query: [string, string][] = []
  for (const [name, parameter] of entriesOf(operation)) {
    const own = texts(name, parameter)
    const sent = own.length === 0 && parameter.required ? [parameter.example] : own
    if (parameter.in === 'path') path[name] = sent[0] ?? ''
    else query.push(...sent.map((text): [string, string] => [name, text]))
  }
  return { path, query }
}

function faultsOf(operation: Operation, input: Input): readonly Fault[] {
  const validated = validate(operation, input)
  return 'faults' in validated ? validated.faults : []
}

const UNKNOWN = ['zzz', 'zzy'].map((name): [string, string] => [name, '1'])

test.each(operations)('$id: two bad values of each parameter, and unknown ones', operation => {
  const bad = inputWith(operation, name => badTexts(name))
  const message = faultText(faultsOf(operation, { ...bad, query: [...bad.query, ...UNKNOWN] }))
  for (const [name, parameter] of entriesOf(operation)) {
    expect(message).toContain(`invalid ${parameter.in} input: ${name} `)
    const sent = parameter.in === 'path' ? badTexts(name).slice(0, 1) : badTexts(name)
    for (const text of sent) expect(message).toContain(JSON.stringify(text))
  }
  for (const [name] of UNKNOWN) expect(message).toContain(`invalid query input: "${name}" is not a parameter`)
  expect(message.lastIndexOf('invalid path')).toBeLessThan(message.indexOf('invalid query'))
})

/** Texts that commas join to one value of a parameter. */
const joins = ({ schema, example, parse }: Parameter) =>
  !('maxLength' in schema) && 'value' in parse([`${example},${example}`])

const joined = operations.flatMap(operation =>
  entriesOf(operation)
    .filter(([, parameter]) => joins(parameter))
    .map(([name, parameter]) => ({ id: operation.id, name, operation, parameter })),
)

test('values that commas join are of these parameters', () => {
  expect(joined.map(({ id, name }) => `${id} ${name}`)).toEqual([
    'alerts ticker_symbols',
    'alerts noti_types[]',
    'analytics-window symbols',
    'analytics-window calculations',
    'flow-alerts ticker_symbol',
    'flow-alerts rule_name[]',
    'flow-alerts issue_types[]',
    'institution-holdings ticker_symbol',
    'institution-holdings security_types',
    'institutions tags[]',
    'screener-option-contracts ticker_symbol',
    'screener-option-contracts sectors[]',
    'screener-option-contracts issue_types[]',
  ])
})

test.each(joined)('$id: each bad one of $name', ({ name, operation, parameter }) => {
  const text = ['1A', parameter.example, '2B', '3C'].join(',')
  const message = faultText(
    faultsOf(
      operation,
      inputWith(operation, own => (own === name ? [text] : [])),
    ),
  )
  expect(message).toContain(`${name} has "1A", "2B" and "3C", none of which is `)
})

/** Two texts, the first above the second, that both bounds take. */
function crossedTexts(lower: Parameter, upper: Parameter): readonly [string, string] {
  const candidates = ['2024-02-02', '2024-01-01', '2', '1', '0.5', '0.1', '0', '-0.5', '-1']
  const valid = candidates.filter(text => 'value' in lower.parse([text]) && 'value' in upper.parse([text]))
  const [above, below] = [valid[0], valid.at(-1)]
  if (above === undefined || below === undefined || above === below) throw new Error('no two texts')
  return [above, below]
}

const UPPER_OF = { min_: 'max_', newer_: 'older_', start_: 'end_' }

/** The pairs of bounds of an operation. */
const pairsOf = ({ parameters }: Operation) =>
  Object.keys(parameters).flatMap(lower =>
    Object.entries(UPPER_OF)
      .filter(([prefix]) => lower.startsWith(prefix))
      .map(([prefix, other]) => ({ lower, upper: lower.replace(prefix, other) }))
      .filter(({ upper }) => upper in parameters),
  )

describe('crossed bounds, beside a bad value and an unknown parameter', () => {
  const all = operations.filter(operation => pairsOf(operation).length > 0)
  test('are of these operations', () => {
    expect(all.map(({ id }) => id)).toEqual([
      'alerts',
      'flow-alerts',
      'institution-holdings',
      'institutions',
      'screener-option-contracts',
    ])
  })
  test.each(all)('$id', operation => {
    const { parameters } = operation
    const texts = new Map(
      pairsOf(operation).flatMap(({ lower, upper }) => {
        const [above, below] = crossedTexts(parameters[lower] as Parameter, parameters[upper] as Parameter)
        return [
          [lower, [above]],
          [upper, [below]],
          ['limit', ['no']],
        ]
      }),
    )
    const input = inputWith(operation, name => texts.get(name) ?? [])
    const faults = faultsOf(operation, { ...input, query: [...input.query, ...UNKNOWN] })
    const message = faultText(faults)
    for (const { lower, upper } of pairsOf(operation))
      expect(message).toMatch(new RegExp(`${upper} is (below|before) ${lower} `))
    expect(message).toContain('limit is "no"')
    expect(message).toContain('"zzz" is not a parameter')
    const rest = faults.filter(({ problem }) => !/^is (below|before) /.test(problem))
    expect(rest).toHaveLength(1 + UNKNOWN.length)
  })
})

/** The request with what a fault's example says instead of its own texts. */
function mended({ path, query }: Input, { in: place, name, example }: Fault): Input {
  const pairs = [...new URLSearchParams(example)]
  if (place === 'path') return { path: { ...path, ...Object.fromEntries(pairs) }, query }
  const replaced = new Set([...pairs.map(([own]) => own), name.replaceAll('"', '')])
  return { path, query: [...query.filter(([own]) => !replaced.has(own)), ...pairs] }
}

/** Whatever is wrong, the example of its message is right: with it, the request has no fault. */
describe('the example of a fault mends it', () => {
  const requests = (operation: Operation): readonly Input[] => [
    ...Object.keys(operation.parameters).flatMap(name =>
      [badTexts(name).slice(0, 1), badTexts(name)].map(texts =>
        inputWith(operation, own => (own === name ? texts : [])),
      ),
    ),
    ...pairsOf(operation).map(({ lower, upper }) => {
      const { parameters } = operation
      const [above, below] = crossedTexts(parameters[lower] as Parameter, parameters[upper] as Parameter)
      return inputWith(operation, own => (own === lower ? [above] : own === upper ? [below] : []))
    }),
  ]
  test.each(operations.filter(({ parameters }) => Object.keys(parameters).length > 0))('$id', operation => {
    for (const input of requests(operation)) {
      const [fault] = faultsOf(operation, input)
      if (fault === undefined) throw new Error(`no fault: ${JSON.stringify(input)}`)
      expect(faultText(faultsOf(operation, mended(input, fault))), fault.problem).toBe('')
    }
  })
})

test.each(operations)(
  '$id: of thousands of unknown parameters, ten are named and the others counted',
  operation => {
    const valid = inputWith(operation, () => [])
    const names = Array.from({ length: 3600 }, (_, index) => `unknown${index}`)
    const query = [...valid.query, ...names.map((name): [string, string] => [name, ''])]
    const faults = faultsOf(operation, { ...valid, query })
    expect(faults.map(({ name }) => name)).toEqual([
      ...names.slice(0, 10).map(name => `"${name}"`),
      '3590 more names',
    ])
    expect(faultText(faults)).toMatch(
      /; invalid query input: 3590 more names are not parameters here \(for example \/api\/\S+\)$/,
    )
    // At most as many texts as a URL has room for, but one of them long.
    const [long] = faultsOf(operation, { ...valid, query: [...valid.query, ['x'.repeat(16_000), '1']] })
    expect(long?.name).toBe(`"${'x'.repeat(60)}…"`)
  },
)

test('eleven unknown parameters: the last one is counted as one', () => {
  const operation = operations.find(({ id }) => id === 'economy') as Operation
  const valid = inputWith(operation, () => [])
  const names = Array.from({ length: 11 }, (_, index): [string, string] => [`unknown${index}`, ''])
  expect(faultText(faultsOf(operation, { ...valid, query: [...valid.query, ...names] }))).toMatch(
    /; invalid query input: 1 more name is not a parameter here \(for example \S+\)$/,
  )
})
