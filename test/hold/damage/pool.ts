import { addressFor, inputFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { allFiles, type LakeFile, type Snapshot } from '../../../src/lake/store/snapshot.ts'
import { pin } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'

/** A request, and the files that it needs, by name. */
export interface Needing {
  readonly url: string
  readonly files: ReadonlySet<string>
}

type Values = Readonly<Record<string, string>>

/** Parameters with a date, so that files of all days are needed by some request. */
const DATES = ['date', 'trade_date', 'start_date', 'from']
/** Requests of an operation. */
const EXAMPLES = 6

const ANYONE = { owner: 'all', admin: true }

/** Valid requests of all operations for all days of a lake, without those that need the same files as another one. */
export async function requestPool(snapshot: Snapshot, engine: Engine): Promise<Needing[]> {
  const signal = new AbortController().signal
  const days = [...new Set(allFiles(snapshot).flatMap(({ dates }) => dates))].toSorted()
  const pool = new Map<string, Needing>()
  for (const operation of operations) {
    const found = (await requestsFor(operation, snapshot, engine, signal)).slice(0, EXAMPLES)
    const dated = DATES.filter(name => name in operation.parameters)
    const values = [
      ...found,
      ...found.flatMap(each => dated.flatMap(name => days.map(day => ({ ...each, [name]: day })))),
    ]
    for (const each of values) {
      const files = filesOf(operation, each, snapshot)
      if (files === null || files.size === 0) continue
      const key = `${operation.id} ${[...files].toSorted().join(' ')}`
      if (!pool.has(key)) pool.set(key, { url: addressFor(operation, each), files })
    }
  }
  return [...pool.values()]
}

/** Null if the values are not valid together. */
function filesOf(operation: Operation, values: Values, snapshot: Snapshot): ReadonlySet<string> | null {
  const validated = validate(operation, inputFor(operation, values))
  if ('faults' in validated) return null
  const { files } = pin(operation, validated.values, snapshot, ANYONE)
  return new Set([...files.values()].flat().map(({ name }: LakeFile) => name))
}
