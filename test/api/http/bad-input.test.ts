import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { operations } from '../../../src/operations/index.ts'
import type { Parameter } from '../../../src/operations/parameters/parameter.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../../fixtures/lake.ts'
import { serveForTest, type TestService } from '../../fixtures/service.ts'
import { randomRuns } from '../../fixtures/tier.ts'

/** Every parameter of every operation with invalid values: a 422 with its name and a valid example. */

const folder = temporaryFolder()
let service: TestService

beforeAll(async () => {
  service = await serveForTest(folder, await makeLake(folder, { days: SMALL_DAYS }))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

const LONG = 'x'.repeat(10_000)
/** Texts that are invalid for every parameter with a grammar. */
const FOREIGN = [
  "'; DROP TABLE x --",
  '" OR 1=1',
  '../../etc/passwd',
  'данные',
  '日本語',
  '\u0000',
  'a\u0000b',
  '$id',
  '{}',
  '😀',
  LONG,
]

const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  integer: ['abc', '1.5', '1e3', '0x10', '١٢', '--1', '9'.repeat(39), 'NaN', ...FOREIGN],
  number: ['abc', '0x10', 'NaN', 'Infinity', '1_000', '1,5', '1e19', '9'.repeat(39), '1.2.3', ...FOREIGN],
  boolean: ['yes', '2', 'truee', 'null', 'constructor', ...FOREIGN],
  date: [
    '2024-02-30',
    '2024-13-01',
    '2024-1-1',
    '20240101',
    'yesterday',
    '2024-01-01T00:00',
    '٢٠٢٤-٠١-٠١',
    ...FOREIGN,
  ],
}

const beyond = (bound: number | undefined, step: number) =>
  bound === undefined ? [] : [String(bound + step)]

/** Invalid values of a parameter, according to its schema. */
function wrongFor({ schema, parse }: Parameter): readonly string[] {
  const { items, ...own } = schema as Schema
  const inner = items ?? own
  if (inner.enum)
    return [...FOREIGN, ...inner.enum.map(value => `${value}x`), '__proto__'].filter(
      text => !('value' in parse([text])),
    )
  const typed = OF_TYPE[inner.format === 'date' ? 'date' : String(inner.type)]
  if (typed) return [...typed, ...beyond(inner.minimum, -1), ...beyond(inner.maximum, 1)]
  // A parameter without a grammar accepts any text that is not too long and has no control characters.
  return inner.maxLength === undefined ? FOREIGN : [LONG, '\u0000', 'a\u0000b']
}

/** A URL in which `name` has the values `texts` and all other required parameters have their examples. */
function addressWith({ path, parameters }: Operation, name: string, texts: readonly string[]): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [each, parameter] of Object.entries(parameters)) {
    const values = each === name ? texts : parameter.required ? [parameter.example] : []
    for (const value of values)
      if (parameter.in === 'path') filled = filled.replace(`{${each}}`, () => encodeURIComponent(value))
      else query.append(each, value)
  }
  return `${filled}?${query}`
}

const ask = (url: string) =>
  service.server.inject({ url, headers: { authorization: `Bearer ${service.token}` } })

const all = operations.flatMap(operation =>
  Object.entries(operation.parameters).map(([name, parameter]) => ({
    id: operation.id,
    name,
    operation,
    parameter,
  })),
)

/** The values of path parameters in `addressWith` that examples of others depend on. */
const PATHS = { indicator: 'gdp' }

describe('an invalid value is rejected with its name', () => {
  test.each(all)('$id: $name', async ({ name, operation, parameter }) => {
    for (const text of wrongFor(parameter)) {
      const answer = await ask(addressWith(operation, name, [text]))
      expect(answer.statusCode, `${JSON.stringify(text.slice(0, 40))}: ${answer.body.slice(0, 300)}`).toBe(
        422,
      )
      const { msg } = answer.json()
      expect(msg).toContain(`invalid ${parameter.in} input: ${name} `)
      const { [name]: example = parameter.example } = operation.fitting?.(PATHS) ?? {}
      expect(msg).toContain(`(for example ${name}=${example})`)
      expect(msg.length).toBeLessThan(2000)
    }
  })
})

describe('repeated', () => {
  const scalars = all.filter(({ parameter }) => parameter.in === 'query' && !parameter.repeatable)
  test.each(scalars)('$id: $name is rejected', async ({ name, operation, parameter }) => {
    const answer = await ask(addressWith(operation, name, [parameter.example, parameter.example]))
    expect(answer.statusCode).toBe(422)
    expect(answer.json().msg).toContain(`invalid query input: ${name} is given 2 times`)
  })
  const lists = all.filter(({ parameter }) => parameter.repeatable)
  test.each(lists)(
    '$id: $name is accepted, in each of its spellings',
    async ({ name, operation, parameter }) => {
      const base = name.replace('[]', '')
      const address = addressWith(operation, name, [])
      for (const spelling of [base, `${base}[]`, `${base}%5B%5D`, `${base}[0]`]) {
        const value = encodeURIComponent(parameter.example)
        const answer = await ask(`${address}&${spelling}=${value}&${spelling}=${value}`)
        expect([200, 422], answer.body).toContain(answer.statusCode)
        if (answer.statusCode === 422) expect(answer.json().msg).not.toContain(base)
      }
    },
  )
})

describe('unknown parameters are rejected with the nearest known name', () => {
  test.each(operations)('$id', async operation => {
    const names = Object.entries(operation.parameters).filter(([, parameter]) => parameter.in === 'query')
    for (const [name] of names) {
      const answer = await ask(`${addressWith(operation, '', [])}&${name.replace('[]', '')}s_=1`)
      expect(answer.statusCode).toBe(422)
      expect(answer.json().msg).toMatch(/is not a parameter here; the nearest is \w/)
    }
    expect((await ask(`${addressWith(operation, '', [])}&zzz=1`)).statusCode).toBe(422)
  })
})

test('any request gets a success, a rejection or 404', async () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({ minLength: 1, maxLength: 40 }),
    fc.constantFrom(...FOREIGN, '1', '-1', '0', 'true', '2024-01-05', 'ONE', 'ONE,TWO', '-ONE', '1e5', '0.5'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.array(anything, { minLength: 1, maxLength: 2 }),
      async (target, texts) => {
        const answer = await ask(
          addressWith(
            target.operation,
            target.name,
            texts.map(text => text.toWellFormed()),
          ),
        )
        expect([200, 404, 414, 422], `${target.id} ${target.name} ${answer.body}`).toContain(
          answer.statusCode,
        )
      },
    ),
    { numRuns: randomRuns(375) },
  )
})
