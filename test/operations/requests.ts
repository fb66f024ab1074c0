import { inputFor, requestsFor } from '../../src/cli/smoke/requests.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { loadSnapshot, type Snapshot } from '../../src/lake/store/snapshot.ts'
import { answer, type Pinned, pin, settle } from '../../src/operations/answering/answer.ts'
import type { Format } from '../../src/operations/answering/formats.ts'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { faultText, validate } from '../../src/operations/answering/validate.ts'
import { operations } from '../../src/operations/index.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { engineFor } from '../fixtures/service.ts'
import { recordsOf } from '../golden/cases.ts'

/** A generated lake, and for each operation a request that it has an answer to. */
export interface AnsweredLake {
  readonly snapshot: Snapshot
  readonly engine: Engine
  /** Requests, by operation. */
  readonly pinned: ReadonlyMap<string, Pinned>
  read(id: string, format: Format): Promise<Buffer>
  close(): Promise<void>
}

const patient = new AbortController().signal

export async function openAnsweredLake(): Promise<AnsweredLake> {
  const lake = await sharedMarket('whole')
  const snapshot = await loadSnapshot(lake)
  const engine = await engineFor(lake)
  const pinned = new Map<string, Pinned>()
  for (const operation of operations) pinned.set(operation.id, await requestOf(operation, snapshot, engine))
  return {
    snapshot,
    engine,
    pinned,
    read: async (id, format) =>
      Buffer.from((await answer(pinned.get(id) as Pinned, engine, format, patient)).bytes),
    close: () => engine.close(),
  }
}

/** The first request that is answered with rows, settled. */
async function requestOf(operation: Operation, snapshot: Snapshot, engine: Engine): Promise<Pinned> {
  for (const values of await requestsFor(operation, snapshot, engine, patient)) {
    const validated = validate(operation, inputFor(operation, values))
    if ('faults' in validated)
      throw new Error(
        `src/operations/catalog/${operation.id}.ts: an example is not valid: ${faultText(validated.faults)}`,
      )
    const request = pin(operation, validated.values, snapshot, { owner: null, admin: true })
    const settled = await settle(request, engine, patient)
    const { bytes } = await answer(settled, engine, 'json', patient)
    const body = JSON.parse(Buffer.from(bytes).toString())
    if (recordsOf(body).length > 0) return settled
  }
  throw new Error(
    `src/operations/catalog/${operation.id}.ts: no request of its examples has records on a generated lake: change the examples or the template`,
  )
}

export const patience = patient
