import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atTurnEnd, oncePerTurn } from '../../../src/api/http/turn.ts'

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

test('sends when all requests of the turn have been looked at, and rejects with what sending throws', async () => {
  const steps: string[] = []
  const sent = ['one', 'two'].map(name => {
    steps.push(`${name} looked at`)
    return atTurnEnd(() => steps.push(`${name} sent`))
  })
  await Promise.all(sent)
  expect(steps).toEqual(['one looked at', 'two looked at', 'one sent', 'two sent'])
  const failing = atTurnEnd(() => {
    throw new Error('no place')
  })
  await expect(failing).rejects.toThrow('no place')
})
