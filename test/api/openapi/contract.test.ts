import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Response, Schema } from '../../fixtures/document.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { openService, type TestService } from '../../fixtures/service.ts'
import { amount, countCases } from '../../fixtures/tier.ts'
import { type Drawn, operationAt, requests } from './drawn-requests.ts'

/**
 * The contract of the OpenAPI document: a server answers each request that is drawn from it with a documented status,
 * with a body and headers that the document describes, and never with a 5xx.
 */

const folder = temporaryFolder()
let service: TestService

beforeAll(async () => {
  service = await openService(folder, await sharedMarket('small'))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Headers of HTTP itself, which every response may have. */
const OF_HTTP = [
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'date',
  'keep-alive',
]

const compiled = new WeakMap<Schema, ReturnType<typeof Compile>>()

function fits(schema: Schema, value: unknown): boolean {
  const known = compiled.get(schema) ?? Compile(schema as Parameters<typeof Compile>[0])
  compiled.set(schema, known)
  return known.Check(value)
}

/** What is wrong with the headers of a response. */
function headerFaults(
  { headers: documented = {} }: Response,
  sent: Readonly<Record<string, unknown>>,
): string[] {
  const schemas = new Map(
    Object.entries(documented).map(([name, { schema }]) => [name.toLowerCase(), schema]),
  )
  return Object.entries(sent).flatMap(([name, value]) => {
    if (OF_HTTP.includes(name)) return []
    const schema = schemas.get(name)
    if (schema === undefined) return [`the header ${name} is not documented`]
    return fits(schema, schema.type === 'integer' ? Number(value) : value)
      ? []
      : [`${name}: ${value} does not fit`]
  })
}

/** Everything in the answer to a request that the document does not describe. */
async function faultsOf({
  path,
  method,
  url,
  headers,
  fault,
}: Drawn): Promise<{ status: number; faults: string[] }> {
  const {
    statusCode,
    headers: sent,
    body,
    json,
  } = await service.server.inject({ method, url, headers: { ...headers } })
  const documented = operationAt(path).responses[statusCode]
  if (documented === undefined)
    return { status: statusCode, faults: [`the status ${statusCode} is not documented: ${body}`] }
  const faults = headerFaults(documented, sent)
  if (statusCode >= 500) faults.push(`the status is ${statusCode}: ${body}`)
  if (fault !== null && fault.status !== statusCode)
    faults.push(`${fault.what} should be a ${fault.status}, and not a ${statusCode}: ${body.slice(0, 300)}`)
  if (method !== 'HEAD') {
    const [type = ''] = String(sent['content-type']).split(';')
    const { schema } = documented.content?.[type] ?? {}
    if (schema === undefined) faults.push(`the media type ${type} is not documented`)
    else if (!fits(schema, json())) faults.push(`the body does not fit its schema: ${body.slice(0, 300)}`)
  }
  return { status: statusCode, faults }
}

const RUNS = amount({ test: 500, prove: 5_000, long: 100_000 })
/** `npm test` sends the same requests each time. */
const SEED = amount<{ seed?: number }>({ test: { seed: 7 }, prove: {}, long: {} })

describe('requests that are drawn from the OpenAPI document', () => {
  test('have documented answers', { tags: 'slow' }, async () => {
    const statuses = new Map<number, number>()
    let answered = 0
    const property = fc.asyncProperty(requests(service.token), async request => {
      const { status, faults } = await faultsOf(request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (request.fault === null && status === 200) answered += 1
      expect(faults, `${request.method} ${request.url}`).toEqual([])
    })
    await fc.assert(property, { numRuns: RUNS, ...SEED })
    countCases(RUNS)
    // About a quarter have an answer: the draw reaches answers, and each kind of error that a request can cause.
    expect(answered).toBeGreaterThan(RUNS / 5)
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 401, 405, 406, 422]))
  })
})
