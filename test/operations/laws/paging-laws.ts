import fc from 'fast-check'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Base } from './bases.ts'
import { filterTexts } from './candidates.ts'
import { microsecondText } from './compared.ts'
import { filtersOf } from './filter-laws.ts'
import type { Row } from './lakes.ts'
import { asked, broken, type Draw, type Law, outcomeOf, same } from './law.ts'
import { parametersOf, valuesOf } from './parameter-kinds.ts'
import { changed, type Question } from './question.ts'
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

/** Whether an answer may have more records than its limit, as the parameter says. */
const mayExceed = ({ parameters }: Operation) =>
  parameters.limit?.description.includes('more only if') ?? false

export const prefixLaw: Law = {
  name: 'prefix',
  what: 'limit n returns the first n records, which begin the answer with a larger limit',
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
      const wanted = all.texts.slice(0, mayExceed(operation) ? Math.max(limit, texts.length) : limit)
      const enough = wanted.length >= Math.min(limit, all.texts.length)
      if (!same(texts, wanted) || !enough)
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
    const walk = name === 'page' ? byNumber : byTime
    const base = await varied(start, draw)
    const { rows } = base.whole
    if (rows.length === 0) return 'trivial'
    // A dozen pages at most.
    const least = Math.ceil(rows.length / 12)
    const limit = Math.max(least, draw(limits(rows.length, base.operation)))
    return walk(base, limit)
  },
}

const textsOf = (rows: readonly Row[]) => rows.map(row => JSON.stringify(row))

async function byNumber(base: Base, limit: number) {
  const { lake, operation, question, whole: all } = base
  const first = Number(operation.parameters.page?.absent)
  const joined: string[] = []
  const pages = Math.ceil(all.rows.length / limit)
  for (let page = 0; page <= pages; page += 1) {
    const sent = changed(question, { limit: String(limit), page: String(first + page) })
    const { rows } = await lake.ask(operation, sent)
    joined.push(...textsOf(rows))
  }
  if (!same(joined, all.texts))
    throw broken('pages joined', base, { limit: [String(limit)] }, joined, all.texts)
  return outcomeOf(limit, all.rows.length)
}

/** Goes back in time by `Link`, else by the time of the last record. */
async function byTime({ lake, operation, question, whole: { rows } }: Base, limit: number) {
  // A lower bound, so that a window that moves back with `older_than` ends where the whole answer does.
  const times = rows.map(row => microsecondText(String(row.created_at)))
  const oldest = new Date(Date.parse(times.toSorted()[0] ?? '') - 1000).toISOString()
  const bounded: Base = { lake, operation, question: changed(question, { newer_than: oldest }), whole: EMPTY }
  const all = await asked(bounded, {})
  const joined: string[] = []
  const sent: Question = changed(bounded.question, { limit: String(limit) })
  let reply = await lake.ask(operation, sent)
  while (reply.rows.length > 0) {
    joined.push(...textsOf(reply.rows))
    const last = reply.rows.at(-1)?.created_at
    // Without a link, a page that ends within records of one time does not say where the next one begins.
    const ends = all.rows[joined.length]?.created_at !== last
    if (reply.next === null && !ends) return 'trivial'
    reply = await (reply.next === null
      ? lake.ask(operation, changed(sent, { older_than: String(last) }))
      : lake.askAddress(pathOf(reply.next)))
  }
  if (!same(joined, all.texts)) throw broken('pages joined', bounded, sent, joined, all.texts)
  return outcomeOf(limit, all.rows.length)
}

const EMPTY = { rows: [], texts: [], complete: true, date: null }

/** An address without its origin. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link, 'http://localhost')
  return pathname + search
}
