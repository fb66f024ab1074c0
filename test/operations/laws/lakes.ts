import { basename, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Engine } from '../../../src/engine/engine.ts'
import { loadSnapshot, type Snapshot } from '../../../src/lake/store/snapshot.ts'
import { FORMATS, type Format } from '../../../src/operations/answering/formats.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { openService } from '../../fixtures/service.ts'
import { casesOf, recordsOf } from '../../golden/cases.ts'
import { goldenLake } from '../../golden/lake.ts'
import { addressOf, type Question } from './question.ts'

export type Row = Readonly<Record<string, unknown>>

/** A response to one question. */
export interface Reply {
  readonly address: string
  readonly status: number
  readonly bytes: Buffer
  /** The day of the answer, X-Tapehouse-Date; null without. */
  readonly date: string | null
  /** The address of the next page; null without. */
  readonly next: string | null
  /** The records of a JSON answer; none of another status or format. */
  readonly rows: readonly Row[]
}

/** A lake that a server answers questions about. */
export interface LawLake {
  readonly name: string
  /** Whether its derived datasets follow from its imported ones: not so in lakes whose rows were written by hand. */
  readonly derived: boolean
  readonly snapshot: Snapshot
  readonly engine: Engine
  ask(operation: Operation, question: Question, format?: Format): Promise<Reply>
  askAddress(address: string, format?: Format): Promise<Reply>
  close(): Promise<void>
}

/** Answers that are kept, so that a question that many cases share is sent once. */
const ANSWERS_MAX = 400

async function serve(name: string, lake: string, derived: boolean): Promise<LawLake> {
  const folder = temporaryFolder()
  const service = await openService(folder, lake)
  const snapshot = await loadSnapshot(lake)
  const kept = new LRUCache<string, Promise<Reply>>({ max: ANSWERS_MAX })
  async function send(address: string, format: Format): Promise<Reply> {
    const headers = { authorization: `Bearer ${service.token}`, accept: FORMATS[format].mediaType }
    const reply = await service.server.inject({ url: address, headers })
    const isRows = reply.statusCode === 200 && format === 'json'
    return {
      address,
      status: reply.statusCode,
      bytes: reply.rawPayload,
      date: String(reply.headers['x-tapehouse-date'] ?? '') || null,
      next: /<([^>]+)>; rel="next"/.exec(String(reply.headers.link ?? ''))?.[1] ?? null,
      rows: isRows ? recordsOf(JSON.parse(reply.payload)) : [],
    }
  }
  function askAddress(address: string, format: Format = 'json'): Promise<Reply> {
    const key = `${format} ${address}`
    const reply = kept.get(key) ?? send(address, format)
    kept.set(key, reply)
    return reply
  }
  return {
    name,
    derived,
    snapshot,
    engine: service.engine,
    askAddress,
    ask: (operation, question, format) => askAddress(addressOf(operation, question), format),
    close: service.close,
  }
}

/** The generated market that test files share. */
export const openMarket = async (): Promise<LawLake> => serve('market', await sharedMarket('whole'), true)

/** Another lake of derived data. */
export const openLake = (name: string, folder: string): Promise<LawLake> => serve(name, folder, true)

/** The golden lakes of an operation, whose rows are edges: nulls, ties, empty texts, values at bounds. */
export async function openGoldenLakes(operation: Operation): Promise<LawLake[]> {
  const lakes: LawLake[] = []
  for (const source of new Set(casesOf(operation).map(({ lake }) => lake))) {
    const folder = temporaryFolder()
    const golden = await goldenLake(source, folder)
    await golden.engine.close()
    lakes.push(await serve(`${operation.id}/${basename(source)}`, join(folder, 'lake'), false))
  }
  return lakes
}
