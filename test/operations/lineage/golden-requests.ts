import type { Engine } from '../../../src/engine/engine.ts'
import { Failure } from '../../../src/engine/failure.ts'
import type { Snapshot } from '../../../src/lake/store/snapshot.ts'
import { answer, pin } from '../../../src/operations/answering/answer.ts'
import type { Caller, Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { casesOf, inputOf } from '../../golden/cases.ts'
import { type Lineage, stemOf } from './lineage.ts'
import { type Shown, shownOf } from './shown.ts'

type AllValues = Readonly<Record<string, unknown>>

/** A request of a golden case. */
export interface GoldenRequest {
  readonly address: string
  readonly caller: Caller
  /** Folder of its lake. */
  readonly lake: string
  readonly values: AllValues
  /** What it filters or sorts by, in the names of the table of parameters. */
  readonly names: ReadonlySet<string>
}

/** The valid requests of an operation's golden cases that have an answer in JSON. */
export function goldenRequests(operation: Operation, lineage: Lineage): GoldenRequest[] {
  return casesOf(operation).flatMap(({ lake, expectations }) =>
    expectations.flatMap(({ request: address, caller, format, refused }) => {
      const validated = validate(operation, inputOf(operation, address))
      if (refused !== null || format !== 'json' || 'faults' in validated) return []
      const names = namesOf(operation, lineage, address)
      return [{ address, caller, lake, values: validated.values, names }]
    }),
  )
}

function namesOf(operation: Operation, lineage: Lineage, address: string): Set<string> {
  const { path, query } = inputOf(operation, address)
  const specified = query.filter(([, value]) => value !== '')
  const flags = Object.entries(operation.parameters).filter(([, { absent }]) => absent === true)
  const isOff = (name: string, value: string) =>
    flags.some(([own]) => own === name) && ['false', '0'].includes(value.toLowerCase())
  return new Set([
    ...Object.keys(path),
    ...specified.filter(([name, value]) => !isOff(name, value)).map(([name]) => stemOf(name)),
    ...specified.map(([, value]) => value).filter(value => lineage.parameters.has(value)),
    ...flags.map(([name]) => name).filter(name => !specified.some(([own]) => own === name)),
    // Without a date, the latest one counts.
    ...Object.keys(operation.parameters).filter(name => name === 'date'),
    ...inEveryRequest(operation, lineage),
  ])
}

/** What is part of each request although no client names it, for example the owner of the token. */
function inEveryRequest({ parameters }: Operation, { looksAt }: Lineage): string[] {
  const own = new Set(Object.keys(parameters).map(stemOf))
  const order: { readonly enum?: readonly unknown[] } = parameters.order?.schema ?? {}
  return [...looksAt.keys()].filter(name => !own.has(name) && !order.enum?.includes(name))
}

/** The request with the values of some parameters replaced; null where one of them cannot be. */
export function withValues(
  request: GoldenRequest,
  names: readonly string[],
  replaced: (value: unknown) => unknown,
): GoldenRequest | null {
  const values = new Map(Object.entries(request.values))
  for (const name of names) {
    const value = values.get(name)
    if (value === null) continue
    const own = Array.isArray(value) ? value.map(replaced) : [replaced(value)]
    if (own.includes(null)) return null
    values.set(name, Array.isArray(value) ? own : own[0])
  }
  return { ...request, values: Object.fromEntries(values) }
}

const patient = new AbortController().signal

/** What a request shows of a snapshot; null where it is refused. */
export async function shownBy(
  operation: Operation,
  lineage: Lineage,
  { values, caller }: GoldenRequest,
  snapshot: Snapshot,
  engine: Engine,
): Promise<Shown | null> {
  try {
    const { bytes } = await answer(pin(operation, values, snapshot, caller), engine, 'json', patient)
    return shownOf(JSON.parse(Buffer.from(bytes).toString()), lineage)
  } catch (thrown) {
    if (thrown instanceof Failure && REFUSALS.includes(thrown.code)) return null
    throw thrown
  }
}

const REFUSALS: readonly string[] = ['invalid_request', 'not_found']
