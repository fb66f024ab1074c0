import { Failure } from '../../engine/failure.ts'
import { nearestName } from '../../engine/nearest-name.ts'
import { OFFSET_MAX, offsetOf } from '../parameters/number.ts'
import type { Fault, Parameter, Parameters } from '../parameters/parameter.ts'
import { type Parsed, type Problem, parseEach, refused, sentence, shown } from '../parameters/problem.ts'
import { crossedBounds } from './crossed.ts'
import { defaultsOf, namesOf, parameterNamed } from './names.ts'
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

/**
 * Converts a client's input to typed values, or to all faults, path faults first. An empty query value is the same as
 * no value. An unknown parameter is a fault unless it is ignored.
 *
 * The work grows with the parameters that were sent, and not with those that the operation has.
 */
export function validate(
  operation: Operation,
  input: Input,
  isIgnored: (name: string) => boolean = () => false,
): Validated {
  const { parameters } = operation
  const { defaults, required } = defaultsOf(parameters)
  const { texts, unknown } = sentTexts(parameters, input)
  const values: Record<string, unknown> = { ...defaults }
  const refusals = new Map<string, readonly Problem[]>()
  for (const name of new Set([...required, ...texts.keys()])) {
    const read = readTexts(parameters[name] as Parameter, texts.get(name) ?? [])
    if ('value' in read) values[name] = read.value
    else {
      // Faulty parameters have no value: what depends on them is not checked.
      delete values[name]
      refusals.set(name, read.problems)
    }
  }
  const faults: Fault[] = [
    ...refusedFaults(operation, values, refusals),
    ...unknownFaults(
      operation,
      unknown.filter(name => !isIgnored(name)),
    ),
    ...crossedBounds(parameters, values, name => texts.get(name)?.[0] ?? ''),
    ...farPage(operation, values),
    ...(operation.check?.(values) ?? []),
  ]
  if (faults.length === 0) return { values, ignored: unknown }
  return { faults: faults.sort((a, b) => Number(a.in === 'query') - Number(b.in === 'query')) }
}

/** A fault for each problem, in the order of the parameters. */
function refusedFaults(
  { parameters, fitting }: Operation,
  values: Readonly<Record<string, unknown>>,
  refusals: ReadonlyMap<string, readonly Problem[]>,
): Fault[] {
  if (refusals.size === 0) return []
  const examples = fitting?.(values) ?? {}
  return Object.entries(parameters).flatMap(([name, parameter]) =>
    (refusals.get(name) ?? []).map(problem => fault(name, parameter, sentence(problem), examples[name])),
  )
}

/** The texts that were sent for each parameter, without empty ones, and the names of the query that are no parameters. */
function sentTexts(parameters: Parameters, { path, query }: Input) {
  const texts = new Map<string, string[]>()
  const add = (name: string, text = '') => {
    if (text === '') return
    const others = texts.get(name)
    if (others === undefined) texts.set(name, [text])
    else others.push(text)
  }
  for (const name of namesOf(parameters).inPath) add(name, path[name])
  const unknown = new Set<string>()
  for (const [sent, text] of query) {
    const name = parameterNamed(parameters, sent)
    if (name === null) unknown.add(sent)
    else add(name, text)
  }
  return { texts, unknown: [...unknown] }
}

/** Reads the texts of a parameter that is required or was sent. */
function readTexts({ repeatable, parse }: Parameter, texts: readonly string[]): Parsed<unknown> {
  if (texts.length === 0) return refused('is required')
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

/** Unknown parameters that are named. A URL has room for thousands, and finding the nearest name of each takes time. */
const UNKNOWN_NAMED = 10

function unknownFaults(operation: Operation, unknown: readonly string[]): Fault[] {
  const faults = unknown.slice(0, UNKNOWN_NAMED).map(name => unknownFault(operation, name))
  const more = unknown.length - faults.length
  if (more > 0)
    faults.push({
      in: 'query',
      name: `${more} more ${more === 1 ? 'name' : 'names'}`,
      problem: more === 1 ? 'is not a parameter here' : 'are not parameters here',
      example: operation.path,
    })
  return faults
}

function unknownFault({ parameters, path }: Operation, sent: string): Fault {
  const names = [...namesOf(parameters).inQuery]
  const name = shown(sent)
  if (names.length === 0)
    return { in: 'query', name, problem: 'is not a parameter here: this operation has none', example: path }
  const nearest = nearestName(sent.slice(0, name.length), names)
  return {
    in: 'query',
    name,
    problem: `is not a parameter here; the nearest is ${nearest}`,
    example: `${nearest}=${parameters[nearest]?.example}`,
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
