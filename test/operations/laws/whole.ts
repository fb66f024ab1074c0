import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { LawLake, Row } from './lakes.ts'
import { parametersOf, schemaOf } from './parameter-kinds.ts'
import { changed, type Question } from './question.ts'

/** All records that an operation has for a question, not one page of them. */
export interface Whole {
  readonly rows: readonly Row[]
  /** Each record as text, which identifies it. */
  readonly texts: readonly string[]
  /** Whether these are all. */
  readonly complete: boolean
  /** The day of the answer, X-Tapehouse-Date; null without. */
  readonly date: string | null
}

const PAGES_MAX = 4

export async function whole(lake: LawLake, operation: Operation, question: Question): Promise<Whole> {
  const most = limitMax(operation)
  const limited = most === null ? question : changed(question, { limit: String(most) })
  const first = await lake.ask(operation, limited)
  if (first.status !== 200) throw new Error(`${first.address} of ${lake.name}: ${first.bytes}`)
  const rows = [...first.rows]
  let last = first
  for (let page = 1; page < PAGES_MAX && last.next !== null; page += 1) {
    last = await lake.askAddress(last.next)
    rows.push(...last.rows)
  }
  const isPaged = 'page' in operation.parameters || 'older_than' in operation.parameters
  const complete = isPaged ? last.next === null : most === null || rows.length < most
  return { rows, texts: rows.map(row => JSON.stringify(row)), complete, date: first.date }
}

/** The largest limit of an operation; null if it has none. */
export const limitMax = (operation: Operation): number | null => schemaOf(operation, 'limit').maximum ?? null

/** Whether its records can be requested part by part. */
export const isLimited = (operation: Operation) => parametersOf(operation, 'page').length > 0
