import { requestsFor } from '../../../src/cli/smoke/requests.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { casesOf, inputOf } from '../../golden/cases.ts'
import { fieldOf } from './compared.ts'
import type { LawLake } from './lakes.ts'
import { kindOf, parametersOf } from './parameter-kinds.ts'
import { changed, type Question } from './question.ts'
import { type Whole, whole } from './whole.ts'

/** A question whose whole answer has records: what a filter is added to. */
export interface Base {
  readonly lake: LawLake
  readonly operation: Operation
  readonly question: Question
  readonly whole: Whole
}

const patient = new AbortController().signal
const EXAMPLES = 4

/** Questions about the generated market, of its last days, without filters. */
export async function marketQuestions(operation: Operation, lake: LawLake): Promise<Question[]> {
  const examples = await requestsFor(operation, lake.snapshot, lake.engine, patient)
  const questions = examples
    .slice(0, EXAMPLES)
    .map(values => Object.fromEntries(Object.entries(values).map(([name, text]) => [name, [text]])))
  const [dataset = ''] = operation.fields.dating
  const days = new Set(lake.snapshot.files(dataset).map(({ dates }) => dates[1]))
  const earlier = 'date' in operation.parameters ? [...days].sort().slice(-3, -1) : []
  return [...questions, ...earlier.map(date => changed(questions[0] ?? {}, { date }))]
}

/** What the golden cases of an operation are about, without their filters. */
export function goldenQuestions(operation: Operation, lake: LawLake): Question[] {
  const about = parametersOf(operation, 'subject', 'day')
  const questions = casesOf(operation)
    .filter(each => lake.name.endsWith(each.lake.split('/').slice(-2).join('/')))
    .flatMap(each => each.expectations)
    .map(({ request }): Question => {
      const { path, query } = inputOf(operation, request)
      const kept = [...Object.entries(path), ...query].filter(
        ([name, text]) => about.includes(name) && text !== '',
      )
      return Object.fromEntries(kept.map(([name, text]) => [name, [text]]))
    })
  return [...new Map(questions.map(question => [JSON.stringify(question), question])).values()]
}

/** The questions whose whole answer has records; about fewer records where there are too many. */
export async function basesOf(
  operation: Operation,
  lake: LawLake,
  questions: readonly Question[],
): Promise<Base[]> {
  const bases: Base[] = []
  for (const question of questions) {
    if ((await lake.ask(operation, question)).status !== 200) continue
    const all = await whole(lake, operation, question)
    const base = { lake, operation, question, whole: all }
    if (all.rows.length > 0) bases.push(...(all.complete ? [base] : await narrowed(base)))
  }
  return bases
}

/** The same question about fewer records: of single tickers, and the first of its default order. */
async function narrowed({ lake, operation, question, whole: { rows } }: Base): Promise<Base[]> {
  const changes: Record<string, string>[] = []
  for (const name of parametersOf(operation, 'tickers')) {
    const field = fieldOf(operation, name)
    const tickers = new Set(rows.map(row => String(row[field?.name ?? ''])))
    changes.push(...[...tickers].slice(0, 3).map(ticker => ({ [name]: ticker })))
  }
  const bound = `min_${operation.parameters.order?.absent}`
  const shown = rows[Math.min(NARROWED_ROWS, rows.length) - 1]?.[String(operation.parameters.order?.absent)]
  if (operation.parameters[bound] !== undefined && kindOf(operation, bound) === 'bound')
    changes.push({ [bound]: String(Number(shown) + 1) })
  const bases: Base[] = []
  for (const change of changes) {
    const narrower = changed(question, change)
    const all = await whole(lake, operation, narrower)
    if (all.complete && all.rows.length > 0) bases.push({ lake, operation, question: narrower, whole: all })
  }
  return bases
}

const NARROWED_ROWS = 200
