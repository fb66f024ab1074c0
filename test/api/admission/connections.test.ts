import { expect, test } from 'vitest'
import { openConnections } from '../../../src/api/admission/connections.ts'
import { connectionsFor } from '../../../src/api/admission/limits.ts'

/** Connections by name, with what was done to them. */
function connectionsOf(connectionsMax: number, peerConnectionsMax = 100, tokenConnectionsMax = 100) {
  const done: string[] = []
  const limits = { connectionsMax, peerConnectionsMax, tokenConnectionsMax }
  const connections = openConnections(limits, what => done.push(what))
  const take = (name: string, peer: string | null = name) => connections.take(peer, () => done.push(name))
  const taken = (name: string, peer?: string | null) => {
    const held = take(name, peer)
    if (held === null) throw new Error(`${name} was not taken`)
    return held
  }
  return { connections, done, take, taken }
}

/** A response that is not sent yet. */
const busy = { writableFinished: false, destroyed: false } as never

test('idle connections without a valid token make room first, the oldest before the others', () => {
  const { connections, done, taken } = connectionsOf(3)
  const known = taken('known')
  taken('first')
  taken('second')
  connections.use(known, 'token')
  taken('third')
  taken('fourth')
  expect(done).toEqual(['closed', 'first', 'closed', 'second'])
  expect(connections.size).toBe(3)
})

test('then those without a token whose clients do not read, before any with a token', () => {
  const { connections, done, taken } = connectionsOf(2)
  connections.use(taken('known'), 'token')
  taken('unread').last = busy
  taken('new')
  expect(done).toEqual(['closed', 'unread'])
  const more = connectionsOf(2)
  more.taken('unread').last = busy
  more.taken('idle')
  more.taken('new')
  expect(more.done).toEqual(['closed', 'idle'])
})

test('then the one that was used the longest time ago', () => {
  const { connections, done, taken } = connectionsOf(2)
  const [one, two] = [taken('one'), taken('two')]
  for (const held of [one, two]) connections.use(held, 'token')
  one.usedAt = 2
  two.usedAt = 1
  taken('three')
  expect(done).toEqual(['closed', 'two'])
})

test('a connection with a token and a request in progress is never closed: the new one is not taken', () => {
  const { connections, done, take, taken } = connectionsOf(1)
  const one = taken('one')
  connections.use(one, 'token')
  one.last = busy
  expect(take('two')).toBeNull()
  expect(done).toEqual(['refused'])
  connections.release(one)
  expect(take('two')).not.toBeNull()
})

test('an address has a limit of its own, within which its own connections make room', () => {
  const { connections, done, take, taken } = connectionsOf(10, 2)
  taken('other')
  const [one] = [taken('one', 'peer'), taken('two', 'peer')]
  one.last = busy
  connections.use(one, 'token')
  const three = taken('three', 'peer')
  expect(done).toEqual(['closed', 'two'])
  three.last = busy
  connections.use(three, 'token')
  expect(take('four', 'peer')).toBeNull()
  expect(done.at(-1)).toBe('refused_peer')
  // Connections of a trusted proxy are those of many clients.
  for (let index = 0; index < 5; index += 1) expect(take(`proxied ${index}`, null)).not.toBeNull()
})

test('a token has a limit of its own, which its closed connections leave', () => {
  const { connections, taken } = connectionsOf(10, 10, 2)
  const [one, two, three] = [taken('one'), taken('two'), taken('three')]
  expect([one, two, three].map(held => connections.use(held, 'a'))).toEqual([true, true, false])
  expect(connections.use(three, 'b')).toBe(true)
  connections.release(one)
  expect(connections.use(three, 'a')).toBe(true)
  // Released twice, it counts once.
  connections.release(one)
  expect(connections.use(taken('four'), 'a')).toBe(false)
})

test('files keep 320 descriptors, or half of few', () => {
  expect([1024, 20_000, 400, 1].map(connectionsFor)).toEqual([704, 19_680, 200, 1])
})
