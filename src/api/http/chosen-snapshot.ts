import { Failure } from '../../engine/failure.ts'
import type { LoadedSnapshot } from '../../lake/store/snapshot.ts'
import type { Input } from '../../operations/answering/validate.ts'
import type { Fault } from '../../operations/parameters/parameter.ts'
import { shown } from '../../operations/parameters/problem.ts'
import { SNAPSHOT } from '../openapi/parameters.ts'
import type { Service } from '../service/service.ts'

/**
 * Separates a parameter of all operations from those of the operation. Where the server does not permit it, it is an
 * unknown parameter of the operation.
 */
export function splitParameter(
  name: string,
  isPermitted: boolean,
  input: Input,
): { own: Input; wanted: readonly string[] } {
  if (!isPermitted) return { own: input, wanted: [] }
  const isOwn = ([sent]: Input['query'][number]) => sent !== name
  return {
    own: { ...input, query: input.query.filter(isOwn) },
    wanted: input.query.filter(pair => !isOwn(pair) && pair[1] !== '').map(([, value]) => value),
  }
}

/**
 * The number of the snapshot that a request names, null if it names none, or what is wrong with its name. Reads no
 * manifest.
 */
export async function findSnapshot(
  { snapshots }: Service,
  served: LoadedSnapshot,
  wanted: readonly string[],
): Promise<{ number: number | null } | { fault: Fault }> {
  const [text] = wanted
  if (snapshots === undefined || text === undefined) return { number: null }
  const faulty = (problem: string) => ({
    fault: { in: 'query' as const, name: SNAPSHOT, problem, example: `${SNAPSHOT}=${served.number}` },
  })
  if (wanted.length > 1) return faulty(`is given ${wanted.length} times, once is allowed`)
  try {
    return { number: await snapshots.find(text) }
  } catch (thrown) {
    const code = thrown instanceof Failure ? thrown.code : ''
    if (code === 'usage') return faulty(`must be the number or the name of a snapshot, not ${shown(text)}`)
    if (code === 'not_found') return faulty(`names no snapshot of this lake: ${shown(text)}`)
    throw thrown
  }
}

/** The snapshot of that number; null: the served one. Rejects with overloaded, not_found or lake_damaged. */
export async function loadChosen(
  { snapshots }: Service,
  served: LoadedSnapshot,
  number: number | null,
): Promise<LoadedSnapshot> {
  return snapshots === undefined || number === null || number === served.number
    ? served
    : snapshots.load(number)
}
