import { rmSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import type { Engine, Query } from '../../src/engine/engine.ts'
import { Failure } from '../../src/engine/failure.ts'
import { readTemplate } from '../../src/engine/template.ts'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { operations } from '../../src/operations/index.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { amount, countCases, sampleOf } from '../fixtures/tier.ts'
import { filesBelow } from '../house/source.ts'
import { casesOf, type Expectation, equivalentOf, mismatch } from './cases.ts'
import { type GoldenLake, goldenLake } from './lake.ts'
import { mutationsOf } from './mutations.ts'

/** Templates to break; `npm test` takes a sample. */
const TEMPLATES = sampleOf(
  filesBelow('sql/endpoints', '.sql').map(path => path.replace(/^.*\/|\.sql$/g, '')),
  amount({ test: 4, prove: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }),
)
/** Mutations that are tried of each template. */
const MUTATIONS = amount({ test: 4, prove: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY })

/**
 * The operation that runs a template: the one of the same name, else the one with the longest id that the name begins
 * with.
 */
const ownerOf = (template: string): Operation | undefined =>
  operations
    .filter(({ id }) => template === id || template.startsWith(`${id}-`))
    .toSorted((one, other) => other.id.length - one.id.length)[0]

/** Templates that answer most requests, and the others with no rows: see `NewestFirst`. */
const USUAL = /-usual$/

/**
 * An engine that runs a mutation of one template instead of it, in the sort order of the request. It reads the newest days
 * first, as of tables that are too large to be read at once: the bounds of that reading are mutated too.
 */
function mutated(engine: Engine, template: string, mutationOf: (sql: string) => Promise<string>): Engine {
  const change = async (query: Query): Promise<Query> =>
    query.template.name === template
      ? { ...query, template: { ...query.template, sql: await mutationOf(query.template.sql) } }
      : query
  return {
    ...engine,
    store: { ...engine.store, has: () => false },
    table: async (query, signal) => engine.table(await change(query), signal),
    async encode(query, encoding, signal) {
      const isUsual = USUAL.test(query.template.name)
      // An answer of a usual template would hide what the whole one does.
      if (isUsual && query.template.name !== template) return { bytes: new Uint8Array(), rows: 0 }
      const encoded = await engine.encode(await change(query), encoding, signal)
      // The whole template would answer the same, in twice the time.
      if (isUsual && encoded.rows === 0 && (await engine.encode(query, encoding, signal)).rows > 0)
        throw new Error('the usual template has no rows')
      return encoded
    },
    columns: async (query, signal) => engine.columns(await change(query), signal),
  }
}

/** Requests with a parameter of the mutation first: one of them is likely to detect it. */
function likelyFirst<T extends { readonly expectation: Expectation }>(
  all: readonly T[],
  mutation: string,
): T[] {
  const parameters = [...mutation.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)
  const score = ({ expectation: { request } }: T) => (parameters.some(name => request.includes(name)) ? 0 : 1)
  return all.toSorted((one, other) => score(one) - score(other))
}

/**
 * Each template, broken in each place where it decides something, must fail a golden case. The templates are divided between
 * two test files, so that two workers run them.
 */
export function mutationTests(remainder: 0 | 1): void {
  describe('every mutation is noticed', () => {
    test.each(TEMPLATES.filter((_, index) => index % 2 === remainder))('%s', async template => {
      const operation = ownerOf(template)
      if (operation === undefined) throw new Error(`no operation runs ${template}`)
      const instance = await DuckDBInstance.create(':memory:')
      const connection = await instance.connect()
      const folder = temporaryFolder()
      const lakes = new Map<string, GoldenLake>()
      try {
        const cases = casesOf(operation)
        for (const source of new Set(cases.map(({ lake }) => lake)))
          lakes.set(source, await goldenLake(source, `${folder}/${lakes.size}`))
        const all = cases.flatMap(each =>
          each.expectations.map(expectation => ({ expectation, lake: lakes.get(each.lake) as GoldenLake })),
        )
        const bySql = new Map<string, Awaited<ReturnType<typeof mutationsOf>>>()
        const mutations = async (sql: string) => {
          const known = bySql.get(sql) ?? (await mutationsOf(connection, sql))
          bySql.set(sql, known)
          return known
        }

        const survivors: string[] = []
        const equivalent = equivalentOf(operation)
        const idle = new Set(template === operation.id ? Object.keys(equivalent) : [])
        const list = await mutations(readTemplate(template).sql)
        const tried = sampleOf([...list.entries()], MUTATIONS)
        countCases(tried.length)
        for (const [index, { name }] of tried) {
          const noticed = async ({ expectation, lake }: (typeof all)[number]) => {
            const engine = mutated(
              lake.engine,
              template,
              async sql => (await mutations(sql))[index]?.sql ?? sql,
            )
            try {
              return (await mismatch(operation, expectation, lake.whole, engine)) !== null
            } catch (thrown) {
              // A mutation that DuckDB or another part of the program fails on is detected too.
              if (thrown instanceof Failure) throw thrown
              return true
            }
          }
          let found = false
          for (const each of likelyFirst(all, name)) {
            found = await noticed(each)
            if (found) break
          }
          if (!found && !(name in equivalent)) survivors.push(name)
          if (!found) idle.delete(name)
        }
        process.stdout.write(`${template}: ${tried.length} mutations, ${survivors.length} unnoticed\n`)
        expect(survivors.join('\n')).toBe('')
        if (tried.length === list.length)
          expect([...idle], 'listed in equivalent.json, but detected').toEqual([])
      } finally {
        for (const { engine } of lakes.values()) await engine.close()
        connection.closeSync()
        instance.closeSync()
        rmSync(folder, { recursive: true, force: true })
      }
    })
  })
}
