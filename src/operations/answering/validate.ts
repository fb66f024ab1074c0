import { Failure } from '../../engine/failure.ts'
import { nearestName } from '../../engine/nearest-name.ts'
import { OFFSET_MAX, offsetOf } from '../parameters/number.ts'
import type { Fault, Parameter } from '../parameters/parameter.ts'
import { type Parsed, type Problem, parseEach, refused, sentence, shown } from '../parameters/problem.ts'
import { crossedBounds } from './crossed.ts'
import type { Operation } from './operation.ts'

/** A client's input: decoded path parameters, and the pairs of the query in their order. */
export interface Input {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
}

export type Validated =
  | {
      readonly values: Readonly<Record<string, unknown>>
      /** Names of the query that are no parameters, where the caller ignores them. */
      readonly ignored: readonly string[]
    }
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
 * no value. An unknown parameter is a fault unless it is ignored.
 */
export function validate(
  operation: Operation,
  input: Input,
  isIgnored: (name: string) => boolean = () => false,
): Validated {
  const values: Record<string, unknown> = {}
  const refusals: [name: string, parameter: Parameter, problems: readonly Problem[]][] = []
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const read = readTexts(parameter, textsOf(input, name, parameter))
    if ('value' in read) values[name] = read.value
    else refusals.push([name, parameter, read.problems])
  }
  // Faulty parameters have no value: what depends on them is not checked.
  const examples = operation.fitting?.(values) ?? {}
  const faults: Fault[] = refusals.flatMap(([name, parameter, problems]) =>
    problems.map(problem => fault(name, parameter, sentence(problem), examples[name])),
  )
  const unknown = unknownNames(operation, input.query)
  const sent = (name: string) => textsOf(input, name, operation.parameters[name])[0] ?? ''
  faults.push(
    ...unknown.filter(name => !isIgnored(name)).map(name => unknownFault(operation, name)),
    ...crossedBounds(operation.parameters, values, sent),
    ...farPage(operation, values),
    ...(operation.check?.(values) ?? []),
  )
  faults.sort((a, b) => Number(a.in === 'query') - Number(b.in === 'query'))
  return faults.length > 0 ? { faults } : { values, ignored: unknown.filter(isIgnored) }
}

/** The texts of a parameter. An empty one in the query is the same as none. */
function textsOf(input: Input, name: string, parameter: Parameter | undefined): readonly string[] {
  if (parameter === undefined) return []
  if (parameter.in === 'path') return [input.path[name] ?? '']
  return input.query
    .filter(([own, value]) => value !== '' && meansParameter(own, name, parameter))
    .map(pair => pair[1])
}

/** Whether a name in a query means a parameter. */
export function meansParameter(sent: string, name: string, { repeatable }: Parameter): boolean {
  return repeatable ? baseName(sent) === baseName(name) : sent === name
}

function readTexts(
  { repeatable, required, absent, parse }: Parameter,
  texts: readonly string[],
): Parsed<unknown> {
  if (texts.length === 0 || texts[0] === '') return required ? refused('is required') : { value: absent }
  if (texts.length === 1 || repeatable) return parse(texts)
  const each = parseEach(texts, text => parse([text]))
  return refused(
    `is given ${texts.length} times, once is allowed`,
    ...('problems' in each ? each.problems : []),
  )
}

function farPage(operation: Operation, values: Readonly<Record<string, unknown>>): Fault[] {
  const { page } = operation.parameters
  const offset = offsetOf(operation, values)
  return page !== undefined && offset > OFFSET_MAX
    ? [fault('page', page, `skips ${offset} records, at most ${OFFSET_MAX} are allowed`)]
    : []
}

function fault(name: string, parameter: Parameter, problem: string, example = parameter.example): Fault {
  return { in: parameter.in, name, problem, example: `${name}=${example}` }
}

/** The names of a query that are no parameters of the operation, each once. */
function unknownNames({ parameters }: Operation, query: Input['query']): readonly string[] {
  const known = Object.entries(parameters).filter(([, parameter]) => parameter.in === 'query')
  return [...new Set(query.map(([name]) => name))].filter(
    name => !known.some(([own, parameter]) => meansParameter(name, own, parameter)),
  )
}

function unknownFault({ parameters, path }: Operation, name: string): Fault {
  const names = Object.keys(parameters).filter(own => parameters[own]?.in === 'query')
  const nearest = names.length > 0 ? nearestName(name, names) : ''
  return {
    in: 'query',
    name: shown(name),
    problem: nearest
      ? `is not a parameter here; the nearest is ${nearest}`
      : 'is not a parameter here: this operation has none',
    example: nearest ? `${nearest}=${parameters[nearest]?.example}` : path,
  }
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
