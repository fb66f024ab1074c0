import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { inputFor, requestsFor } from '../../src/cli/smoke/requests.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { generate } from '../../src/lake/generate/generate.ts'
import { loadSnapshot, type Snapshot } from '../../src/lake/store/snapshot.ts'
import { answer, type Pinned, pin, settle } from '../../src/operations/answering/answer.ts'
import type { Format } from '../../src/operations/answering/formats.ts'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { faultText, validate } from '../../src/operations/answering/validate.ts'
import { operations } from '../../src/operations/index.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { engineFor } from '../fixtures/service.ts'
import { recordsOf } from '../golden/cases.ts'

/** A generated lake, and for each operation a request that it has an answer to. */
export interface Asked {
  readonly snapshot: Snapshot
  readonly engine: Engine
  /** Requests, by operation. */
  readonly pinned: ReadonlyMap<string, Pinned>
  read(id: string, format: Format): Promise<Buffer>
  close(): Promise<void>
}

const patient = new AbortController().signal

export async function askEverything(): Promise<Asked> {
  const folder = temporaryFolder()
  const lake = join(folder, 'lake')
  const writer = await openWriter({ directories: [folder], threads: 2 })
  try {
    await generate(writer, lake, { seed: 7, days: 3, tickers: 12, tradesPerDay: 4000 }, () => {})
  } finally {
    writer.close()
  }
  const snapshot = await loadSnapshot(lake)
  const engine = await engineFor(lake)
  const pinned = new Map<string, Pinned>()
  for (const operation of operations) pinned.set(operation.id, await requestOf(operation, snapshot, engine))
  return {
    snapshot,
    engine,
    pinned,
    read: async (id, format) => Buffer.from(await answer(pinned.get(id) as Pinned, engine, format, patient)),
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
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
    const asked = pin(operation, validated.values, snapshot, { owner: null, admin: true })
    const settled = await settle(asked, engine, patient)
    const body = JSON.parse(Buffer.from(await answer(settled, engine, 'json', patient)).toString())
    if (recordsOf(body).length > 0) return settled
  }
  throw new Error(
    `src/operations/catalog/${operation.id}.ts: no request of its examples has records on a generated lake: change the examples or the template`,
  )
}

export const patience = patient
