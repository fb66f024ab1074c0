import { inputFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Snapshot } from '../../../src/lake/store/snapshot.ts'
import { addDays } from '../../../src/market/day.ts'
import { answer, pin } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, validate } from '../../../src/operations/answering/validate.ts'
import { amount } from '../../fixtures/tier.ts'

const patient = new AbortController().signal

type Values = Readonly<Record<string, string>>

/** The example requests of an operation on a lake, each also with explicit dates around `day` where it takes any. */
export async function requestsAround(
  operation: Operation,
  snapshot: Snapshot,
  engine: Engine,
  day: string,
): Promise<Values[]> {
  const examples = (await requestsFor(operation, snapshot, engine, patient)).slice(0, EXAMPLES)
  const { date: _, ...undated } = examples[0] ?? {}
  const dated =
    'date' in operation.parameters && examples.length > 0
      ? DAYS_AROUND.map(days => ({ ...undated, date: addDays(day, days) }))
      : []
  return [...examples, ...dated]
}

const EXAMPLES = amount({ test: 1, prove: 3, long: 3 })
const DAYS_AROUND = amount<readonly number[]>({
  test: [],
  prove: [-100, -4, -1, 0, 1],
  long: [-100, -4, -1, 0, 1],
})

/** The JSON of an answer, or what it failed with. */
export async function outcomeOf(
  operation: Operation,
  values: Values,
  snapshot: Snapshot,
  engine: Engine,
): Promise<string> {
  const validated = validate(operation, inputFor(operation, values))
  if ('faults' in validated) throw new Error(`${operation.id}: ${faultText(validated.faults)}`)
  try {
    const pinned = pin(operation, validated.values, snapshot, { owner: null, admin: true })
    return Buffer.from((await answer(pinned, engine, 'json', patient)).bytes).toString()
  } catch (thrown) {
    return `failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  }
}
