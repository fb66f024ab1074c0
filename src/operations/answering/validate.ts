import { Failure } from '../../engine/failure.ts'
import { nearestName } from '../../engine/nearest-name.ts'
import { shown } from '../parameters/kinds.ts'
import { compareDecimals, type Decimal, OFFSET_MAX } from '../parameters/number.ts'
import type { Fault, Parameter } from '../parameters/parameter.ts'
import type { Operation } from './operation.ts'

/** A client's input: decoded path parameters, and the pairs of the query in their order. */
export interface Input {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
}

export type Validated =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly faults: readonly Fault[] }

/** A request that is invalid because of data; its message names every fault. */
export class InvalidRequest extends Failure {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super('invalid_request', faultText(faults))
    this.faults = faults
  }
}

/** `name[]` and `name[0]` mean `name` if it is repeatable. */
const baseName = (name: string) => name.replace(/\[\d{0,9}\]$/, '')

/**
 * Converts a client's input to typed values, or to all faults, path faults first. An empty query value is the same as
 * no value.
 */
export function validate(operation: Operation, input: Input): Validated {
  const present = input.query.filter(([, value]) => value !== '')
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const texts =
      parameter.in === 'path'
        ? [input.path[name] ?? '']
        : present.filter(pair => means(pair[0], name, parameter)).map(pair => pair[1])
    const problem = read(parameter, texts, name, values)
    if (problem !== null) faults.push(fault(name, parameter, problem))
  }
  faults.sort((a, b) => Number(a.in === 'query') - Number(b.in === 'query'))
  faults.push(...unknownNames(operation, input.query))
  if (faults.length === 0)
    faults.push(
      ...crossedBounds(operation, values),
      ...farPage(operation, values),
      ...(operation.check?.(values) ?? []),
    )
  return faults.length > 0 ? { faults } : { values }
}

/** Whether a name in a query means a parameter. */
function means(sent: string, name: string, { repeatable }: Parameter): boolean {
  return repeatable ? baseName(sent) === baseName(name) : sent === name
}

/** Parses one parameter into `values`; returns what is wrong with it, or null. */
function read(
  parameter: Parameter,
  texts: readonly string[],
  name: string,
  values: Record<string, unknown>,
): string | null {
  if (texts.length > 1 && !parameter.repeatable) return `is given ${texts.length} times, once is allowed`
  if (texts.length === 0 || texts[0] === '') {
    values[name] = parameter.absent
    return parameter.required ? 'is required' : null
  }
  const parsed = parameter.parse(texts)
  if ('problem' in parsed) return parsed.problem
  values[name] = parsed.value
  return null
}

/** Each `min_X` that is above its `max_X`. */
function crossedBounds({ parameters }: Operation, values: Readonly<Record<string, unknown>>): Fault[] {
  return Object.keys(parameters).flatMap(min => {
    const max = min.replace(/^min_/, 'max_')
    const [least, most, parameter] = [values[min], values[max], parameters[max]]
    if (max === min || !isDecimal(least) || !isDecimal(most) || parameter === undefined) return []
    return compareDecimals(least, most) > 0 ? [fault(max, parameter, `is below ${min}`)] : []
  })
}

const isDecimal = (value: unknown): value is Decimal =>
  typeof value === 'object' && value !== null && 'unscaled' in value

function farPage({ parameters }: Operation, { page, limit }: Readonly<Record<string, unknown>>): Fault[] {
  if (typeof page !== 'number' || typeof limit !== 'number' || parameters.page === undefined) return []
  const offset = (page - Number(parameters.page.absent)) * limit
  return offset > OFFSET_MAX
    ? [fault('page', parameters.page, `skips ${offset} records, at most ${OFFSET_MAX} are allowed`)]
    : []
}

function fault(name: string, parameter: Parameter, problem: string): Fault {
  return { in: parameter.in, name, problem, example: `${name}=${parameter.example}` }
}

function unknownNames(operation: Operation, query: Input['query']): Fault[] {
  const known = Object.entries(operation.parameters).filter(([, parameter]) => parameter.in === 'query')
  const names = known.map(([name]) => name)
  const unknown = [...new Set(query.map(([name]) => name))].filter(
    name => !known.some(([own, parameter]) => means(name, own, parameter)),
  )
  return unknown.map(name => {
    const nearest = names.length > 0 ? nearestName(name, names) : ''
    const example = operation.parameters[nearest]?.example
    return {
      in: 'query',
      name: shown(name),
      problem: nearest
        ? `is not a parameter here; the nearest is ${nearest}`
        : 'is not a parameter here: this operation has none',
      example: nearest ? `${nearest}=${example}` : operation.path,
    }
  })
}

/** All faults, one sentence each, for the `msg` of a 422 and the error line of a command. */
export function faultText(faults: readonly Fault[]): string {
  return faults
    .map(
      ({ in: place, name, problem, example }) =>
        `invalid ${place} input: ${name} ${problem} (for example ${example})`,
    )
    .join('; ')
}
