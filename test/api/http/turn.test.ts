import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { oncePerTurn } from '../../../src/api/http/turn.ts'

test('looks once per turn of the event loop, and again after one that failed', async () => {
  let looks = 0
  const look = oncePerTurn(async () => {
    looks += 1
    if (looks === 2) throw new Error('not now')
    return looks
  })
  expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1])
  await setImmediate()
  await expect(look()).rejects.toThrow('not now')
  await setImmediate()
  expect(await look()).toBe(3)
})
