import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../../api/openapi/examples.ts'
import { type Engine, openEngine } from '../../engine/engine.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import { openWriter } from '../../engine/writer.ts'
import { generate } from '../../lake/generate/generate.ts'
import { dataset } from '../../lake/store/datasets.ts'
import { loadSnapshot, type Snapshot } from '../../lake/store/snapshot.ts'
import { answer, pin } from '../../operations/answering/answer.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { faultText, validate } from '../../operations/answering/validate.ts'
import { operations } from '../../operations/index.ts'
import { SETTINGS } from '../command/settings.ts'
import { addressFor, inputFor, requestsFor } from '../smoke/requests.ts'

/**
 * The synthetic market of the examples: the same on any machine. It has the last days of the demo's market, so that their
 * requests find records in the demo too. The demo has more days, which takes ten times as long to generate.
 */
const MARKET = {
  seed: 1,
  days: 2,
  tickers: SETTINGS.demoTickers.default,
  tradesPerDay: SETTINGS.demoTrades.default,
}

/** Records of an example. */
const RECORDS = 3

const MEMORY_BYTES = 1024 ** 3

/** One request per operation with its answer, both from a synthetic market. Rejects if an operation has no answer. */
export async function makeExamples(): Promise<ReadonlyMap<string, Example>> {
  const folder = temporaryFolder('examples')
  try {
    const lake = join(folder, 'lake')
    const writer = await openWriter({ directories: [folder] })
    try {
      await generate(writer, lake, MARKET, () => {})
    } finally {
      writer.close()
    }
    const engine = await openEngine(
      {
        lake,
        threads: 2,
        memoryBytesMax: MEMORY_BYTES,
        temporaryBytesMax: MEMORY_BYTES,
        leasesMax: 1,
        queueMax: operations.length,
        schemaOf: dataset,
      },
      () => {},
    )
    try {
      return await answerAll(await loadSnapshot(lake), engine)
    } finally {
      await engine.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function answerAll(snapshot: Snapshot, engine: Engine): Promise<Map<string, Example>> {
  const { signal } = new AbortController()
  const examples = new Map<string, Example>()
  for (const operation of operations) {
    const [found] = await requestsFor(operation, snapshot, engine, signal)
    if (found === undefined)
      throw new Error(
        `src/operations/catalog/${operation.id}.ts: its examples find no request in a generated lake: change them`,
      )
    const request = operation.parameters.limit ? { ...found, limit: String(RECORDS) } : found
    const validated = validate(operation, inputFor(operation, request))
    if ('faults' in validated)
      throw new Error(
        `src/operations/catalog/${operation.id}.ts: an example is not valid: ${faultText(validated.faults)}`,
      )
    const pinned = pin(operation, validated.values, snapshot, { owner: null, admin: false })
    const { bytes } = await answer(pinned, engine, 'json', signal)
    examples.set(operation.id, exampleOf(operation, request, JSON.parse(Buffer.from(bytes).toString())))
  }
  return examples
}

function exampleOf(operation: Operation, values: Readonly<Record<string, string>>, whole: object): Example {
  return { request: addressFor(operation, values), answer: shortened(whole) as object }
}

/** Arrays whose length depends on the request; all others are part of a record. */
const GROWING = new Set(['data', 'bids', 'asks'])

/** The answer with the first records only. */
function shortened(value: unknown, name = ''): unknown {
  if (Array.isArray(value))
    return (GROWING.has(name) ? value.slice(0, RECORDS) : value).map(each => shortened(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, key)]))
}
