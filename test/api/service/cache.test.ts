import { expect, test } from 'vitest'
import { type CachedAnswer, openCache } from '../../../src/api/service/answer-cache.ts'

const answerOf = (bytes: number): CachedAnswer => ({
  content: new Uint8Array(bytes),
  empty: null,
  end: null,
  state: '',
})

test('keeps what fits, and nothing without memory', () => {
  // An eighth is for requests. An answer counts a KiB besides its content: 998 + 1024 = 2022 fit into 2311 - 288 = 2023.
  const [none, some] = [openCache(0).answers, openCache(2311).answers]
  for (const bytes of [0, 1, 998]) {
    none.set(String(bytes), answerOf(bytes))
    some.set(String(bytes), answerOf(bytes))
    expect(none.has(String(bytes)), `${bytes} bytes`).toBe(false)
    expect(some.has(String(bytes)), `${bytes} bytes`).toBe(true)
  }
  some.set('large', answerOf(1000))
  expect(some.has('large')).toBe(false)
})
