import { expect, onTestFinished, test, vi } from 'vitest'
import { openCosts } from '../../../src/api/admission/costs.ts'
import { openTurns } from '../../../src/api/admission/turns.ts'
import { Failure } from '../../../src/engine/failure.ts'

const settle = () => new Promise(resolve => setImmediate(resolve))

/** Turns on a clock that the test moves. The names of requests are those of their tokens, with a number. */
function turnsOf(turnsMax: number, waitingMax: number) {
  let now = 0
  const turns = openTurns(turnsMax, waitingMax, openCosts(), 'requests', () => now)
  const begun: string[] = []
  const refused = new Map<string, string>()
  const ends = new Map<string, () => void>()
  return {
    turns,
    begun,
    refused,
    async ask(
      name: string,
      more: { operation?: string; deadlineMs?: number; follows?: boolean; signal?: AbortSignal } = {},
    ) {
      const { operation = 'one', deadlineMs = 10_000, follows = false } = more
      const asking = { token: name.replace(/\d+$/, ''), operation, deadlineMs, follows }
      const work = () =>
        new Promise<void>(resolve => {
          begun.push(name)
          ends.set(name, resolve)
        })
      turns.run(asking, more.signal ?? new AbortController().signal, work).catch((thrown: unknown) => {
        refused.set(name, thrown instanceof Failure ? `${thrown.code}: ${thrown.message}` : String(thrown))
      })
      await settle()
    },
    /** Ends the turn of a request `ms` after the end before. */
    async end(name: string, ms = 0) {
      now += ms
      ends.get(name)?.()
      await settle()
    },
  }
}

test('a token alone has all turns, and what exceeds them waits in order', async () => {
  const { turns, begun, ask, end } = turnsOf(2, 10)
  for (const name of ['a1', 'a2', 'a3', 'a4']) await ask(name)
  expect([begun, turns.running, turns.waiting]).toEqual([['a1', 'a2'], 2, 2])
  await end('a1')
  await end('a2')
  expect([begun, turns.running, turns.waiting]).toEqual([['a1', 'a2', 'a3', 'a4'], 2, 0])
})

test('a token that others join keeps its share, and they have theirs at once', async () => {
  const { begun, ask, end } = turnsOf(4, 10)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1']) await ask(name)
  // Half of four turns are for each. The first that ends is the turn of b, and then a waits until it has less than two.
  await end('a1')
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
  await ask('b2')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
  await end('a3')
  expect(begun.slice(6)).toEqual(['a5'])
})

test('the turns are shared while another token has requests, and for 20 ms after', async () => {
  const { turns, ask, end } = turnsOf(4, 10)
  await ask('a1')
  expect([turns.isShared('a'), turns.isShared('b')]).toEqual([false, true])
  await ask('b1')
  expect([turns.isShared('a'), turns.isShared('b')]).toEqual([true, true])
  await end('b1', 5)
  expect(turns.isShared('a')).toBe(true)
  await end('a1', 19)
  expect([turns.isShared('a'), turns.isShared('b')]).toEqual([true, true])
  await ask('a2')
  await end('a2', 1)
  expect([turns.isShared('a'), turns.isShared('b')]).toEqual([false, true])
})

test('turns that are left when all have their share go to those who ask', async () => {
  const { begun, ask } = turnsOf(4, 10)
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await ask(name)
  // One for each of three tokens, and one is left.
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('a token whose requests take ten times as long has a tenth as many turns', async () => {
  const { begun, ask, end } = turnsOf(1, 100)
  // The first turns are measured: 100 ms and 10 ms.
  await ask('a0', { operation: 'long' })
  await end('a0', 100)
  await ask('b0', { operation: 'short' })
  await end('b0', 10)
  await ask('c0')
  for (let index = 1; index <= 30; index += 1) {
    await ask(`a${index}`, { operation: 'long' })
    await ask(`b${index}`, { operation: 'short' })
  }
  await end('c0')
  for (let turn = 3; turn < 3 + 22; turn += 1) {
    const name = begun[turn] ?? ''
    await end(name, name.startsWith('a') ? 100 : 10)
  }
  const turnsOfB = begun.slice(3, 25).filter(name => name.startsWith('b')).length
  expect(turnsOfB).toBeGreaterThanOrEqual(19)
  expect(turnsOfB).toBeLessThanOrEqual(21)
})

test('a full queue refuses the token that waits most, for one that waits less', async () => {
  const { refused, ask, end, begun } = turnsOf(1, 3)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await ask(name)
  const full = 'overloaded: the worker computes 1 requests at once, and 3 requests are waiting already'
  expect([...refused]).toEqual([['a5', full]])
  await ask('b1')
  expect([...refused]).toEqual([
    ['a5', full],
    ['a4', full],
  ])
  await end('a1', 10)
  expect(begun).toEqual(['a1', 'b1'])
})

test('a request that would wait longer than its deadline allows is refused at once', async () => {
  const { refused, begun, ask, end } = turnsOf(1, 100)
  await ask('a1')
  await end('a1', 400)
  // Each takes 400 ms: the third one that waits would wait 800 ms, which is all of the 80 % of a second.
  for (const name of ['a2', 'a3', 'a4', 'a5', 'a6']) await ask(name, { deadlineMs: 1000 })
  expect([...refused]).toEqual([
    [
      'a6',
      'overloaded: the worker computes 1 requests at once, and the requests before this one take 1200 ms longer',
    ],
  ])
  // The next page of an answer waits all the same, and another token is not kept waiting by the queue of this one.
  await ask('a7', { deadlineMs: 1000, follows: true })
  await ask('b1', { deadlineMs: 1000 })
  expect(refused.size).toBe(1)
  await end('a2', 400)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
})

test('a request whose client leaves while it waits is forgotten', async () => {
  const { turns, refused, begun, ask, end } = turnsOf(1, 10)
  const gone = new AbortController()
  await ask('a1')
  await ask('a2', { signal: gone.signal })
  await ask('a3')
  gone.abort(new Failure('canceled', 'the client disconnected'))
  await end('a1')
  expect([...refused]).toEqual([['a2', 'canceled: the client disconnected']])
  expect([begun, turns.running, turns.waiting]).toEqual([['a1', 'a3'], 1, 0])
})

test('after a connection that waited long, one answer is computed at a time, until a moment after the last one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { turns, begun, ask, end } = turnsOf(2, 10)
  await ask('a1')
  turns.connected(500)
  await ask('a2')
  expect(begun).toEqual(['a1', 'a2'])
  turns.connected(501)
  await ask('a3')
  await end('a1')
  expect(begun).toEqual(['a1', 'a2'])
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'a3'])
  await ask('a4')
  vi.advanceTimersByTime(99)
  turns.connected(900)
  vi.advanceTimersByTime(99)
  await ask('a5')
  expect(begun).toEqual(['a1', 'a2', 'a3'])
  vi.advanceTimersByTime(1)
  await settle()
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
})

test('while connections are favoured, a token that has used less is next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { turns, begun, ask, end } = turnsOf(4, 10)
  turns.connected(1000)
  for (const name of ['a1', 'a2', 'a3', 'b1']) await ask(name)
  expect(begun).toEqual(['a1'])
  await end('a1', 10)
  expect(begun).toEqual(['a1', 'b1'])
})
