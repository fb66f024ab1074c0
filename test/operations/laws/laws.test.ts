import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { operations } from '../../../src/operations/index.ts'
import { amount, countCases, sampleOf } from '../../fixtures/tier.ts'
import { type Base, basesOf, goldenQuestions, marketQuestions } from './bases.ts'
import { sortedBy } from './compared.ts'
import { filtersOf } from './filter-laws.ts'
import { UNSHOWN } from './formulas.ts'
import { type LawLake, openGoldenLakes, openMarket } from './lakes.ts'
import { LAWS } from './laws.ts'
import { orderLaw } from './order-law.ts'
import { stemOf } from './parameter-kinds.ts'
import { isShown } from './passes.ts'
import { SEED } from './seed.ts'
import { labelOf, openTally, type Subject } from './tally.ts'

/** Each law on each filter, each sort and each other part of each operation that it is about. */

const SUBJECTS: readonly Subject[] = operations.flatMap(operation =>
  LAWS.flatMap(law => law.subjects(operation).map(name => ({ law, operation: operation.id, name }))),
)
const TRIED = sampleOf(SUBJECTS, amount({ test: 50, prove: SUBJECTS.length, long: SUBJECTS.length }))
/** Cases of each subject. */
const CASES = amount({ test: 1, prove: 2, long: 12 })
/** Cases that may have nothing to try a law on, per case that has. */
const TRIVIAL_MAX = 15
/** More cases of a subject of which none kept some records and not all. */
const ROUNDS_MAX = amount({ test: 0, prove: 3, long: 20 })
/** Subjects whose cases run at the same time. */
const CONCURRENT = 3

const tally = openTally()
let market: LawLake
beforeAll(async () => {
  market = await openMarket()
})
afterAll(async () => {
  await market.close()
  if (inject('tier') !== 'test') process.stdout.write(`\nlaws, LAWS_SEED=${SEED}\n${tally.table()}\n`)
})

/** The questions about an operation in all lakes. */
async function openBases(operation: Operation): Promise<{ bases: Base[]; close: () => Promise<void> }> {
  const openGolden = amount({ test: async () => [], prove: openGoldenLakes, long: openGoldenLakes })
  const golden = await openGolden(operation)
  const bases = await basesOf(operation, market, await marketQuestions(operation, market))
  for (const lake of golden) bases.push(...(await basesOf(operation, lake, goldenQuestions(operation, lake))))
  return {
    bases,
    close: async () => {
      for (const lake of golden) await lake.close()
    },
  }
}

/** Tries a law on random cases of a subject. Returns how it was broken; null if it was not. */
async function tryLaw(subject: Subject, bases: readonly Base[], seed: number): Promise<string | null> {
  const { law, name } = subject
  const own = bases.filter(({ question }) => name in question === (law.isAsked ?? false))
  if (own.length === 0) return null
  const large = own.filter(({ lake }) => lake.derived)
  const edges = own.filter(({ lake }) => !lake.derived)
  let divided = law.divides === false
  const property = fc.asyncProperty(fc.gen(), async g => {
    // The market as often as all golden lakes together, of which there are more.
    const [some, others] = g(fc.boolean) ? [large, edges] : [edges, large]
    const of = some.length > 0 ? some : others
    const base = of[g(fc.nat, of.length - 1)] as Base
    const outcome = await law.check(base, name, arbitrary => g(() => arbitrary))
    tally.count(subject, outcome)
    divided ||= outcome === 'splits'
    fc.pre(outcome !== 'trivial')
  })
  const cases = Math.ceil(CASES * (law.weight ?? 1))
  for (let round = 0; round === 0 || (round <= ROUNDS_MAX && !divided); round += 1) {
    const { errorInstance, numRuns } = await fc.check(property, {
      numRuns: round === 0 ? cases : 1,
      seed: seed + round * SUBJECTS.length,
      endOnFailure: true,
      maxSkipsPerRun: TRIVIAL_MAX,
    })
    countCases(numRuns)
    if (errorInstance instanceof Error)
      return `${labelOf(subject)}, LAWS_SEED=${SEED}\n${errorInstance.message}`
  }
  return null
}

const subjectsOf = ({ id }: Operation) => TRIED.filter(({ operation }) => operation === id)

describe.each(operations.filter(operation => subjectsOf(operation).length > 0))('$id', operation => {
  test('keeps the laws', async () => {
    const left = [...subjectsOf(operation).entries()].reverse()
    const failures: (string | null)[] = []
    const { bases, close } = await openBases(operation)
    const tryRest = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop())
        failures.push(await tryLaw(next[1], bases, SEED + next[0]))
    }
    try {
      await Promise.all(Array.from({ length: CONCURRENT }, tryRest))
    } finally {
      await close()
    }
    expect(failures.filter(failure => failure !== null).join('\n\n')).toBe('')
  })
})

test('the tables of the laws name each filter and sort that no record shows, and no other', () => {
  const hidden = operations.flatMap(operation => {
    const filters = filtersOf(operation).filter(name => !isShown(operation, name))
    const orders = orderLaw.subjects(operation).filter(order => sortedBy(operation, order, true) === null)
    return [...filters, ...orders].map(name => `${operation.id} ${stemOf(name)}`)
  })
  expect([...new Set(hidden)].sort()).toEqual(Object.keys(UNSHOWN).sort())
})

test('every law was tried on records for every filter and sort', () => {
  expect(tally.untried(TRIED)).toEqual([])
})
