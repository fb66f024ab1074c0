import fc from 'fast-check'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Base } from './bases.ts'
import { filterTexts } from './candidates.ts'
import { filtersOf } from './filter-laws.ts'
import type { Row } from './lakes.ts'
import { asked, broken, type Draw, type Law, outcomeOf, same } from './law.ts'
import { parametersOf, valuesOf } from './parameter-kinds.ts'
import { changed } from './question.ts'
import { isLimited, limitMax } from './whole.ts'

/** A question that may also have a filter and a sort, and its whole answer. */
async function varied(base: Base, draw: Draw): Promise<Base> {
  const { operation } = base
  const changes: Record<string, readonly string[]> = {}
  const filters = filtersOf(operation).filter(name => !(name in base.question))
  if (filters.length > 0 && draw(fc.boolean())) {
    const name = draw(fc.constantFrom(...filters))
    changes[name] = draw(filterTexts(base, name))
  }
  for (const name of parametersOf(operation, 'order'))
    if (draw(fc.boolean())) changes[name] = [draw(fc.constantFrom(...valuesOf(operation, name)))]
  return { ...base, question: changed(base.question, changes), whole: await asked(base, changes) }
}

/** The number of records that a request may ask for. */
function limits(rows: number, operation: Operation): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: Math.min(limitMax(operation) ?? rows + 2, rows + 2) })
}

/**
 * How many records the first page has: `limit`, but of records in order of time none of one time that do not all fit,
 * unless they are the first ones.
 */
function firstPage({ operation, whole: { rows } }: Base, limit: number): number {
  const size = Math.min(limit, rows.length)
  const following = rows[limit]
  if (!('older_than' in operation.parameters) || following === undefined) return size
  const earlier = rows.findIndex(({ created_at: time }) => time === following.created_at)
  return earlier === 0 ? size : Math.min(size, earlier)
}

export const prefixLaw: Law = {
  name: 'prefix',
  what: 'limit n returns the first n records, which begin the answer with a larger limit, or fewer that end at a time',
  weight: 4,
  subjects: operation => (isLimited(operation) ? ['limit'] : []),
  check: async (start, _, draw) => {
    const base = await varied(start, draw)
    const { lake, operation, question, whole: all } = base
    const [n, m] = [draw(limits(all.rows.length, operation)), draw(limits(all.rows.length, operation))]
    const answers: (readonly string[])[] = []
    for (const limit of [Math.min(n, m), Math.max(n, m)]) {
      const { rows } = await lake.ask(operation, changed(question, { limit: String(limit) }))
      const texts = rows.map(row => JSON.stringify(row))
      const wanted = all.texts.slice(0, firstPage(base, limit))
      if (!same(texts, wanted))
        throw broken('the first records', base, { limit: [String(limit)] }, texts, wanted)
      answers.push(texts)
    }
    return outcomeOf(answers[0]?.length ?? 0, all.rows.length)
  },
}

export const pagesLaw: Law = {
  name: 'pages',
  what: 'pages joined are the whole answer: no record is lost, none comes twice',
  weight: 4,
  subjects: operation => ['page', 'older_than'].filter(name => name in operation.parameters),
  check: async (start, name, draw) => {
    const base = await varied(start, draw)
    const { rows } = base.whole
    if (rows.length === 0) return 'trivial'
    // A dozen pages at most.
    const least = Math.ceil(rows.length / 12)
    const limit = Math.max(least, draw(limits(rows.length, base.operation)))
    for (const walk of name === 'page' ? [byNumber, byLink] : [byLink]) {
      const joined = await walk(base, limit)
      if (!same(joined, base.whole.texts))
        throw broken('pages joined', base, { limit: [String(limit)] }, joined, base.whole.texts)
    }
    return outcomeOf(limit, rows.length)
  },
}

const textsOf = (rows: readonly Row[]) => rows.map(row => JSON.stringify(row))

async function byNumber({ lake, operation, question, whole: all }: Base, limit: number): Promise<string[]> {
  const first = Number(operation.parameters.page?.absent)
  const joined: string[] = []
  const pages = Math.ceil(all.rows.length / limit)
  for (let page = 0; page <= pages; page += 1) {
    const sent = changed(question, { limit: String(limit), page: String(first + page) })
    const { rows } = await lake.ask(operation, sent)
    joined.push(...textsOf(rows))
  }
  return joined
}

/** Goes from page to page by `Link`, as far as the whole answer goes. */
async function byLink({ lake, operation, question, whole: all }: Base, limit: number): Promise<string[]> {
  const joined: string[] = []
  let reply = await lake.ask(operation, changed(question, { limit: String(limit) }))
  for (;;) {
    if (reply.rows.length > limit) throw new Error(`${reply.address} has ${reply.rows.length} records`)
    joined.push(...textsOf(reply.rows))
    if (reply.next === null) return joined
    if (!all.complete && joined.length >= all.rows.length) return joined.slice(0, all.rows.length)
    if (reply.rows.length === 0) throw new Error(`${reply.address} is empty and has a next page`)
    reply = await lake.askAddress(reply.next)
  }
}
