import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { type Input, validate } from '../../src/operations/answering/validate.ts'
import { operations } from '../../src/operations/index.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { casesOf, type Expectation, inputOf } from '../golden/cases.ts'
import { goldenLake } from '../golden/lake.ts'
import { type Lake, openLake } from './lake.ts'
import { loadReaders, type Reader } from './readers.ts'
import type { Request } from './request.ts'

/** The second reader gives the answers that were worked out by hand. */

const readers = await loadReaders()

describe.each(operations.filter(({ id }) => readers.has(id)))('$id', operation => {
  const reader = readers.get(operation.id) as Reader
  const cases = casesOf(operation)
  const folders: string[] = []
  const lakes = new Map<string, Lake>()

  beforeAll(async () => {
    for (const source of new Set(cases.map(({ lake }) => lake))) {
      const folder = temporaryFolder()
      folders.push(folder)
      const { engine } = await goldenLake(source, folder)
      await engine.close()
      lakes.set(source, await openLake(join(folder, 'lake')))
    }
  })
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  test.each(cases)('$name', ({ lake, expectations }) => {
    const differences = expectations.map(each => difference(operation, each, reader, lakes.get(lake) as Lake))
    expect(differences.filter(each => each !== null).join('\n')).toBe('')
  })
})

function difference(
  operation: Operation,
  { request, caller, format, refused, expected, matches, shown }: Expectation,
  reader: Reader,
  lake: Lake,
): string | null {
  const input = inputOf(operation, request)
  // The reader answers valid requests, in JSON.
  if (format !== 'json' || 'faults' in validate(operation, input)) return null
  const body = reader.answer(lake, { ...requestOf(operation, input), caller })
  const isRefused = typeof body === 'object' && body !== null && 'refused' in body
  if (isRefused ? refused !== null : matches(body)) return null
  const read = JSON.stringify(isRefused ? body : shown(body))
  return `${request}\n  expected ${JSON.stringify(expected)}\n  read     ${read}`
}

/** The parameters of a request, those that can be repeated as lists under the names that the operation has. */
function requestOf({ parameters }: Operation, { path, query }: Input): Request {
  const values: Record<string, string | string[]> = {}
  for (const [written, value] of query) {
    const plain = written.replace(/\[\d*\]$/, '')
    const name = `${plain}[]` in parameters ? `${plain}[]` : plain
    const before = values[name]
    values[name] = parameters[name]?.repeatable ? [before ?? [], value].flat() : value
  }
  return { path: path as Record<string, string>, query: values }
}
