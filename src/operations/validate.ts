import { closest } from 'fastest-levenshtein'
import { shown } from './kinds.ts'
import type { Operation } from './operation.ts'
import type { Fault, Parameter } from './parameter.ts'

/** What a client sent: decoded path parameters, and the query's pairs in order. */
export interface Input {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
}

export type Validated =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly faults: readonly Fault[] }

/**
 * Turns what a client sent into typed values, or into every fault there is, path faults first. An empty query
 * value is the same as leaving the parameter out.
 */
export function validate(operation: Operation, input: Input): Validated {
  const given = input.query.filter(([, value]) => value !== '')
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const texts =
      parameter.in === 'path'
        ? [input.path[name] ?? '']
        : given.filter(pair => pair[0] === name).map(pair => pair[1])
    const problem = read(name, parameter, texts, values)
    if (problem !== null) faults.push(fault(name, parameter, problem))
  }
  faults.sort((a, b) => Number(a.in === 'query') - Number(b.in === 'query'))
  faults.push(...unknownNames(operation, input.query))
  if (faults.length === 0 && operation.check) faults.push(...operation.check(values))
  return faults.length > 0 ? { faults } : { values }
}

/** Reads one parameter into `values`; answers what is wrong with it, or null. */
function read(
  name: string,
  parameter: Parameter,
  texts: readonly string[],
  values: Record<string, unknown>,
): string | null {
  const [text, ...more] = texts
  if (more.length > 0) return `is given ${texts.length} times, once is allowed`
  if (text === undefined || text === '') {
    values[name] = parameter.absent
    return parameter.required ? 'is required' : null
  }
  const parsed = parameter.parse(text)
  if ('problem' in parsed) return parsed.problem
  values[name] = parsed.value
  return null
}

function fault(name: string, parameter: Parameter, problem: string): Fault {
  return { in: parameter.in, name, problem, example: `${name}=${parameter.example}` }
}

function unknownNames(operation: Operation, query: Input['query']): Fault[] {
  const known = Object.entries(operation.parameters).filter(([, parameter]) => parameter.in === 'query')
  const names = known.map(([name]) => name)
  const unknown = [...new Set(query.map(([name]) => name))].filter(name => !names.includes(name))
  return unknown.map(name => {
    const nearest = names.length > 0 ? closest(name, names) : ''
    const example = operation.parameters[nearest]?.example
    return {
      in: 'query',
      name: shown(name),
      problem: nearest
        ? `is not a parameter here; the nearest is ${nearest}`
        : 'is not a parameter here: this operation takes none',
      example: nearest ? `${nearest}=${example}` : operation.path,
    }
  })
}

/** All faults in one sentence each, as a 422's `msg` and a terminal's error line say them. */
export function faultText(faults: readonly Fault[]): string {
  return faults
    .map(
      ({ in: place, name, problem, example }) =>
        `invalid ${place} input: ${name} ${problem} (for example ${example})`,
    )
    .join('; ')
}
