import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openUnread } from '../../../src/api/admission/unread.ts'

const KIB = 1024
const response = () => new EventEmitter() as ServerResponse

test('counts the bytes of answers until their responses close, and shared bytes once', () => {
  const unread = openUnread(200 * KIB)
  const [first, second, other] = [response(), response(), response()]
  const content = new Uint8Array(60 * KIB)
  unread.hold(content, 'a', first)
  unread.hold(content, 'b', second)
  expect(unread.bytes).toBe(60 * KIB)
  // Half of all is for one token.
  expect(() => unread.hold(new Uint8Array(50 * KIB), 'a', other)).toThrow(
    'clients have not read 61440 bytes of the answers to this token yet',
  )
  unread.hold(new Uint8Array(90 * KIB), 'b', other)
  expect(() => unread.hold(new Uint8Array(60 * KIB), 'c', response())).toThrow(
    'clients have not read 153600 bytes of other answers yet',
  )
  first.emit('close')
  expect(unread.bytes).toBe(150 * KIB)
  second.emit('close')
  other.emit('close')
  expect(unread.bytes).toBe(0)
})

test('does not count the answer to a client that has left', () => {
  const unread = openUnread(200 * KIB)
  const closed = Object.assign(response(), { destroyed: true })
  unread.hold(new Uint8Array(60 * KIB), 'a', closed)
  expect(unread.bytes).toBe(0)
})

test('does not count what the system takes at once', () => {
  const unread = openUnread(10)
  unread.hold(new Uint8Array(16 * KIB), 'a', response())
  expect(unread.bytes).toBe(0)
})
