import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openRefusals } from '../../../src/api/http/refusals.ts'
import { failed } from '../../../src/api/service/problem.ts'
import { Failure } from '../../../src/engine/failure.ts'

/** Those who wait for a full event loop have had their turn. */
const turn = () => new Promise(resolve => setImmediate(resolve))

test('refusals pause, but not more than 1,000 at a time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const server = Fastify()
  onTestFinished(async () => {
    vi.useRealTimers()
    await server.close()
  })
  const refuse = openRefusals()
  server.get('/', (request, reply) => refuse(reply, failed(new Failure('overloaded', 'why'), request.id)))
  let answered = 0
  const ask = async () => {
    const { statusCode, headers } = await server.inject('/')
    expect([statusCode, Number(headers['retry-after']) >= 1]).toEqual([503, true])
    answered += 1
  }
  const first = Array.from({ length: 1000 }, ask)
  await turn()
  await ask()
  expect(answered).toBe(1)
  vi.advanceTimersByTime(249)
  await turn()
  expect(answered).toBe(1)
  vi.advanceTimersByTime(1)
  await Promise.all(first)
  expect(answered).toBe(1001)
  // Those that were sent have made room.
  const next = ask()
  await turn()
  expect(answered).toBe(1001)
  vi.advanceTimersByTime(250)
  await next
})
