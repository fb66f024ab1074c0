import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../src/lake/store/snapshot.ts'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { amount, sampleOf } from '../fixtures/tier.ts'
import { casesOf, type Expectation, inputOf, mismatch, readsDiffer } from './cases.ts'
import { type GoldenLake, goldenLake } from './lake.ts'

/** Requests of a case that are answered again without pruning, if that reads other files. */
const WHOLE = amount({ test: 1, prove: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY })

/** Requests of a case that are answered again from native tables. */
const STORED = amount({ test: 1, prove: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY })

/** The golden cases of some operations. They are in two test files, so that two workers run them. */
export function goldenTests(operations: readonly Operation[]): void {
  describe.each(operations)('$id', operation => {
    const cases = casesOf(operation)
    const folders: string[] = []
    const lakes = new Map<string, GoldenLake>()

    beforeAll(async () => {
      for (const source of new Set(cases.map(({ lake }) => lake))) {
        const folder = temporaryFolder()
        folders.push(folder)
        lakes.set(source, await goldenLake(source, folder))
      }
    })
    afterAll(async () => {
      for (const { engine } of lakes.values()) await engine.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })

    test('has three cases or more, which use every parameter', () => {
      const folder = `test/golden/${operation.id}`
      expect(cases.length, `cases in ${folder}: see test/golden/README.md`).toBeGreaterThanOrEqual(3)
      const used = new Set(
        cases.flatMap(({ expectations }) =>
          expectations.flatMap(({ request }) =>
            inputOf(operation, request).query.map(([name]) => name.replace(/\[\d*\]$/, '')),
          ),
        ),
      )
      const unused = Object.entries(operation.parameters)
        .filter(([name, parameter]) => parameter.in === 'query' && !used.has(name.replace('[]', '')))
        .map(([name]) => name)
      expect(unused, `parameters without a case in ${folder}`).toEqual([])
    })

    test.each(cases)('$name', async ({ lake, expectations }) => {
      const { snapshot, whole, engine } = lakes.get(lake) as GoldenLake
      const wrong: string[] = []
      const compare = async (how: string, expectation: Expectation, state: Snapshot) => {
        const problem = await mismatch(operation, expectation, state, engine)
        if (problem !== null) wrong.push(how + problem)
      }
      for (const expectation of expectations) await compare('', expectation, snapshot)
      const pruned = expectations.filter(each => readsDiffer(operation, each, snapshot, whole))
      for (const expectation of sampleOf(pruned, WHOLE))
        await compare('without pruning: ', expectation, whole)
      for (const expectation of sampleOf(expectations, STORED)) {
        // A list of files that is read for the second time gets a table, a statement that comes again is planned.
        for (const how of ['again: ', 'from the store: ', 'from the store, planned: ']) {
          await compare(how, expectation, snapshot)
          await engine.store.settled()
        }
      }
      expect(wrong.join('\n')).toBe('')
    })

    test('was also answered from native tables', () => {
      const reads = [...lakes.values()].map(({ engine }) => engine.store.reads)
      expect(Math.max(...reads)).toBeGreaterThan(0)
    })
  })
}
