import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requests } from '../api/openapi/drawn-requests.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { openService, type TestService } from '../fixtures/service.ts'
import { amount, countCases } from '../fixtures/tier.ts'
import { MALFORMED, malformedRequests } from './malformed-requests.ts'
import { row, table } from './table.ts'

/** Requests that are only bytes, requests that are drawn from the OpenAPI document, and tokens that nobody has. */

const folder = temporaryFolder()
let service: TestService
let port = 0
beforeAll(async () => {
  service = await openService(folder, await sharedMarket('small'))
  await service.server.listen({ host: '127.0.0.1', port: 0 })
  port = (service.server.server.address() as AddressInfo).port
})
afterAll(async () => {
  table()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends bytes, and reads what the server answers until it closes the connection. */
async function exchange(bytes: Buffer): Promise<string> {
  const connection = connect({ port, host: '127.0.0.1' })
  connection.on('error', () => {})
  const parts: Buffer[] = []
  connection.on('data', part => parts.push(part))
  connection.end(bytes)
  await once(connection, 'close')
  return Buffer.concat(parts).toString('latin1')
}

/** What is wrong with an answer: a status that no request may cause, or an error without a body of ours. */
function faultOf(answer: string): string | null {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0)
  if (status < 200 || status >= 500) return `status ${status}`
  if (status < 400 || body === '') return null
  const id = /^x-request-id: (\S+)/im.exec(head)?.[1]
  const problem = JSON.parse(Buffer.from(body.split('HTTP/1.1 ')[0] ?? '', 'latin1').toString())
  if (status === 422) return typeof problem.msg === 'string' ? null : 'a 422 without msg'
  return problem.request_id === id && typeof problem.code === 'string' ? null : 'no code or request id'
}

test('no malformed request has an answer 5xx, or an error without our body', async () => {
  const count = amount({ test: 100, prove: 500, long: 20_000 })
  const faults: string[] = []
  let answered = 0
  for (const bytes of malformedRequests(count, service.token)) {
    const answer = await exchange(bytes)
    // A request that is not complete when its client leaves has no answer.
    if (answer === '') continue
    answered += 1
    const fault = faultOf(answer)
    if (fault !== null) faults.push(`${fault}: ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}`)
  }
  expect(faults).toEqual([])
  expect(answered).toBeGreaterThan(count * 0.7)
  expect(service.seen.filter(({ kind }) => kind === 'failed')).toEqual([])
  const headers = { authorization: `Bearer ${service.token}` }
  expect((await fetch(`http://127.0.0.1:${port}/api/lake`, { headers })).status).toBe(200)
  countCases(count)
  row(
    'malformed requests',
    `${count} of ${Object.keys(MALFORMED).length} kinds, ${answered} answered`,
    'no 5xx',
  )
})

test('no generated request has a status 500, 502 or 504, and a 503 only without a defect', async () => {
  const count = amount({ test: 100, prove: 1500, long: 100_000 })
  const drawn = fc.sample(requests(service.token), count).values()
  const statuses = new Map<number, number>()
  const ask = async () => {
    for (const { method, url, headers } of drawn) {
      const { statusCode } = await service.server.inject({ method, url, headers: { ...headers } })
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 4 }, ask))
  expect([500, 502, 503, 504].filter(status => statuses.has(status))).toEqual([])
  expect(service.seen.filter(({ kind }) => kind === 'failed')).toEqual([])
  countCases(count)
  const found = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${times} × ${status}`)
  row('generated requests', String(count), found.join(', '))
})

/** Tokens that differ from a known one after their first `length` digits. */
function withPrefix(token: string, length: number, random: () => number): string {
  return [...token]
    .map((digit, index) =>
      digit === '-' || index < length
        ? digit
        : ((Number.parseInt(digit, 16) + 1 + Math.floor(random() * 15)) % 16).toString(16),
    )
    .join('')
}

test('a token that is unknown is refused, whatever prefix it shares with a known one', () => {
  const count = amount({ test: 100, prove: 2000, long: 200_000 })
  const times: { readonly near: number[]; readonly far: number[] } = { near: [], far: [] }
  for (let index = 0; index < count; index += 1) {
    const kind = Math.random() < 0.5 ? 'near' : 'far'
    const token = withPrefix(service.token, kind === 'near' ? 35 : 0, Math.random)
    const begun = process.hrtime.bigint()
    const grant = service.grants.find(token)
    times[kind].push(Number(process.hrtime.bigint() - begun))
    expect(grant).toBeNull()
  }
  countCases(count)
  const [near, far] = [fastest(times.near), fastest(times.far)]
  const t = Math.abs(near.mean - far.mean) / Math.sqrt(near.variance / near.count + far.variance / far.count)
  row('unknown tokens', `${count}, half with a known prefix of 35`, `all refused; |t| ${t.toFixed(2)}`)
  // The bound of dudect (Reparaz, Balasch and Verbauwhede 2017): above it, times depend on the secret.
  if (amount({ test: false, prove: false, long: true })) expect(t).toBeLessThan(10)
})

/** Mean and variance of the faster nine tenths: the others measure the machine. */
function fastest(all: readonly number[]) {
  const kept = all.toSorted((a, b) => a - b).slice(0, Math.ceil(all.length * 0.9))
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1)
  return { mean, variance, count: kept.length }
}
