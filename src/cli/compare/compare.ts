import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Client, Received } from './client.ts'
import { type Difference, differencesOf, KINDS, type Kind } from './differences.ts'
import type { Recorded } from './recording.ts'

/** What a server answers to recorded requests, by operation. */

/** A difference, the first request that shows it, and the number of requests that do. */
export interface Found extends Difference {
  readonly requests: number
  readonly first: string
}

export interface Compared {
  /** The id of the operation; null for paths that are none. */
  readonly operation: string | null
  readonly requests: number
  readonly equal: number
  /** Requests with a difference of each kind. */
  readonly counts: Readonly<Record<Kind, number>>
  readonly differences: readonly Found[]
  /** Whether there are more differences than are listed. */
  readonly more: boolean
}

/** Differences of an operation that are kept. */
const DIFFERENCES_MAX = 200

/** Sends each request and compares the answers. Rejects as `Client.get` does, and with `usage` for a wrong token. */
export async function compare(
  requests: readonly Recorded[],
  operations: readonly Operation[],
  client: Client,
  observe: Observe,
  signal: AbortSignal,
): Promise<Compared[]> {
  const find = finder(operations)
  const tallies = new Map<string | null, Tally>()
  for (const [index, recorded] of requests.entries()) {
    observe({ kind: 'progress', task: 'compare', done: index, total: requests.length, unit: 'requests' })
    const operation = find(recorded.address)
    const tally = tallies.get(operation) ?? openTally()
    tallies.set(operation, tally)
    const received = operation === null ? null : await client.get(recorded.address, signal)
    if (received?.status === 401 && recorded.status !== 401)
      throw new Failure('usage', 'the server refuses the request with 401: pass its token with --token-file')
    tally.add(recorded, received === null ? [NO_OPERATION] : answerDifferences(recorded, received))
  }
  const order = [...operations.map(({ id }) => id), null]
  return order.flatMap(id => {
    const tally = tallies.get(id)
    return tally ? [tally.compared(id)] : []
  })
}

const NO_OPERATION: Difference = { kind: 'status', at: '', recorded: 'a path', server: 'no operation' }

/** The id of the operation of an address. */
function finder(operations: readonly Operation[]): (address: string) => string | null {
  const patterns = operations.map(({ id, path }) => ({
    id,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }))
  return address => {
    const [path = ''] = address.split('?')
    return patterns.find(({ pattern }) => pattern.test(path))?.id ?? null
  }
}

/** Bodies are compared of status 200 only: those of errors have ids and texts of their own. */
function answerDifferences(recorded: Recorded, received: Received): Difference[] {
  if (recorded.status !== received.status)
    return [{ kind: 'status', at: '', recorded: `${recorded.status}`, server: `${received.status}` }]
  return recorded.status === 200 && recorded.body !== undefined
    ? differencesOf(recorded.body, received.body)
    : []
}

interface Tally {
  add(recorded: Recorded, differences: readonly Difference[]): void
  compared(operation: string | null): Compared
}

function openTally(): Tally {
  const found = new Map<string, Found>()
  const counts: Record<Kind, number> = { status: 0, fields: 0, types: 0, values: 0 }
  let [requests, equal, more] = [0, 0, false]
  return {
    add({ place, address }, differences) {
      requests += 1
      if (differences.length === 0) equal += 1
      for (const kind of KINDS) if (differences.some(each => each.kind === kind)) counts[kind] += 1
      for (const difference of differences) {
        const key = `${difference.kind} ${difference.at}`
        const before = found.get(key)
        if (before) found.set(key, { ...before, requests: before.requests + 1 })
        else if (found.size < DIFFERENCES_MAX)
          found.set(key, { ...difference, requests: 1, first: `${place}, ${address}` })
        else more = true
      }
    },
    compared: operation => {
      const differences = KINDS.flatMap(kind => [...found.values()].filter(each => each.kind === kind))
      return { operation, requests, equal, counts, differences, more }
    },
  }
}
